/* Types, casts and chosen arithmetic in Lua: the figures of the lesson on precision, and what is refused. */
#include "engine_help.h"

static void shows(const char *holes, const char *text)
{
    char source[2048];
    snprintf(source, sizeof source, LESSON("step 'a' { text = [[%s]] }"), holes);
    struct request request = help_frame(source, NULL);
    struct scene *scene = help_step(&request);
    if (strcmp(scene->step->text, text))
        fail_msg("\"%s\" and not \"%s\", from %s", scene->step->text, text, holes);
    scene_free(scene);
}

static void refuse(const char *formula, const char *words)
{
    char source[2048], wanted[400];
    snprintf(source, sizeof source, LESSON("step 'a' { text = [[{%s}]] }"), formula);
    snprintf(wanted, sizeof wanted, "lessons/try.lua:3: step \"a\": `text`: %s", words);
    struct request request = help_frame(source, NULL);
    struct scene *scene = help_ask(&request);
    if (!scene->error || strcmp(scene->error, wanted))
        fail_msg("\"%s\" and not \"%s\", from %s", scene->error ? scene->error : "no error", wanted, formula);
    scene_free(scene);
}

static void a_tensor_has_a_type(void **state)
{
    (void)state;
    shows("{tensor{1, 2}.type} {tensor{1, 2}:cast('float16').type} {tensor{1, 2}:cast('bfloat16'):cast('float32').type}", "float32 float16 float32");
    shows("{tensor{1, 2049}:cast('float16')} {tensor{1, 257}:cast('bfloat16')} {tensor{1, 2}}", "[1, 2048] float16 [1, 256] bfloat16 [1, 2]");
    shows("{tensor.zeros{20}:cast('float16')} {tensor.zeros{0}:cast('float16')}", "tensor (20,) float16 tensor (0,) float16");
    shows("{tensor{65519, 65520, -70000}:cast('float16')} {(tensor{1}:cast('float16') / 0)[1]}", "[65504, inf, -inf] float16 inf");
    shows("{(tensor{2048}:cast('float16') + 1)[1]} {(tensor{2048}:cast('float16') + tensor{1})[1]}", "2048 2049");
    shows("{(tensor{1}:cast('float16') + tensor{1}:cast('bfloat16')).type} {(tensor{1}:cast('float16') * 2).type} {sqrt(tensor{4}:cast('bfloat16'))}",
          "float32 float16 [2] bfloat16");
    shows("{tensor{{1, 2}, {3, 4}}:cast('float16'):mean('token')} {tensor{1, 2}:cast('float16')[2]}", "[[2, 3]] float16 2");
    shows("{tensor{1, 2}:cast('float16'):with({ 1 }, 4097)}", "[4096, 2] float16");
}

static void the_lesson_s_figures(void **state)
{
    (void)state;
    shows("{tensor.ones{4096}:sum(nil, { accumulate = 'float16' })} {tensor.ones{4096}:sum()} {tensor.ones{4096}:mean(nil, { accumulate = 'float16' })}", "2048 4096 0.5");
    shows("{tensor.ones{4096}:cast('float16'):sum('all', { accumulate = 'float16' })}", "[2048] float16");
    shows("{tensor{1e-8}:cast('float16')}", "[0] float16");
    shows("{tensor{40000, 40001, 40002, 40003}:var(nil, { method = 'one-pass', accumulate = 'float32' })}", "-128");
    shows("{tensor{40000, 40001, 40002, 40003}:std(nil, { method = 'one-pass', accumulate = 'float32' })}", "nan");
    shows("{tensor{40000, 40001, 40002, 40003}:var(nil, { method = 'two-pass', accumulate = 'float32' })} "
          "{tensor{40000, 40001, 40002, 40003}:var(nil, { method = 'welford', accumulate = 'float32' })} "
          "{tensor{40000, 40001, 40002, 40003}:var(nil, { method = 'one-pass' })} {tensor{40000, 40001, 40002, 40003}:var()}", "1.25 1.25 1.25 1.25");
    shows("{nn.rms_norm(tensor{300, 100, -200, 50}:cast('float16'), { accumulate = 'float16' })}", "[0, 0, 0, 0] float16");
    shows("{nn.rms_norm(tensor{300, 100, -200, 50}, { accumulate = 'float32' })|3}", "[1.589, 0.530, -1.060, 0.265]");
    shows("{nn.layer_norm(tensor{5, 5, 5}, { eps = 1e-8, accumulate = 'float16' })[1]} {nn.layer_norm(tensor{5, 5, 5}, { eps = 1e-5, accumulate = 'float16' })[1]}", "nan 0");
    shows("{nn.layer_norm(tensor{40000, 40001, 40002, 40003}, { method = 'one-pass', accumulate = 'float32' })[1]} "
          "{nn.layer_norm(tensor{40000, 40001, 40002, 40003}, { method = 'welford', accumulate = 'float32' })[1]|3}", "nan -1.342");
    shows("{tensor{1, 2, 3, 4}:var(nil, { unbiased = true, method = 'welford' })} {tensor{{1, 3}, {5, 9}}:var('feature', { accumulate = 'bfloat16' })}", "1.667 [[1], [4]]");
}

static void what_is_refused(void **state)
{
    (void)state;
    refuse("tensor{1}:cast('half')", "no type \"half\": there are float32, float16, bfloat16 and float64");
    refuse("tensor{1}:cast('float64')", "a tensor is kept as float32, float16 or bfloat16: float64 is for computing");
    refuse("tensor{1}:cast(16)", "what a tensor is cast to is the name of a type, \"float16\", and not a number");
    refuse("tensor{1}:cast()", "what a tensor is cast to is the name of a type, \"float16\", and not a nil value");
    refuse("tensor{1}:sum(nil, { accumulate = 16 })", "accumulate is the name of a type, \"float16\", and not a number");
    refuse("tensor{1}:sum(nil, { method = 'welford' })", "unknown option of a sum or mean `method`; there is accumulate");
    refuse("tensor{1}:var(nil, { accumulator = 'float16' })", "unknown option of a variance `accumulator`; did you mean `accumulate`?");
    refuse("tensor{1}:var(nil, { method = 'threepass' })", "no method \"threepass\": there are two-pass, one-pass and welford");
    refuse("tensor{1}:std(nil, { method = 2 })", "method is \"two-pass\", \"one-pass\" or \"welford\", and not a number");
    refuse("nn.rms_norm(tensor{1}, { method = 'welford' })", "unknown option `method`; there are axes, eps, scale, bias, accumulate");
    refuse("nn.layer_norm(tensor{1}, { accumulate = 'f16' })", "no type \"f16\": there are float32, float16, bfloat16 and float64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tensor_has_a_type),
        cmocka_unit_test(the_lesson_s_figures),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests_name("precision", tests, NULL, NULL);
}
