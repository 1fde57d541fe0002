/* What the engine's files share. Nothing outside engine/ includes this. */
#ifndef ENGINE_INTERNAL_H
#define ENGINE_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "engine/engine.h"
#include "tensor/tensor.h"

/* What can stand in a lesson file. The order groups them: see is_question, is_knob, is_view. */
enum construct_kind {
    K_COURSE, K_LESSON, K_STEP,
    K_NUMBER, K_TENSOR, K_SHAPE, K_CHOICE, K_ORDER, K_CODE,
    K_MISTAKE, K_CODE_MISTAKE /* one of an ask.code: its `by` is a program */, K_ORDER_MISTAKE /* of an ask.order: a list of ids */,
    K_OPTION, K_PIECE, K_PROBE, K_REPLACE,
    K_KNOB_LOG, K_KNOB_LINEAR, K_KNOB_INT, K_KNOB_SWITCH, K_KNOB_PICK,
    K_VIEW_TOKENS, K_VIEW_PIPELINE, K_VIEW_AXES, K_VIEW_HEAT, K_VIEW_BARS, K_VIEW_PLOT, K_VIEW_TABLE, K_VIEW_COMPARE, K_VIEW_BLOCK, K_VIEW_STACK,
    K_VIEW_LEAK, K_VIEW_PROBES, K_VIEW_PRECISION, K_VIEW_CODE, K_VIEW_ROW, K_VIEW_COLUMN,
    K_COUNT
};

enum { ID_MAX = 64 };

/* A userdata whose user value 1 is the table of fields. */
struct construct {
    enum construct_kind kind;
    int line; /* where its braces open */
    char id[ID_MAX];
    char former[ID_MAX]; /* of a lesson or a step: the id that it had before, or "" */
};

struct part_def { /* a mistake, an option or a piece */
    struct construct *construct;
    int ref;        /* of its fields */
};

struct alike { /* two that no answer can tell apart */
    const struct construct *mistake, *other; /* other NULL: the answer */
};

struct draws { /* until the numbers were fit */
    uint32_t all, refused, alike;
    struct alike pair;             /* of the first that had one, … */
    const struct construct *asked; /* … and whose they are */
};

struct step_def {
    struct construct *construct;
    int ref;        /* of its fields */
    struct part_def *parts;
    size_t part_count;
    struct draws draws; /* of its own data, at attempt 0 */
};

/* A loaded lesson; everything lives in `arena` and in the Lua state. */
struct lesson {
    struct arena *arena;
    struct construct *construct; /* NULL: a course */
    int ref;
    struct step_def *steps;
    size_t step_count;
    struct draws draws; /* of the lesson's data, at attempt 0 */
    bool awaits_files; /* the request's are not those that it declares: nothing can be drawn yet */
};

struct engine {
    struct engine_limits limits;
    struct tensor_memory memory;
    size_t used;          /* bytes of Lua and tensors */
    size_t tensor_bytes;  /* bytes of tensors alone */
    size_t tensor_collect_at;
    lua_State *L;
    double stop_at;       /* CPU time at which Lua code is stopped */
    int programs;         /* open ones (program.h) */
    bool learners;        /* a program of a learner's: what it asks for in vain is an error of its own, not the end of the process */
    bool refused;         /* it asked for too much memory, */
    char failed_at[80];   /* here: "layer_norm.lua:3: ", or "" */
    int line;             /* of the construct at work, where no Lua code knows better; 0: none */
    const struct engine *inside; /* the learner's program that runs now */
    const char *translated; /* the entry of the translation at work, "" at its top: errors are there; NULL: in the lesson */
    uint64_t console;     /* fingerprint of the lines of a console that `L` has run; 0: none */
    uint64_t loaded;      /* fingerprint of what `lesson` was made from; 0: nothing */
    struct lesson lesson;
    const struct request *request;
    struct scene *scene;  /* being made */
    struct strbuf output; /* of print, in a REQUEST_EVAL or REQUEST_LINE */
    struct probe_result *probed; /* of the learner's program, in a REQUEST_FRAME of an ask.code; in the scene's arena */
    size_t probed_count;
};

struct engine *engine_of(lua_State *L);

