/* Runs a lesson or course file and takes what it returns. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "engine/translation.h"

void *scene_zero(struct engine *engine, size_t count, size_t size)
{
    void *made = arena_zero(engine->scene->arena, count ? count : 1, size);
    if (!made)
        luaL_error(engine->L, "out of memory");
    return made;
}

void *scene_room(struct engine *engine, void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    *room = *room ? 2 * *room : 16;
    void *moved = scene_zero(engine, *room, size);
    if (count)
        memcpy(moved, list, count * size);
    return moved;
}

const char *scene_text(struct engine *engine, const char *text)
{
    const char *copy = arena_text(engine->scene->arena, text ? text : "");
    if (!copy)
        luaL_error(engine->L, "out of memory");
    return copy;
}

/* ---- errors with a place ---- */

int lesson_error(struct engine *engine, int line, const char *format, ...)
{
    struct error err;
    va_list args;
    va_start(args, format);
    error_setv(&err, format, args);
    va_end(args);
    if (engine->translated)
        line = (int)translation_line(engine, engine->translated);
    const char *file = engine->translated ? TRANSLATION_MARK : engine->request->file;
    if (line > 0)
        lua_pushfstring(engine->L, "%s:%d: %s", file, line, err.text);
    else
        lua_pushfstring(engine->L, "%s: %s", file, err.text);
    return lua_error(engine->L);
}

int raise_words(lua_State *L, const char *format, ...)
{
    va_list args;
    luaL_where(L, 1);
    va_start(args, format);
    lua_pushvfstring(L, language_say(format), args);
    va_end(args);
    lua_concat(L, 2);
    return lua_error(L);
}

static bool starts_field(const char *at, const char *start, const char *field, size_t length)
{
    if (strncmp(at, field, length) || (at > start && (at[-1] == '_' || at[-1] == '.' || (at[-1] >= 'a' && at[-1] <= 'z'))))
        return false;
    at += length;
    at += strspn(at, " \t\"']");
    return at[0] == '=' && at[1] != '=';
}

/* Where, from the line on and within the construct, the field is first given a value, and on which line; NULL where it is not. */
static const char *find_field(struct engine *engine, const struct construct *construct, int *line, const char *field, size_t length)
{
    const char *at = engine->request->source, *end = at + engine->request->source_length, *start = at;
    int from = *line, last = construct->line + 200;
    *line = 1;
    for (; at < end && *line < from; at++)
        *line += *at == '\n';
    for (size_t i = 0; i < engine->lesson.step_count; i++) /* not past the next step */
        if (engine->lesson.steps[i].construct->line > construct->line && engine->lesson.steps[i].construct->line <= last)
            last = engine->lesson.steps[i].construct->line;
    for (; at < end && *line <= last; at++) {
        if (*at == '\n')
            ++*line;
        else if (starts_field(at, start, field, length))
            return at + length;
    }
    *line = from;
    return NULL;
}

/* The line of an entry, counted from 1, of the list that the field before `at` has; `line` where there is none. */
static int entry_line(const char *at, int line, long entry)
{
    int depth = 0, now = line;
    at += strspn(at, " \t\"']=");
    for (bool list = *at == '{'; list && *at;) {
        const char *after = skip_quoted(at);
        bool remark = after && *at == '-';
        if (depth == 1 && entry == 1 && !remark && !strchr(" \t\r\n", *at))
            return now;
        if (!after && strchr("{([", *at))
            depth++;
        else if (!after && strchr("})]", *at))
            list = --depth > 0;
        else if (depth == 1 && (*at == ',' || *at == ';'))
            entry--;
        for (after = after ? after : at + 1; at < after; at++)
            now += *at == '\n';
    }
    return line;
}

const char *field_entry(struct engine *engine, const char *field, size_t entry)
{
    const char *name = arena_printf(engine->scene->arena, "%s.%zu", field, entry);
    return name ? name : field;
}

int lesson_line(struct engine *engine, const struct construct *construct, const char *field)
{
    int line = construct->line;
    size_t length = strcspn(field, ".");
    const char *at = find_field(engine, construct, &line, field, length);
    return at && field[length] ? entry_line(at, line, atol(field + length + 1)) : line;
}

