/* nn.dropout and tensor.broadcast in Lua, and dropout in the core. */
#include "engine_help.h"
#include "tensor_help.h"

#include <stdlib.h>

/* ---- the core; PyTorch's numbers are in test_tensor_torch.c ---- */

static void keeps_and_scales(void **state)
{
    (void)state;
    struct tensor *x = row_of(.5f, -.5f, 1, 0), *numbers = row_of(.5f, .1f, .49999f, 0);
    struct tensor_dropout out;
    static const struct { double rate; float y[4], mask[4]; } cases[] = {
        { 0, { .5f, -.5f, 1, 0 }, { 1, 1, 1, 1 } }, /* 0 drops nothing, not even where the number is 0 */
        { .5, { 1, 0, 0, 0 }, { 1, 0, 0, 0 } },
        { .2, { .625f, 0, 1.25f, 0 }, { 1, 0, 1, 0 } },
        { .75, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        ok(tensor_dropout(&out, x, numbers, cases[i].rate, err));
        for (size_t e = 0; e < 4; e++) {
            assert_true(tensor_get_flat(out.y, e) == cases[i].y[e]);
            assert_true(tensor_get_flat(out.mask, e) == cases[i].mask[e]);
        }
        assert_string_equal(tensor_axis_name(out.y, 0), "feature");
        tensor_free(out.y);
        tensor_free(out.mask);
    }
    tensor_free(x);
    tensor_free(numbers);
}

static void refuses(void **state)
{
    (void)state;
    struct tensor *x = row_of(1, 2, 3), *numbers = row_of(0, .5f, 1), *other = zeros(EXTENTS(1, 3)), *odd = row_of(0, 1.5f, 0),
                  *nan_row = row_of(0, 0, NAN), *below = row_of(-.1f, 0, 0);
    struct tensor_dropout out = { 0 };
    refused("the rate of dropout lies from 0 up to 1, without 1: it is 1", tensor_dropout(&out, x, numbers, 1, err));
    refused("the rate of dropout lies from 0 up to 1, without 1: it is -0.1", tensor_dropout(&out, x, numbers, -.1, err));
    refused("the rate of dropout lies from 0 up to 1, without 1: it is nan", tensor_dropout(&out, x, numbers, (double)NAN, err));
    refused("random has the shape (1,3), and what is dropped from (3,): they must be the same", tensor_dropout(&out, x, other, .5, err));
    refused("random holds numbers from 0 to 1; element 2 is 1.5", tensor_dropout(&out, x, odd, .5, err));
    refused("random holds numbers from 0 to 1; element 3 is nan", tensor_dropout(&out, x, nan_row, .5, err));
    refused("random holds numbers from 0 to 1; element 1 is -0.1", tensor_dropout(&out, x, below, .5, err));
    assert_null(out.y);
    struct tensor *const all[] = { x, numbers, other, odd, nan_row, below };
    for (size_t i = 0; i < HELP_COUNT(all); i++)
        tensor_free(all[i]);
}

/* Memory that fails at each point in turn leaves nothing behind (the sanitizer tells). */
struct failing {
    size_t calls, fail_at, bytes;
};

static void *resize_or_fail(void *context, void *block, size_t old_size, size_t new_size)
{
    struct failing *failing = context;
    if (new_size && ++failing->calls == failing->fail_at)
        return NULL;
    failing->bytes = failing->bytes - old_size + new_size;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

static void memory_fails(void **state)
{
    (void)state;
    size_t failed = 0;
    for (size_t at = 1; at < 10; at++) {
        struct failing failing = { 0 };
        const struct tensor_memory memory = { resize_or_fail, &failing };
        struct tensor *x;
        struct tensor_dropout out = { 0 };
        struct error why;
        ok(tensor_new(&x, &memory, 2, (size_t[]){ 2, 3 }, NULL, err));
        failing.calls = 0;
        failing.fail_at = at;
        if (tensor_dropout(&out, x, x, .5, &why)) {
            assert_non_null(strstr(why.text, "out of memory"));
            assert_null(out.y);
            failed++;
        }
        tensor_free(out.y);
        tensor_free(out.mask);
        tensor_free(x);
        assert_int_equal(failing.bytes, 0);
    }
    assert_int_equal(failed, 4);
}

/* A view is read where it lies, and a large tensor on several threads. */
static void any_layout(void **state)
{
    (void)state;
    struct tensor *x = normals(EXTENTS(3, 200, 300), 1, 0, 1), *numbers = zeros(EXTENTS(200, 300)), *part;
    struct random_stream random;
    random_start(&random, 2, 0);
    for (size_t i = 0; i < tensor_count(numbers); i++)
        tensor_set_flat(numbers, i, (float)random_uniform(&random));
    ok(tensor_at(&part, x, 1, err));
    struct tensor_dropout out;
    size_t kept = 0;
    ok(tensor_threads_start(2, err));
    ok(tensor_dropout(&out, part, numbers, .3, err));
    tensor_threads_stop();
    for (size_t i = 0; i < tensor_count(part); i++) {
        bool stays = (double)tensor_get_flat(numbers, i) >= .3;
        float want = stays ? (float)((double)tensor_get_flat(part, i) / .7) : 0;
        assert_true(tensor_get_flat(out.y, i) == want);
        kept += stays;
    }
    assert_in_range(kept, 41000, 43000);
    tensor_free(out.y);
    tensor_free(out.mask);
    tensor_free(part);
    tensor_free(numbers);
    tensor_free(x);
}

/* ---- Lua ---- */

static void assert_prints(const char *source, const char *want)
{
    struct request request = help_request(REQUEST_EVAL, source);
    request.file = "try";
    struct scene *scene = help_ask(&request);
    assert_string_equal(scene->error ? scene->error : scene->output, want);
    scene_free(scene);
}

static void in_lua(void **state)
{
    (void)state;
    assert_prints("local u, numbers = tensor { .5, -.5, 1, 0 }, tensor { .9, .1, .2, .4 }\n"
                  "local y, mask = nn.dropout(u, { rate = .5, random = numbers })\n"
                  "print(tensor { 1, 2, 3, 4 } + y, mask, u)",
                  "[2, 2, 3, 4]\t[1, 0, 0, 0]\t[0.5, -0.5, 1.0, 0.0]\n");
    static const struct { const char *call, *words; } cases[] = {
        { "tensor { 1 }", "dropout needs { rate = …, random = … }, not a nil value" },
        { "tensor { 1 }, .5", "dropout needs { rate = …, random = … }, not a number" },
        { "tensor { 1 }, { random = tensor { .5 } }", "the rate of dropout must be a number, not a nil value" },
        { "tensor { 1 }, { rate = '.5', random = tensor { .5 } }", "the rate of dropout must be a number, not a string" },
        { "tensor { 1 }, { rate = .5 }", "random must be the `random` of `data`, or a tensor of numbers from 0 to 1, not a nil value" },
        { "tensor { 1 }, { rate = .5, random = { .5 } }", "random must be the `random` of `data`, or a tensor of numbers from 0 to 1, not a table" },
        { "tensor { 1 }, { rate = 1.5, random = tensor { .5 } }", "the rate of dropout lies from 0 up to 1, without 1: it is 1.5" },
        { "tensor { 1, 2 }, { rate = .5, random = tensor { .5 } }", "random has the shape (1,), and what is dropped from (2,): they must be the same" },
        { "tensor { 1 }, { rat = .5 }", "unknown option of dropout `rat`; did you mean `rate`?" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        char source[500], want[500];
        snprintf(source, sizeof source, "print(select(2, pcall(nn.dropout, %s)))", cases[i].call);
        snprintf(want, sizeof want, "%s\n", cases[i].words);
        assert_prints(source, want);
    }
    assert_prints("nn.dropout(tensor { 1 }, {})", "try:1: the rate of dropout must be a number, not a nil value");
}

/* A stream's luck is the lesson's own: the same for each visit, another for another seed; a knob turns the rate on one luck. */
static void of_a_stream(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "data = function(random)\n"
        "  local y, mask = nn.dropout(tensor.ones { 100, 100 }, { rate = .3, random = random })\n"
        "  return { y = y, mask = mask, luck = random:uniform { 50 }, x = tensor.ones { 50 } }\n"
        "end, define = { kept = function(x, rate, luck) local y, mask = nn.dropout(x, { rate = rate, random = luck }) return mask end },\n"
        "step 's' { text = '{mask:mean()|3} {y:max()} {y:sum()} {kept(x, rate, luck):sum()} {(kept(x, rate, luck) - kept(x, .1, luck)):max()}',\n"
        "  knobs = { knob.linear 'rate' { 0.1, 0.9 } } }");
    char text[3][200];
    double before = 51;
    for (int i = 0; i < 3; i++) {
        struct request request = help_frame(source, "s");
        request.seed = i == 2 ? 8 : 7;
        struct scene *scene = help_step(&request);
        snprintf(text[i], sizeof text[i], "%s", scene->step->text);
        double kept = strtod(text[i], NULL);
        assert_true(kept > .68 && kept < .72);
        assert_non_null(strstr(text[i], " 1.429 "));
        scene_free(scene);
    }
    assert_string_equal(text[0], text[1]);
    assert_string_not_equal(text[0], text[2]);
    for (int i = 1; i <= 9; i++) { /* what a higher rate keeps, a lower one kept */
        struct setting rate = { "rate", SETTING_NUMBER, i / 10.0, false, NULL };
        struct request request = help_frame(source, "s");
        request.settings = &rate;
        request.setting_count = 1;
        struct scene *scene = help_step(&request);
        double kept, more;
        assert_int_equal(sscanf(scene->step->text, "%*s %*s %*s %lf %lf", &kept, &more), 2);
        assert_true(kept <= before && more <= 0);
        before = kept;
        scene_free(scene);
    }
}

static void broadcasts(void **state)
{
    (void)state;
    assert_prints("local x = tensor.zeros { 2, 3, 4 }\n"
                  "print(tensor.broadcast({ 2, 3, 4 }, { 2, 3, 3 }), tensor.broadcast({ 2, 3, 4 }, { 2, 3, 1 }), tensor.broadcast(x, { 4 }),\n"
                  "  tensor.broadcast({ 3, 1 }, x), tensor.broadcast(x, x:mean('token')), tensor.broadcast({ 1 }, { 5 }))\n"
                  "local s = tensor.broadcast({ 2, 3, 4 }, { 2, 3, 1 })\n"
                  "print(s == { 2, 3, 4 }, s == x.shape, s == { 2, 3, 1 }, s == 'error', tensor.broadcast({ 2 }, { 3 }) == 'error', #s, s[3])\n"
                  "print(tensor.broadcast({ 1000000, 1000000, 1 }, { 1000000 }), tensor.broadcast(x:mean('feature').shape, { 0 }))",
                  "error\t(2, 3, 4)\t(2, 3, 4)\t(2, 3, 4)\t(2, 3, 4)\t(5,)\n"
                  "true\ttrue\tfalse\tfalse\ttrue\t3\t4\n"
                  "(1000000, 1000000, 1000000)\t(2, 3, 0)\n");
    static const struct { const char *call, *words; } cases[] = {
        { "2, { 3 }", "tensor.broadcast needs two tensors or shapes, not a number" },
        { "{ 3 }", "tensor.broadcast needs two tensors or shapes, not a nil value" },
        { "{ 3 }, '(2, 3)'", "tensor.broadcast needs two tensors or shapes, not a string" },
        { "{ 3, 1.5 }, { 3 }", "size 2 of the shape is not a whole number from 0 on" },
        { "{ -1 }, { 3 }", "size 1 of the shape is not a whole number from 0 on" },
        { "{ { 1 } }, { 3 }", "size 1 of the shape is not a whole number from 0 on" },
        { "{}, { 3 }", "a shape has 1 to 8 sizes, not 0" },
        { "{ 3 }, { 1, 1, 1, 1, 1, 1, 1, 1, 1 }", "a shape has 1 to 8 sizes, not 9" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        char source[500], want[500];
        snprintf(source, sizeof source, "print(select(2, pcall(tensor.broadcast, %s)))", cases[i].call);
        snprintf(want, sizeof want, "%s\n", cases[i].words);
        assert_prints(source, want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_and_scales), cmocka_unit_test(refuses), cmocka_unit_test(memory_fails), cmocka_unit_test(any_layout),
        cmocka_unit_test(in_lua),           cmocka_unit_test(of_a_stream), cmocka_unit_test(broadcasts),
    };
    return cmocka_run_group_tests_name("dropout and broadcasting", tests, NULL, NULL);
}