/* load.c: luaL_error in the learner's language */
int raise_words(lua_State *L, const char *format, ...);
#define luaL_error raise_words
/* show_value.c: "number", "tensor", "view.bars", … */
const char *type_word(lua_State *L, int index);
#undef luaL_typename
#define luaL_typename type_word

/* state.c: memory and time */
lua_State *state_new(struct engine *engine); /* NULL: out of memory */
void state_arm(struct engine *engine);       /* the deadline of the request that begins */
bool state_is_late(const struct engine *engine); /* the request's time is up */
void state_look(lua_State *L);               /* much was done where no instruction counts: the next one looks at the clock */

/* sandbox.c: the globals that any Lua code may use */
void sandbox_open(lua_State *L); /* leaves the table of globals on the stack */
void sandbox_open_program(lua_State *L); /* the same for a learner's program: no nn, no printing, nothing that cannot be stopped */
/* The nearest of `count` names, or NULL when none is near. */
const char *nearest_name(const char *name, const char *const *names, size_t count);
const char *nearest_key(lua_State *L, int index, const char *name); /* of the table at `index`; borrowed from it */
/* "nn.softmax" for "softmax", of the libraries among the globals; else the nearest key. On the stack, or borrowed. */
const char *meant_name(lua_State *L, int index, int globals, const char *name);
const char *list_joined(lua_State *L, int list); /* pushed: "a, b, c", its texts */
const char *names_joined(lua_State *L, const char *const *names, size_t count); /* the same */
/* Pushes the list of the keys of the table at `index`: Lua's own order differs from run to run. */
void keys_sorted(lua_State *L, int index);
/* Raises when the table at `index` has a key that is a string and not known. */
void check_keys(lua_State *L, int index, const char *what, const char *const *known, size_t count);
/* Raises "unknown WHAT `name`; did you mean `other`?", the other taken from the keys of the table at `index`. */
int raise_unknown(lua_State *L, const char *what, const char *name, int index);

/* bind_tensor.c, bind_nn.c, bind_random.c: each leaves what its name says on the stack */
void bind_tensor(lua_State *L);
void bind_functions(lua_State *L, int globals); /* sqrt, exp, …, which take tensors */
void bind_grad(lua_State *L, int globals); /* grad */
void bind_nn(lua_State *L);
void bind_random(lua_State *L, uint64_t key, uint64_t stream);
struct random_stream *random_test(lua_State *L, int index); /* NULL: not one */
struct tensor *tensor_test(lua_State *L, int index);  /* NULL: not a tensor; raises when it cannot be loaded */
bool tensor_is(lua_State *L, int index);              /* one of tensor.load that has not been read is one too */
/* A list at the top of the stack becomes the tensor of it, as tensor(list) makes it; anything else stays. A status of Lua: on failure a
   message stands there. */
int tensor_of_list(lua_State *L);
struct tensor *tensor_check(lua_State *L, int index); /* raises */
/* A userdata that will own a tensor: fill *slot at once. */
struct tensor **tensor_push(lua_State *L);
void tensor_made(lua_State *L);                       /* after filling: lets the collector keep up */
void tensor_collect_later(struct engine *engine);     /* after what may be had has changed: well before there is none left */
int tensor_arrive(lua_State *L, int index, struct error *err); /* what awaits its elements gets them: 0, or -1 with words */
/* The tensor at the index becomes one that gradients may be asked for, except in a learner's program; nil and the like stay. */
void tensor_leaf(lua_State *L, int index);
struct tensor **tensor_slot(lua_State *L, int index); /* of what tensor_push pushed */
void tensor_freeze(lua_State *L, int index);          /* a fact: set is refused */
bool tensor_frozen(lua_State *L, int index);
tensor_axes axes_argument(lua_State *L, int index, const struct tensor *x, tensor_axes when_none);
bool shape_test(lua_State *L, int index);
int raise_error(lua_State *L, const struct error *err); /* with the position of the caller */

/* number.c: how numbers are written */
enum { NUMBER_TEXT = 48 };
void number_text(char out[NUMBER_TEXT], double value);                   /* four significant digits */
void number_digits(char out[NUMBER_TEXT], double value, int digits);
void number_places(char out[NUMBER_TEXT], double value, int places);
int number_common_places(const double *values, size_t count);            /* -1: no common form, write each alone */