int name_line(struct engine *engine, const struct construct *construct, const char *field, const char *name)
{
    int line = lesson_line(engine, construct, field);
    find_field(engine, construct, &line, name, strlen(name));
    return line;
}

/* ---- modules ---- */

static int no_new_global(lua_State *L)
{
    return luaL_error(L, "a lesson sets no globals; write `local %s = …`", lua_tostring(L, 2));
}

/* use "blocks": runs shared/blocks.lua once. */
static int use(lua_State *L)
{
    struct engine *engine = engine_of(L);
    const char *name = luaL_checkstring(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.modules");
    if (lua_getfield(L, -1, name) != LUA_TNIL) {
        if (lua_isboolean(L, -1))
            return luaL_error(L, "shared/%s.lua uses itself", name);
        return 1;
    }
    lua_pop(L, 1);
    const char *text = NULL;
    const char **names = lua_newuserdatauv(L, (engine->request->shared_count + 1) * sizeof *names, 0);
    for (size_t i = 0; i < engine->request->shared_count; i++) {
        names[i] = engine->request->shared[i].name;
        if (!strcmp(names[i], name))
            text = engine->request->shared[i].text;
    }
    if (!text) {
        const char *near = nearest_name(name, names, engine->request->shared_count);
        return luaL_error(L, near ? N_("there is no shared/%s.lua; did you mean `%s`?") : N_("there is no shared/%s.lua beside this lesson"), name, near);
    }
    lua_pop(L, 1);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, name);
    lua_pushfstring(L, "@shared/%s.lua", name);
    if (luaL_loadbufferx(L, text, strlen(text), lua_tostring(L, -1), "t") != LUA_OK)
        return lua_error(L);
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.file_globals");
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1))
        return luaL_error(L, "shared/%s.lua returns nothing", name);
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, name);
    return 1;
}

static void open_state(struct engine *engine)
{
    lua_State *L = engine->L;
    sandbox_open(L);
    int globals = lua_gettop(L);
    lua_pushnil(L);
    lua_setfield(L, globals, "print"); /* lessons show, they do not print */
    bind_constructors(L, globals);
    lua_pushcfunction(L, use);
    lua_setfield(L, globals, "use");
    bind_files(L, globals);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushvalue(L, globals);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, no_new_global);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, "normtutor.file_globals"); /* as files see them: nothing can be assigned */
    lua_setfield(L, LUA_REGISTRYINDEX, "normtutor.globals");
    static const char *const tables[] = { "normtutor.modules", "normtutor.compiled", "normtutor.memo" };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        lua_newtable(L);
        lua_setfield(L, LUA_REGISTRYINDEX, tables[i]);
    }
}

/* Runs the request's file; leaves the construct it returns on the stack. */
static struct construct *run_file(struct engine *engine, enum construct_kind wanted)
{
    lua_State *L = engine->L;
    const struct request *request = engine->request;
    lua_pushfstring(L, "@%s", FILE_MARK);
    if (luaL_loadbufferx(L, request->source, request->source_length, lua_tostring(L, -1), "t") != LUA_OK) {
        const char *hint = syntax_hint(engine, lua_tostring(L, -1));
        if (hint)
            lua_pushfstring(L, "%s; %s", lua_tostring(L, -1), hint);
        lua_error(L);
    }
    lua_getfield(L, LUA_REGISTRYINDEX, "normtutor.file_globals");
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 1);
    struct construct *construct = construct_test(L, -1);
    engine->line = construct ? construct->line : 0;
    if (!construct || construct->kind != wanted) {
        const char *what = construct_name(wanted);
        if (construct)
            lesson_error(engine, construct->line, "the file returns %s \"%s\", not a %s", construct_name(construct->kind), construct->id, what);
        lesson_error(engine, 1, "the file must return its %s: return %s \"id\" { … }; it returns a %s", what, what, luaL_typename(L, -1));
    }
    return construct;
}

/* Reference to the fields of the construct at the top, which is popped and kept alive. */
static int take_fields(lua_State *L)
{
    lua_getiuservalue(L, -1, 1);
    lua_insert(L, -2);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX); /* fields -> construct, so that it stays */
    lua_pop(L, 1);
    return luaL_ref(L, LUA_REGISTRYINDEX);
}

