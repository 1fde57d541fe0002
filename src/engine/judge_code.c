/* A learner's program judged: probed on fresh inputs; one that measures like a known mistake is told so. */
#include <ctype.h>
#include <string.h>

#include "base/language.h"
#include "engine/judge.h"
#include "engine/probes.h"
#include "engine/program.h"

static const char MODULE[] = "normtutor.module"; /* in the registry: the function that the view looks at */

/* ---- the programs of a question ---- */

static int push_field(lua_State *L, const struct step_def *step, const char *field)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    int type = lua_getfield(L, -1, field);
    lua_remove(L, -2);
    return type;
}

/* The text at the top with every place of the words that `replace` names changed; popped, the outcome pushed. */
static void push_replaced(struct engine *engine, const struct construct *replace, int fields)
{
    lua_State *L = engine->L;
    int text = lua_gettop(L);
    lua_rawgeti(L, fields, 1);
    lua_rawgeti(L, fields, 2);
    const char *from = lua_tostring(L, -2), *to = lua_tostring(L, -1);
    if (!from || !to || !*from)
        lesson_error(engine, replace->line, "replace needs two texts: replace { 'this', 'that' }");
    if (!strstr(lua_tostring(L, text), from))
        lesson_error(engine, replace->line, "replace: there is no %s in the solution; the first text must stand there as it is", from);
    luaL_gsub(L, lua_tostring(L, text), from, to);
    lua_replace(L, text);
    lua_settop(L, text);
}

static void push_solution(struct engine *engine, const struct step_def *step)
{
    push_field(engine->L, step, "solution");
}

/* The program of a mistake. */
static void push_mistake(struct engine *engine, const struct step_def *step, const struct part_def *part)
{
    lua_State *L = engine->L;
    lua_rawgeti(L, LUA_REGISTRYINDEX, part->ref);
    lua_getfield(L, -1, "by");
    lua_remove(L, -2);
    const struct construct *replace = construct_test(L, -1);
    if (!replace)
        return;
    int by = lua_gettop(L);
    lua_getiuservalue(L, by, 1);
    push_solution(engine, step);
    push_replaced(engine, replace, by + 1);
    lua_replace(L, by);
    lua_settop(L, by);
}

static const struct part_def *mistake_named(const struct step_def *step, const char *id)
{
    for (size_t i = 0; i < step->part_count; i++)
        if (!strcmp(step->parts[i].construct->id, id))
            return &step->parts[i];
    return NULL;
}

/* What the learner begins with. */
static void push_start(struct engine *engine, const struct step_def *step, int env)
{
    lua_State *L = engine->L;
    if (push_field(L, step, "start") != LUA_TNIL)
        return;
    lua_pop(L, 1);
    int broken = lua_gettop(L) + 1;
    if (push_field(L, step, "broken") == LUA_TNIL)
        lesson_error(engine, step->construct->line, "ask.code \"%s\" needs the field `broken` or `start`: what the learner begins with", step->construct->id);
    const struct part_def *part = lua_type(L, broken) == LUA_TSTRING ? mistake_named(step, lua_tostring(L, broken)) : NULL;
    if (!part) {
        formula_value(engine, step->construct, "broken", broken, env);
        part = lua_type(L, -1) == LUA_TSTRING ? mistake_named(step, lua_tostring(L, -1)) : NULL;
    }
    if (!part)
        lesson_error(engine, lesson_line(engine, step->construct, "broken"), "ask.code \"%s\": `broken` must come to the id of one of its mistakes",
                     step->construct->id);
    lua_settop(L, broken - 1);
    push_mistake(engine, step, part);
}