/* show_value.c: any value as a person reads it; `format` is NULL, a number of places, or a C format without its % */
struct strbuf *strbuf_push(lua_State *L); /* a buffer that a userdata on the stack frees: safe across errors */
void value_text(lua_State *L, int index, const char *format, struct strbuf *out);
bool value_readable(lua_State *L, int index); /* a number, a text, a list, …: not a function, say, or nothing */
void value_lines(lua_State *L, int index, struct strbuf *out); /* show_long.c: in as many lines as it takes, none with an end */

/* construct.c: course, lesson, step, ask, mistake, option, knob, view */
void bind_constructors(lua_State *L, int globals);
struct construct *construct_test(lua_State *L, int index);
const char *construct_name(enum construct_kind kind); /* "ask.number" */
const char *title_of(lua_State *L, const struct construct *construct); /* pushed: ask.number "mean", or view.bars */
const char *construct_origin(const struct construct *construct); /* what its numbers hang on: the id it had before, else its id */
void former_take(struct engine *engine); /* reads `renamed_from` of the lesson and its steps; raises */
void construct_seal(struct engine *engine); /* seal.c: the one at the top, with all in it: Lua code can change it no more; raises */
bool is_question(enum construct_kind kind);
bool is_knob(enum construct_kind kind);
bool is_view(enum construct_kind kind);

/* The name of the lesson's own chunk: short, since Lua cuts long names; engine_answer puts the file's in its place. */
#define FILE_MARK "\1"
/* The name of a formula's chunk; never seen. */
#define FORMULA_MARK "\2"
/* The name of the translation's chunk. */
#define TRANSLATION_MARK "\3"

/* load.c: runs the file and checks what it returns */
void lesson_load(struct engine *engine); /* raises; needs request->source */
/* When loading has failed: that it is of a newer format, with file and line, or NULL when it does not say so. In the scene's arena. */
const char *newer_format(struct engine *engine);
enum { FORMAT = 1 };
void course_load(struct engine *engine); /* raises; fills scene->course */
void lesson_keep(struct engine *engine); /* what was loaded is good, and serves the next request of the same lesson */
bool lesson_is_loaded(const struct engine *engine, const struct request *request);
void lesson_unload(struct engine *engine); /* closes the state too */
/* Raises "file:line: words"; line 0: no line. */
__attribute__((format(printf, 3, 4))) int lesson_error(struct engine *engine, int line, const char *format, ...);
int lesson_line(struct engine *engine, const struct construct *construct, const char *field); /* or of a field_entry */
const char *field_entry(struct engine *engine, const char *field, size_t entry); /* "hints.2": of a list, counted from 1 */
int name_line(struct engine *engine, const struct construct *construct, const char *field, const char *name); /* of a name in the field */

/* files.c: what `file` and `tensor.load` give: a stand-in while the lesson is being loaded, the text or the tensor later */
void bind_files(lua_State *L, int globals); /* after `tensor` */
void files_take(struct engine *engine); /* the lesson's `files`, and what was asked for while loading; raises */
bool file_test(lua_State *L, int index); /* a stand-in for a text? */
void file_settle(struct engine *engine, const struct construct *where, const char *field); /* one at the top of the stack becomes its text or tensor; raises */
void files_settle(struct engine *engine, const struct construct *where, int fields); /* the same for all words and texts among the fields */

/* check.c: fields, sorts and names of a lesson as it is written */
void check_lesson(struct engine *engine); /* raises */
void check_format(struct engine *engine, const struct construct *construct, int fields); /* before anything that a newer one may have */
void check_made_view(struct engine *engine, int index); /* what a function returned as the view of a step */
int check_kind_fields(struct engine *engine, const struct construct *construct, int fields);
void check_fact_name(struct engine *engine, const struct construct *where, const char *field, const char *name);

/* names.c: the names in formulas and holes, once the data are drawn */
void check_facts(struct engine *engine); /* raises */
bool name_taken(const char *name, bool knob); /* by Lua or by the tutor: no fact, or no knob, may bear it */
const char *skip_quoted(const char *at); /* what follows the text or the remark of Lua that begins here; NULL: none does */

/* syntax.c: what may be behind a message of Lua's parser; NULL: nothing comes to mind. Borrowed, or in the scene's arena. */
const char *syntax_hint(struct engine *engine, const char *message); /* of the request's source */
const char *formula_hint(const char *message);