static void *lesson_zero(struct engine *engine, size_t count, size_t size)
{
    void *made = arena_zero(engine->lesson.arena, count ? count : 1, size);
    if (!made)
        luaL_error(engine->L, "out of memory");
    return made;
}

/* The parts of the fields at the top: checks that only `allowed` kinds stand there. */
static size_t count_parts(struct engine *engine, const struct construct *owner, bool (*allowed)(enum construct_kind), const char *what)
{
    lua_State *L = engine->L;
    size_t count = lua_rawlen(L, -1);
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        struct construct *part = construct_test(L, -1);
        if (!part)
            lesson_error(engine, owner->line, "part %zu of %s \"%s\" is a %s; %s may stand there", i, construct_name(owner->kind),
                         owner->id, luaL_typename(L, -1), what);
        if (!allowed(part->kind))
            lesson_error(engine, part->line, "%s may not stand in %s \"%s\"; %s may", construct_name(part->kind),
                         construct_name(owner->kind), owner->id, what);
        lua_pop(L, 1);
    }
    return count;
}

static bool in_lesson(enum construct_kind kind)
{
    return kind == K_STEP || is_question(kind);
}

static bool in_question(enum construct_kind kind)
{
    return kind == K_MISTAKE;
}

static bool in_choice(enum construct_kind kind)
{
    return kind == K_OPTION;
}

static bool in_order(enum construct_kind kind)
{
    return kind == K_PIECE || kind == K_MISTAKE;
}

static bool nowhere(enum construct_kind kind)
{
    (void)kind;
    return false;
}

static void take_parts(struct engine *engine, struct step_def *step)
{
    lua_State *L = engine->L;
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->ref);
    enum construct_kind kind = step->construct->kind;
    if (kind == K_STEP)
        step->part_count = count_parts(engine, step->construct, nowhere, "nothing");
    else if (kind == K_CHOICE)
        step->part_count = count_parts(engine, step->construct, in_choice, "option");
    else if (kind == K_ORDER)
        step->part_count = count_parts(engine, step->construct, in_order, _("piece and mistake"));
    else
        step->part_count = count_parts(engine, step->construct, in_question, "mistake");
    step->parts = lesson_zero(engine, step->part_count, sizeof *step->parts);
    for (size_t i = 0; i < step->part_count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        step->parts[i].construct = construct_test(L, -1);
        if (step->parts[i].construct->kind == K_MISTAKE && (kind == K_CODE || kind == K_ORDER))
            step->parts[i].construct->kind = kind == K_CODE ? K_CODE_MISTAKE : K_ORDER_MISTAKE;
        step->parts[i].ref = take_fields(L);
        for (size_t j = 0; j < i; j++)
            if (!strcmp(step->parts[j].construct->id, step->parts[i].construct->id))
                lesson_error(engine, step->parts[i].construct->line, "the id \"%s\" is used twice in %s \"%s\", first on line %d; each part needs one of its own",
                             step->parts[i].construct->id, construct_name(kind), step->construct->id, step->parts[j].construct->line);
    }
    lua_pop(L, 1);
}

void lesson_unload(struct engine *engine)
{
    arena_free(engine->lesson.arena);
    engine->lesson = (struct lesson){ 0 };
    engine->loaded = engine->console = 0;
    if (engine->L)
        lua_close(engine->L);
    engine->L = NULL;
}