/* Pushes the function that does it right; `solution` is the stack index of the solution's. */
static void push_reference(struct engine *engine, const struct step_def *step, int env, int solution)
{
    lua_State *L = engine->L;
    if (push_field(L, step, "reference") == LUA_TNIL) {
        lua_pop(L, 1);
        lua_pushvalue(L, solution);
        return;
    }
    formula_value(engine, step->construct, "reference", lua_gettop(L), env);
    lua_remove(L, -2);
    if (!lua_isfunction(L, -1))
        lesson_error(engine, lesson_line(engine, step->construct, "reference"), "ask.code \"%s\": `reference` must come to a function, not a %s",
                     step->construct->id, luaL_typename(L, -1));
}

/* What the solution's functions are called by, and what probes are run with: pushed from `solution` on. */
struct bench {
    struct engine *engine;
    const struct step_def *step;
    int solution, reference, list; /* stack indices */
    const char *file, *function;
    uint64_t key;
};

static void bench_set_up(struct bench *bench, struct engine *engine, const struct step_def *step, int env)
{
    lua_State *L = engine->L;
    luaL_checkstack(L, 40, NULL);
    *bench = (struct bench){ .engine = engine, .step = step, .key = probes_key(engine, step) };
    push_solution(engine, step);
    int text = lua_gettop(L);
    const struct program *solution = program_push(engine, "solution", lua_tostring(L, text), NULL);
    bench->solution = lua_gettop(L);
    if (solution->error[0])
        lesson_error(engine, lesson_line(engine, step->construct, "solution"), "ask.code \"%s\": `solution`: %s", step->construct->id, solution->error);
    bench->function = scene_text(engine, solution->function);
    bench->file = arena_printf(engine->scene->arena, "%s.lua", solution->function);
    push_reference(engine, step, env, bench->solution);
    bench->reference = lua_gettop(L);
    push_field(L, step, "probes");
    bench->list = lua_gettop(L);
}

/* Runs the probes on the function at the top of the stack. */
static size_t bench_probe(struct bench *bench, struct probe_result **out)
{
    return probes_run(bench->engine, bench->step->construct, bench->list, lua_gettop(bench->engine->L), bench->reference, bench->key, out);
}

static const struct probe_result *first_failure(const struct probe_result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!results[i].passes)
            return &results[i];
    return NULL;
}

/* ---- the lesson's own programs ---- */

/* The program at the top of the stack must run, and fail a probe. */
static void check_fails(struct bench *bench, const struct construct *where, const char *field)
{
    struct engine *engine = bench->engine;
    struct probe_result *results;
    struct program *program = program_push(engine, bench->file, lua_tostring(engine->L, -1), bench->function);
    if (program->error[0])
        lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": its program does not run: %s", construct_name(where->kind), where->id,
                     program->error);
    size_t count = bench_probe(bench, &results);
    if (!first_failure(results, count))
        lesson_error(engine, lesson_line(engine, where, field), "%s \"%s\": its program passes every probe; add one that catches it", construct_name(where->kind), where->id);
    program_close(program);
}

void code_check(struct engine *engine, const struct step_def *step, int env)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    struct bench bench;
    struct probe_result *results;
    const char *id = step->construct->id;
    bench_set_up(&bench, engine, step, env);
    lua_pushvalue(L, bench.solution);
    size_t count = bench_probe(&bench, &results);
    const struct probe_result *failure = first_failure(results, count);
    if (failure)
        lesson_error(engine, lesson_line(engine, step->construct, "solution"), "ask.code \"%s\": the solution fails the probe `%s`: %s", id,
                     failure->id, failure->told);
    push_start(engine, step, env);
    if (push_field(L, step, "start") != LUA_TNIL)
        check_fails(&bench, step->construct, "start");
    lua_settop(L, bench.list);
    for (size_t i = 0; i < step->part_count; i++) {
        push_mistake(engine, step, &step->parts[i]);
        check_fails(&bench, step->parts[i].construct, "by");
        lua_settop(L, bench.list);
    }
    lua_settop(L, top);
}

/* ---- the learner's ---- */

void code_module(struct engine *engine)
{
    lua_getfield(engine->L, LUA_REGISTRYINDEX, MODULE);
}