/* draw.c: each pushes a layer of facts, drawn until it is accepted */
void facts_lesson(struct engine *engine, const struct step_def *only, uint32_t attempt); /* only: whose mistakes must differ; NULL: all */
void facts_step(struct engine *engine, const struct step_def *step, uint32_t attempt);
void facts_edit(struct engine *engine, const struct step_def *step); /* the step's layer at the top gets the learner's changed cells over it */
void facts_check(struct engine *engine, const struct construct *where, int facts); /* a layer: its givens can be computed, and no name is used twice */
bool facts_editable(lua_State *L, int facts, const char *name); /* a tensor of `data` */
const char *alike_words(struct engine *engine, const struct construct *asked, const struct alike *pair); /* the mistakes "a" (line 7) and "b" of … */

/* facts.c: names to values, values to come, and the formulas that read them */
void facts_env(lua_State *L, int facts); /* the facts table at `facts` -> an environment that reads it */
void facts_extend(lua_State *L, int facts); /* pushes a child of the facts at `facts`, to which names may be added */
void facts_set(lua_State *L, int facts, const char *name); /* pops a value */
void facts_given(lua_State *L, int facts, int given, const struct construct *where); /* adds lazily computed names */
enum facts_place { FACT_NONE, FACT_VALUE, FACT_GIVEN };
enum facts_place facts_find(lua_State *L, int facts, const char *name); /* pushes what it finds, from the nearest layer */
bool facts_has(lua_State *L, int facts, const char *name);
void facts_names(lua_State *L, int facts); /* pushes a table whose keys they are, of all layers */
void facts_unknown_at(struct engine *engine, const struct construct *where, const char *field, int facts, const char *name); /* raises */
int formula_compile(lua_State *L, const char *text); /* pushes a function of the environment, or a message: a status of Lua */
int formula_raise(struct engine *engine, const struct construct *where, const char *field); /* the message at the top, with the field's place */
/* Evaluates the value at `index` as a formula in the environment at `env`: pushes one value. */
void formula_value(struct engine *engine, const struct construct *where, const char *field, int index, int env);
/* The same in two steps, for a formula that is evaluated many times: push a function (true) or the value itself (false), … */
bool formula_push(struct engine *engine, const struct construct *where, const char *field, int index);
void formula_call(struct engine *engine, const struct construct *where, const char *field, int env); /* … call the one at the top */
double formula_take_number(struct engine *engine, const struct construct *where, const char *field); /* pops what a formula came to */
double formula_number(struct engine *engine, const struct construct *where, const char *field, int index, int env);
bool formula_true(struct engine *engine, const struct construct *where, const char *field, int index, int env);

/* words.c: Markdown with holes; the result lives in the scene's arena */
const char *words_fill(struct engine *engine, const struct construct *where, const char *field, const char *words, int env);
/* Calls `hole` for each hole, with its format or NULL. Raises on an open one. */
typedef void hole_function(void *payload, const char *formula, const char *format);
void words_holes(struct engine *engine, const struct construct *where, const char *field, const char *words, hole_function *hole, void *payload);

enum { DECIMALS_ALL = 1 << 20 }; /* an expression was typed */
/* read_answer.c: what a learner types, as numbers */
struct quantity { /* a number (rank 0), a row, or a matrix, row-major */
    int rank;
    size_t extents[TENSOR_RANK_MAX];
    size_t count;
    double *values;
    int *decimals; /* typed after the point, less than 0 where zeros end a large whole number; DECIMALS_ALL: as exact as can be */
};
struct named_quantity {
    const char *name;
    struct quantity value;
};
/* 0, or -1 with words for the learner. `many`: blanks and commas part numbers. */
int answer_read(struct quantity *out, struct arena *arena, const char *text, bool many,
                const struct named_quantity *names, size_t name_count, struct error *err);

/* question.c */
/* The verdict, from the step's facts without knobs; then, once it is known whether the view is open, the words. */
void question_judge(struct engine *engine, const struct step_def *step, int facts, struct scene_question *out);
void question_words(struct engine *engine, const struct step_def *step, int facts, int live_env, struct scene_question *out);
void question_check(struct engine *engine, const struct step_def *step, int facts); /* raises */
bool question_agrees(struct engine *engine, const struct step_def *step, int env, struct alike *pair); /* two cannot be told apart here: which */
void question_declared(struct engine *engine, const struct step_def *step, int facts); /* into scene->check */
/* What comes of the answer with the facts of the other environment, as it is typed; "": no numbers are asked for. */
const char *question_reread(struct engine *engine, const struct step_def *step, int env, int other_env);