/* Eight bytes at a time: this is done for every frame. */
static uint64_t hash_source(uint64_t hash, const char *bytes, size_t length)
{
    uint64_t word;
    for (; length >= sizeof word; length -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash_bytes(hash, bytes, length);
}

static uint64_t fingerprint(const struct request *request)
{
    uint64_t hash = hash_text(HASH_START, request->file) ^ request->seed; /* a seed's numbers are checked while loading */
    hash = hash_text(hash, request->course);
    hash = hash_source(hash, request->source, request->source_length);
    for (size_t i = 0; i < request->shared_count; i++) {
        hash = hash_text(hash, request->shared[i].name);
        hash = hash_source(hash, request->shared[i].text, strlen(request->shared[i].text) + 1);
    }
    for (size_t i = 0; i < request->file_count; i++)
        hash = hash_text(hash_text(hash, request->files[i].name), request->files[i].stamp);
    if (request->translation)
        hash = hash_source(hash_text(hash, request->translation->file), request->translation->text, request->translation->length);
    return hash ? hash : 1;
}

bool lesson_is_loaded(const struct engine *engine, const struct request *request)
{
    return engine->loaded && engine->loaded == fingerprint(request);
}

void lesson_load(struct engine *engine)
{
    lua_State *L = engine->L;
    open_state(engine);
    engine->lesson.arena = arena_new();
    if (!engine->lesson.arena)
        luaL_error(L, "out of memory");
    engine->lesson.construct = run_file(engine, K_LESSON);
    construct_seal(engine);
    engine->lesson.ref = take_fields(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, engine->lesson.ref);
    check_format(engine, engine->lesson.construct, lua_gettop(L));
    files_take(engine);
    size_t count = count_parts(engine, engine->lesson.construct, in_lesson, _("step and ask.…"));
    if (!count)
        lesson_error(engine, engine->lesson.construct->line, "the lesson has no step");
    struct step_def *steps = lesson_zero(engine, count, sizeof *steps);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        steps[i].construct = construct_test(L, -1);
        steps[i].ref = take_fields(L);
        for (size_t j = 0; j < i; j++)
            if (!strcmp(steps[j].construct->id, steps[i].construct->id))
                lesson_error(engine, steps[i].construct->line, "the id \"%s\" is used twice, first on line %d; each step needs one of its own", steps[i].construct->id,
                             steps[j].construct->line);
    }
    lua_pop(L, 1);
    engine->lesson.steps = steps;
    engine->lesson.step_count = count;
    former_take(engine);
    for (size_t i = 0; i < count; i++)
        take_parts(engine, &steps[i]);
    check_lesson(engine);
    if (engine->request->kind != REQUEST_TRANSLATE)
        translation_take(engine, engine->lesson.construct, 0);
}

void lesson_keep(struct engine *engine)
{
    engine->loaded = fingerprint(engine->request);
}

/* ---- course.lua ---- */

static const char *course_text(struct engine *engine, const char *field)
{
    lua_State *L = engine->L;
    lua_getfield(L, -1, field);
    const char *text = lua_type(L, -1) == LUA_TSTRING ? scene_text(engine, lua_tostring(L, -1)) : "";
    lua_pop(L, 1);
    return text;
}

void course_load(struct engine *engine)
{
    lua_State *L = engine->L;
    open_state(engine);
    struct construct *construct = run_file(engine, K_COURSE);
    construct_seal(engine);
    lua_getiuservalue(L, -1, 1);
    check_format(engine, construct, lua_gettop(L));
    check_kind_fields(engine, construct, lua_gettop(L));
    if (engine->request->kind == REQUEST_TRANSLATE) {
        translation_renew(engine, construct, lua_gettop(L));
        return;
    }
    translation_take(engine, construct, lua_gettop(L));
    struct scene_course *course = scene_zero(engine, 1, sizeof *course);
    course->id = scene_text(engine, construct->id);
    course->title = course_text(engine, "title");
    course->author = course_text(engine, "author");
    course->licence = course_text(engine, "licence");
    course->version = course_text(engine, "version");
    course->language = course_text(engine, "language");
    course->sources = scene_texts(engine, lua_gettop(L), "sources");
    course->report = course_text(engine, "report");
    lua_getfield(L, -1, "lessons");
    course->lessons.count = lua_rawlen(L, -1);
    if (!course->lessons.count)
        lesson_error(engine, lesson_line(engine, construct, "lessons"), "course \"%s\": `lessons` lists none", construct->id);
    course->lessons.item = scene_zero(engine, course->lessons.count, sizeof *course->lessons.item);
    for (size_t i = 0; i < course->lessons.count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        const char *name = lua_tostring(L, -1);
        if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(name) || !*name)
            lesson_error(engine, lesson_line(engine, construct, "lessons"), "the lesson \"%s\" is not a file's name without .lua (a-z, 0-9 and -)", name);
        for (size_t j = 0; j < i; j++)
            if (!strcmp(course->lessons.item[j], name))
                lesson_error(engine, lesson_line(engine, construct, "lessons"), "the lesson \"%s\" is listed twice", name);
        course->lessons.item[i] = scene_text(engine, name);
        lua_pop(L, 1);
    }
    lua_pop(L, 3);
    engine->scene->course = course;
}
