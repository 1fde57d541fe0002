/* One call of a module, and what it came to. */
#include "engine/probe_call.h"
#include "base/language.h"

#include <math.h>
#include <string.h>

static const double EPS = 1e-5;

/* ---- inputs ---- */

/* Steps of about 2 in any order, stretched and moved: no row is nearly constant, no two are alike. */
void probe_row_draw(float *row, size_t features, struct random_stream *random)
{
    double middle = 8 * random_uniform(random) - 4, stretch = 1 + 2 * random_uniform(random);
    for (size_t i = 0; i < features; i++)
        row[i] = (float)(middle + stretch * (2 * (double)i - (double)(features - 1) + 1.2 * random_uniform(random) - 0.6));
    for (size_t i = features - 1; i > 0; i--) {
        size_t j = (size_t)random_integer(random, 0, (int64_t)i);
        float other = row[i];
        row[i] = row[j];
        row[j] = other;
    }
}

void probe_input_draw(struct probe_input *in, struct random_stream *random, size_t batch, size_t tokens, size_t features)
{
    in->extents[0] = batch;
    in->extents[1] = tokens;
    in->extents[2] = features;
    in->eps = EPS;
    for (size_t row = 0; row < batch * tokens; row++)
        probe_row_draw(in->x + row * features, features, random);
    for (size_t i = 0; i < features; i++) {
        in->scale[i] = 1;
        in->bias[i] = 0;
    }
}

static void fill_tensor(struct engine *engine, struct tensor **out, int rank, const size_t *extents, const float *values)
{
    struct error err;
    if (tensor_new(out, &engine->memory, rank, extents, NULL, &err))
        raise_error(engine->L, &err);
    size_t count = tensor_count(*out);
    for (size_t i = 0; i < count; i++)
        tensor_set_flat(*out, i, values[i]);
}

static void read_tensor(const struct tensor *x, double *out)
{
    size_t count = tensor_count(x);
    for (size_t i = 0; i < count; i++)
        out[i] = (double)tensor_get_flat(x, i);
}

/* ---- calling ---- */

const char *probe_message(struct engine *engine)
{
    lua_State *L = engine->L;
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : _("an error that is not a text");
    static const char own[] = FILE_MARK ":", formula[] = FORMULA_MARK ":";
    const char *words = strncmp(text, formula, strlen(formula)) ? NULL : strstr(text, ": ");
    text = words ? words + 2 : text;
    bool placed = !strncmp(text, own, strlen(own));
    text = placed ? arena_printf(engine->scene->arena, "%s%s", engine->request->file, text + strlen(FILE_MARK)) : scene_text(engine, text);
    lua_pop(L, 1);
    return text ? text : _("out of memory");
}

const char *probe_odd(struct engine *engine, int index)
{
    lua_State *L = engine->L;
    const struct tensor *x = tensor_test(L, index);
    char shape[TENSOR_SHAPE_TEXT];
    if (x)
        return arena_printf(engine->scene->arena, _("a tensor of shape %s"), tensor_shape_text(x, shape));
    if (lua_isnoneornil(L, index))
        return _("nothing");
    return arena_printf(engine->scene->arena, "a %s", luaL_typename(L, index));
}

/* The right result. What the lesson's engine asks for it gets, or ends: nothing is lost by an error in between. */
static void call_core(struct engine *engine, const struct probe_input *in, double *y)
{
    struct tensor *x, *scale, *bias;
    struct error err;
    fill_tensor(engine, &x, 3, in->extents, in->x);
    fill_tensor(engine, &scale, 1, in->extents + 2, in->scale);
    fill_tensor(engine, &bias, 1, in->extents + 2, in->bias);
    struct tensor_norm_options options = { .axes = (tensor_axes)1 << 2, .eps = in->eps, .scale = scale, .bias = bias };
    struct tensor_norm norm;
    int status = layer_norm(&norm, x, &options, &err);
    tensor_free(x);
    tensor_free(scale);
    tensor_free(bias);
    if (status)
        raise_error(engine->L, &err);
    read_tensor(norm.y, y);
    tensor_free(norm.y);
    tensor_free(norm.mean);
    tensor_free(norm.var);
    tensor_free(norm.rstd);
}

bool probe_call(struct probe_callee *callee, const struct probe_input *in, double y[PROBE_ELEMENTS], double *x_after)
{
    struct engine *engine = callee->engine;
    lua_State *L = engine->L;
    int top = lua_gettop(L);
    callee->odd = callee->error = NULL;
    if (!callee->function) {
        call_core(engine, in, y);
        return true;
    }
    struct tensor **x = tensor_push(L);
    fill_tensor(engine, x, 3, in->extents, in->x);
    lua_pushvalue(L, callee->function);
    lua_pushvalue(L, top + 1);
    fill_tensor(engine, tensor_push(L), 1, in->extents + 2, in->scale);
    fill_tensor(engine, tensor_push(L), 1, in->extents + 2, in->bias);
    lua_pushnumber(L, in->eps);
    int status = lua_pcall(L, 4, 1, 0);
    const struct tensor *made = status == LUA_OK ? tensor_test(L, -1) : NULL;
    if (status != LUA_OK) {
        callee->error = probe_message(engine);
        callee->odd = _("an error");
    } else if (!made || !tensor_same_shape(made, *x)) {
        callee->odd = probe_odd(engine, lua_gettop(L));
    } else {
        read_tensor(made, y);
    }
    if (x_after)
        read_tensor(*x, x_after);
    lua_settop(L, top);
    tensor_made(L);
    return !callee->odd;
}

/* ---- results ---- */

double probe_moved(const double *before, const double *after, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(before[i]) || !isfinite(after[i]))
            return fabs(isfinite(before[i]) ? after[i] : before[i]);
        most = fmax(most, fabs(after[i] - before[i]));
    }
    return most;
}

bool probe_within(double got, double want, double tolerance)
{
    return got == want || (isnan(got) && isnan(want)) || fabs(got - want) <= tolerance * fmax(1, fabs(want));
}

bool probe_compare(const double *got, const double *want, size_t count, double tolerance, size_t *at)
{
    const double ahead = 1.001; /* so that rounding does not choose between two that are as bad */
    double worst = 0;
    *at = count - 1;
    for (size_t i = count; i-- > 0;) {
        if (probe_within(got[i], want[i], tolerance))
            continue;
        double difference = fabs(got[i] - want[i]);
        difference = isnan(difference) ? (double)INFINITY : difference;
        if (difference > ahead * worst) {
            worst = difference;
            *at = i;
        }
    }
    return worst == 0;
}

void probe_texts(struct probe_result *out, struct engine *engine, double got, double want)
{
    enum { ALL_DIGITS = 9 };
    char yours[NUMBER_TEXT], should[NUMBER_TEXT];
    number_text(yours, got);
    number_text(should, want);
    if (!out->passes && !strcmp(yours, should)) {
        number_digits(yours, got, ALL_DIGITS);
        number_digits(should, want, ALL_DIGITS);
    }
    out->should = scene_text(engine, should);
    out->yours = out->passes ? out->should : scene_text(engine, yours);
}
