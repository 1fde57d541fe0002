/* The engine's door: a request in, a scene out, whatever happens in between. */
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "engine/console.h"
#include "engine/translation.h"
#include "engine/typed.h"

static const size_t OUTPUT_DEFAULT = (size_t)256 << 10;
enum { WORDS_MAX = 4000 /* bytes of an error */, PLACE_TEXT = 1024 };

int engine_new(struct engine **out, const struct engine_limits *limits, struct error *err)
{
    struct engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return error_set(err, _("out of memory"));
    if (limits)
        engine->limits = *limits;
    if (!engine->limits.output)
        engine->limits.output = OUTPUT_DEFAULT;
    *out = engine;
    return 0;
}

void engine_free(struct engine *engine)
{
    if (!engine)
        return;
    lesson_unload(engine);
    strbuf_free(&engine->output);
    free(engine);
}

static int engine_version(lua_State *L)
{
    lua_pushfstring(L, "%s, tensors: %s", LUA_RELEASE, tensor_processor_path());
    return 1;
}

/* What it returns is printed. */
static void evaluate(struct engine *engine)
{
    lua_State *L = engine->L;
    const struct request *request = engine->request;
    typing_open(L);
    int env = lua_gettop(L);
    lua_pushcfunction(L, engine_version);
    lua_setfield(L, env - 1, "engine_version");
    lua_getfield(L, env, "print");
    typed_run(L, request->source, request->source_length, "@" FILE_MARK, env, lua_gettop(L), 0);
}

static bool file_is_course(const char *file)
{
    const char *slash = strrchr(file, '/');
    return !strcmp(slash ? slash + 1 : file, "course.lua");
}

static int answer(lua_State *L)
{
    struct engine *engine = engine_of(L);
    const struct request *request = engine->request;
    luaL_checkstack(L, 100, NULL);
    switch (request->kind) {
    case REQUEST_COURSE:
        course_load(engine);
        break;
    case REQUEST_EVAL:
        evaluate(engine);
        break;
    case REQUEST_TRANSLATE:
        if (file_is_course(request->file)) {
            course_load(engine);
        } else {
            lesson_load(engine);
            translation_renew(engine, engine->lesson.construct, 0);
        }
        break;
    case REQUEST_LINE:
        console_line(engine);
        break;
    case REQUEST_LESSON:
    case REQUEST_FRAME:
    case REQUEST_CHECK:
        if (!engine->loaded) {
            lesson_load(engine);
            if (!engine->lesson.awaits_files) {
                check_facts(engine);
                lesson_keep(engine);
            }
        }
        outline_fill(engine);
        if (request->kind == REQUEST_FRAME && !engine->lesson.awaits_files)
            frame_fill(engine);
        if (request->kind == REQUEST_CHECK && !engine->lesson.awaits_files)
            examine_fill(engine);
        break;
    }
    return 0;
}

void text_unmark(const struct engine *engine, struct strbuf *out, const char *text, size_t length)
{
    const char *file = engine->request->file ? engine->request->file : "";
    for (const char *at = text; at < text + length; at++) {
        if (!strncmp(at, FILE_MARK ":", 2))
            strbuf_add(out, file);
        else if (!strncmp(at, FORMULA_MARK ":", 2))
            strbuf_add(out, "formula");
        else if (engine->request->translation && !strncmp(at, TRANSLATION_MARK ":", 2))
            strbuf_add(out, engine->request->translation->file);
        else
            strbuf_addn(out, at, 1);
    }
}

static void add_place(const struct engine *engine, struct strbuf *out)
{
    char place[PLACE_TEXT];
    engine_place(engine, place, sizeof place);
    strbuf_add(out, place);
}

/* The length of the text, or how much of it is shown. */
static size_t cut(const char *text)
{
    size_t length = strlen(text);
    if (length <= WORDS_MAX)
        return length;
    for (length = WORDS_MAX; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;)
        length--;
    return length;
}

/* An error's words with the place in front: a module lies beside the file; what has no place has the file at least. */
static const char *placed_words(struct engine *engine, const char *text)
{
    const char *file = engine->request->file ? engine->request->file : "", *slash = strrchr(file, '/');
    struct strbuf out = { 0 };
    bool module = !strncmp(text, "shared/", 7);
    if (module && slash)
        strbuf_addn(&out, file, (size_t)(slash - file) + 1);
    else if (!module && strncmp(text, FILE_MARK ":", 2) && strncmp(text, TRANSLATION_MARK ":", 2) && strncmp(text, file, strlen(file)))
        add_place(engine, &out);
    size_t length = cut(text);
    text_unmark(engine, &out, text, length);
    if (text[length])
        strbuf_add(&out, "…");
    const char *words = out.failed ? NULL : arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    return words ? words : _("out of memory");
}

static const char *output_text(struct engine *engine)
{
    struct strbuf out = { 0 };
    text_unmark(engine, &out, strbuf_string(&engine->output), engine->output.length);
    const char *text = out.failed ? NULL : arena_text(engine->scene->arena, strbuf_string(&out));
    strbuf_free(&out);
    return text;
}

struct scene *engine_answer(struct engine *engine, const struct request *request)
{
    struct arena *arena = arena_new();
    struct scene *scene = arena ? arena_zero(arena, 1, sizeof *scene) : NULL;
    if (!scene) {
        arena_free(arena);
        return NULL;
    }
    scene->arena = arena;
    scene->number = request->number;
    engine->scene = scene;
    engine->request = request;
    engine->line = 0;
    engine->translated = NULL;
    strbuf_clear(&engine->output);
    bool lesson = request->kind == REQUEST_LESSON || request->kind == REQUEST_FRAME || request->kind == REQUEST_CHECK;
    bool stands = request->kind == REQUEST_LINE ? console_stands(engine, request) : lesson && lesson_is_loaded(engine, request);
    if (!stands)
        lesson_unload(engine);
    if (!engine->L && !(engine->L = state_new(engine))) {
        scene->error = _("out of memory");
        return scene;
    }
    lua_State *L = engine->L;
    state_arm(engine);
    lua_pushcfunction(L, answer);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
        const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : _("an error that is not a text");
        bool loading = !engine->loaded && (lesson || request->kind == REQUEST_COURSE);
        const char *newer = loading ? newer_format(engine) : NULL;
        scene->error = newer ? newer : placed_words(engine, text);
        lua_settop(L, 0);
        if (!engine->loaded && (scene->typed == TYPED_LOST || scene->typed == TYPED_COLD))
            lesson_unload(engine);
    }
    if (request->kind == REQUEST_EVAL || request->kind == REQUEST_LINE)
        scene->output = output_text(engine);
    if (request->kind == REQUEST_EVAL || (request->kind != REQUEST_LINE && scene->scratch)) /* code of nobody knows whom has run there */
        lesson_unload(engine);
    engine->scene = NULL;
    engine->request = NULL;
    return scene;
}