/* The mistake whose program measures the same, or NULL. */
static const struct part_def *recognise(struct bench *bench, int env, const struct probe_result *results, size_t count)
{
    struct engine *engine = bench->engine;
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct part_def *found = NULL;
    for (size_t i = 0; i < bench->step->part_count && !found; i++) {
        const struct part_def *part = &bench->step->parts[i];
        struct probe_result *theirs;
        if (mistake_counts(engine, part, env)) {
            push_mistake(engine, bench->step, part);
            struct program *program = program_push(engine, bench->file, lua_tostring(L, -1), bench->function);
            bool same = bench_probe(bench, &theirs) == count;
            for (size_t n = 0; n < count && same; n++)
                same = probe_results_agree(&results[n], &theirs[n]);
            found = same ? part : NULL;
            program_close(program);
        }
        lua_settop(L, top);
    }
    return found;
}

/* A message as words: what Markdown would take for its own is a sign like any other; names stay in backquotes. */
static const char *words_of_error(struct engine *engine, const char *message)
{
    struct strbuf *out = strbuf_push(engine->L);
    for (; *message; message++)
        strbuf_addf(out, strchr("\\*[]<&", *message) ? "\\%c" : "%c", *message);
    const char *words = scene_text(engine, strbuf_string(out));
    lua_pop(engine->L, 1);
    return words;
}

static void judge_program(struct bench *bench, int facts, int env, const struct program *program, struct scene_question *out)
{
    struct engine *engine = bench->engine;
    struct arena *arena = engine->scene->arena;
    const struct probe_result *results = engine->probed;
    size_t count = engine->probed_count, passed = 0;
    if (program->error[0]) {
        out->verdict = VERDICT_UNREAD;
        out->say = words_of_error(engine, program->error);
        out->code->error_line = (uint32_t)program->error_line;
        return;
    }
    for (size_t i = 0; i < count; i++)
        passed += results[i].passes;
    out->said = arena_printf(arena, _("%zu of %zu probes pass"), passed, count);
    out->verdict = passed == count ? VERDICT_RIGHT : VERDICT_WRONG;
    if (out->verdict == VERDICT_RIGHT)
        return;
    const struct part_def *mistake = recognise(bench, env, results, count);
    if (mistake) {
        out->mistake = scene_text(engine, mistake->construct->id);
        out->say = mistake_words(engine, mistake, facts, 0, 0);
    } else {
        out->say = first_failure(results, count)->told;
    }
}

void judge_code(struct engine *engine, const struct step_def *step, int facts, int env, struct scene_question *out)
{
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    const struct request *request = engine->request;
    struct bench bench;
    bench_set_up(&bench, engine, step, env);
    push_start(engine, step, env);
    out->expects = _("a program that passes every probe");
    out->code = scene_zero(engine, 1, sizeof *out->code);
    out->code->name = bench.file;
    out->code->start = scene_text(engine, lua_tostring(L, -1));
    push_solution(engine, step);
    out->answer = scene_text(engine, lua_tostring(L, -1));
    out->code->text = request->give_up ? out->answer : request->answer ? scene_text(engine, request->answer) : out->code->start;
    const struct program *program = program_push(engine, bench.file, out->code->text, bench.function);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, MODULE);
    engine->probed_count = bench_probe(&bench, &engine->probed);
    if (request->answer && !request->give_up)
        judge_program(&bench, facts, env, program, out);
    lua_settop(L, top);
}

void code_declared(struct engine *engine, const struct step_def *step, int env, struct declared *out)
{
    lua_State *L = engine->L;
    push_solution(engine, step);
    declare(engine, out, "", lua_tostring(L, -1));
    lua_pop(L, 1);
    for (size_t i = 0; i < step->part_count; i++) {
        if (!mistake_counts(engine, &step->parts[i], env))
            continue;
        push_mistake(engine, step, &step->parts[i]);
        declare(engine, out, step->parts[i].construct->id, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
}