/* judge_code.c: pushes the fact `module` of a question for a program: the function that the view looks at, as a function of this
   state; nil before the program has been judged */
void code_module(struct engine *engine);

/* views.c */
/* The step's view, its cursor axes and its editable data. env: with the knobs as they are; before_env: as they start. */
void show_fill(struct engine *engine, const struct step_def *step, int env, int before_env, struct scene_step *out);

/* knobs.c */
void knobs_fill(struct engine *engine, const struct step_def *step, int facts, struct scene_step *out); /* after the question: out->locked */
void knobs_facts(lua_State *L, const struct scene_step *step, int facts, bool at_start);
/* The step whose knobs and view this one shows: itself, or the earlier one that `show` names. */
const struct step_def *shown_step(struct engine *engine, const struct step_def *step);

/* travel.c: what `predict` comes to, in the facts of the environment */
void travel_fill(struct engine *engine, const struct step_def *step, int env, struct scene_question *out);
bool travel_formula(struct engine *engine, const struct step_def *step, const char *name, int value); /* is this value of the knob one? */

/* fields.c: which fields a construct has */
enum sort {
    SORT_NUMBER, SORT_TEXT, SORT_NAMES, SORT_SWITCH, SORT_WORDS, SORT_WORDS_LIST, SORT_FORMULA, SORT_FORMULAS, SORT_FUNCTION,
    SORT_TABLE, SORT_KNOBS, SORT_SHOW, SORT_PREDICT, SORT_AXES, SORT_CODE, SORT_PROBES, SORT_ORDERS
};
struct field {
    const char *name; /* NULL: the first entry without a key */
    enum sort sort;
    bool must;
};
const struct field *fields_of(enum construct_kind kind, size_t *count);
enum entries { ENTRIES_NONE, ENTRIES_ONE, ENTRIES_LIST, ENTRIES_PARTS, ENTRIES_VIEWS };
enum entries entries_of(enum construct_kind kind);
const char *const *quantities_of(enum construct_kind kind); /* of a view, for `hide`; ends in NULL */

/* view_block.c */
bool block_order_word(const char *word);   /* "post", "pre", … */
extern const char *const block_stages[]; /* the names of the stages of any of them, ends in NULL */

/* frame.c */
void outline_fill(struct engine *engine);
void frame_fill(struct engine *engine);
const struct step_def *step_asked(struct engine *engine); /* the request's; raises */

/* examine.c */
void examine_fill(struct engine *engine); /* REQUEST_CHECK: scene->check, and the frame */
/* Tells who checks the lesson what a learner is shown all the same; otherwise it does nothing. */
__attribute__((format(printf, 4, 5))) void examine_fault(struct engine *engine, int line, bool advice, const char *format, ...);
/* reread.c: the numbers that the step's text prints, as a learner reads them. Pushes a layer of facts over that at `facts` which has
   them for the exact ones; those that differ go to scene->check. False, nothing pushed: none does. */
bool reread_facts(struct engine *engine, const struct step_def *step, int facts);
/* given_away.c: where the scene's view, or the step's text, shows what is asked, into scene->check */
void given_away_fill(struct engine *engine, const struct step_def *step, int facts);

/* scratch.c: request->scratch, with the facts at `still` in a question, else those at `live`; never raises for what was typed.
   question NULL: none. The state is not to be used again if anything was. */
void scratch_fill(struct engine *engine, const struct step_def *step, int still, int live, const struct scene_question *question);

/* engine.c: a text with the marks of chunk names made the files' names */
void text_unmark(const struct engine *engine, struct strbuf *out, const char *text, size_t length);

/* small help */
void *scene_zero(struct engine *engine, size_t count, size_t size); /* raises when memory is out */
void *scene_room(struct engine *engine, void *list, size_t count, size_t *room, size_t size); /* as list_room; raises too */
const char *scene_text(struct engine *engine, const char *text);
struct strings scene_texts(struct engine *engine, int fields, const char *field); /* of a list; none where there is none */

#endif
