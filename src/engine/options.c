/* Options and pieces: how they are shown. */
#include "engine/options.h"

void options_take(struct engine *engine, const struct step_def *step, struct options *out)
{
    *out = (struct options){ .part = scene_zero(engine, step->part_count, sizeof *out->part) };
    for (size_t i = 0; i < step->part_count; i++)
        if (step->parts[i].construct->kind == K_OPTION || step->parts[i].construct->kind == K_PIECE)
            out->part[out->count++] = &step->parts[i];
}

void options_shuffle(struct engine *engine, const struct step_def *step, struct options *options)
{
    struct random_stream random;
    uint64_t key = hash_text(hash_text(HASH_START, construct_origin(step->construct)), "options");
    random_start(&random, key ^ engine->request->seed, engine->request->attempt);
    for (size_t i = options->count; i > 1; i--) {
        size_t j = (size_t)random_integer(&random, 0, (int64_t)i - 1);
        const struct part_def *kept = options->part[j];
        options->part[j] = options->part[i - 1];
        options->part[i - 1] = kept;
    }
}

void options_show(struct engine *engine, const struct options *options, struct scene_question *out)
{
    out->options = scene_zero(engine, options->count, sizeof *out->options);
    out->option_count = options->count;
    for (size_t i = 0; i < options->count; i++)
        out->options[i] = (struct scene_option){ scene_text(engine, options->part[i]->construct->id), "" };
}

void options_fill(struct engine *engine, const struct options *options, int live_env, struct scene_question *out)
{
    lua_State *L = engine->L;
    for (size_t i = 0; i < options->count; i++) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, options->part[i]->ref);
        lua_rawgeti(L, -1, 1);
        out->options[i].text = words_fill(engine, options->part[i]->construct, "1", lua_tostring(L, -1), live_env);
        lua_pop(L, 2);
    }
}

const char *picks_words(struct engine *engine, const struct picks *picks, const struct scene_question *question, const char *between)
{
    struct strbuf *out = strbuf_push(engine->L);
    for (size_t i = 0; i < picks->count; i++)
        strbuf_addf(out, "%s%s", i ? between : "", question->options[picks->place[i]].text);
    const char *text = scene_text(engine, strbuf_string(out));
    lua_pop(engine->L, 1);
    return text;
}

const char *picks_ids(struct engine *engine, const struct picks *picks, const struct options *options)
{
    struct strbuf *out = strbuf_push(engine->L);
    for (size_t i = 0; i < picks->count; i++)
        strbuf_addf(out, "%s%s", i ? " " : "", options->part[picks->place[i]]->construct->id);
    const char *text = scene_text(engine, strbuf_string(out));
    lua_pop(engine->L, 1);
    return text;
}
