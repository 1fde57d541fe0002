/* Answers as a learner types them, and the verdict on each. */
#include "engine_help.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

/* What is typed, the mistake recognised in it, and words of what is said. */
#define R(typed) { typed, VERDICT_RIGHT, "", "" }
#define W(typed, mistake, say) { typed, VERDICT_WRONG, mistake, say }
#define U(typed, say) { typed, VERDICT_UNREAD, "", say }

static const char LESSON_TEXT[] = LESSON(
    "given = { x = 'tensor{ 1, 7, 9, 15 }', q = 'tensor{ 25, 4 }', eps = 1e-5, k = 3, n = 'tensor.zeros{ 0 }' },\n"
    "ask.number 'thirds' { text = '?', why = '{answer}', answer = '2/3',\n"
    "  mistake 'flip' { by = '3/2', say = 'upside down: {got|2}' },\n"
    "  mistake 'square' { by = '4/9', say = 'squared' },\n"
    "},\n"
    "ask.number 'named' { text = '?', why = '.', answer = 'sqrt(q[1] + eps)', places = 7, allow = { 'q', 'eps', 'k', 'n' },\n"
    "  mistake 'no-eps' { by = 'sqrt(q[1])', say = 'eps' } },\n"
    "ask.number 'whole' { text = '?', why = '.', answer = 'x:sum()',\n"
    "  mistake 'parted' { by = 'x:sum() / 3', say = 'parted' },\n"
    "  mistake 'never' { by = '31', say = 'never', when = 'k > 3' },\n"
    "  mistake 'mean' { by = 'x:mean()', say = 'mean', when = 'k == 3' } },\n"
    "ask.number 'digits' { text = '?', why = '.', answer = '1.23456e-7', digits = 3 },\n"
    "ask.number 'tolerance' { text = '?', why = '.', answer = '10', tolerance = 0.5 },\n"
    "ask.number 'no-places' { text = '?', why = '.', answer = '2.6', places = 0 },\n"
    "ask.number 'negative' { text = '?', why = '.', answer = '-0.99983333' },\n"
    "ask.number 'not-a-number' { text = '?', why = '.', answer = '0/0' },\n"
    "ask.number 'infinite' { text = '?', why = '.', answer = 'inf' },\n"
    "ask.number 'zero' { text = '?', why = '.', answer = '0', mistake 'one' { by = '1', say = '.' } },\n"
    "ask.number 'roots' { text = '?', why = '.', answer = '2', also = { '-2', function(d) return d.k + 0.5 end } },\n"
    "ask.number 'twins' { text = '?', why = '.', answer = '5', mistake 'a' { by = '1.21', say = 'a' }, mistake 'b' { by = '1.24', say = 'b' } },\n"
    "ask.tensor 'row' { text = '?', why = '.', answer = 'nn.layer_norm(tensor{ 1, 2, 3 })',\n"
    "  mistake 'sign' { by = '-nn.layer_norm(tensor{ 1, 2, 3 })', say = 'number {at}: {got[at]|3}' },\n"
    "  mistake 'rms' { by = 'nn.rms_norm(tensor{ 1, 2, 3 })', say = 'rms' },\n"
    "  mistake 'short' { by = 'tensor{ 9, 8 }', say = 'short' } },\n"
    "ask.tensor 'square' { text = '?', why = '.', answer = { { 1, 2 }, { 3, 4 } } },\n"
    "ask.tensor 'wide' { text = '?', why = '.', answer = { { 1, 2, 3 }, { 4, 5, 6 } } },\n"
    "ask.number 'many' { text = '?', why = '.', answer = '131072', mistake 'less' { by = '2 ^ 16', say = 'half' } },\n"
    "ask.number 'money' { text = '?', why = '.', answer = '123456.789', places = 2 },\n"
    "ask.number 'minus' { text = '?', why = '.', answer = '-1.4', mistake 'far' { by = '-1.449', say = 'far' } },\n"
    "ask.tensor 'signs' { text = '?', why = '.', answer = { 1, -2, 3 } },\n"
    "ask.tensor 'tall' { text = '?', why = '.', answer = { { 1, 2 }, { 3, 4 }, { 5, 6 } } },\n"
    "ask.tensor 'cube' { text = '?', why = '.', answer = { { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } } } },\n"
    "ask.tensor 'single' { text = '?', why = '.', answer = { 7 } },\n"
    "ask.tensor 'holes' { text = '?', why = '.', answer = 'tensor{ nan, inf, 1 }' },\n"
    "ask.tensor 'fives' { text = '?', why = '.', answer = 'q + eps', allow = { 'q', 'eps' }, places = 6 },\n"
    "ask.choice 'pick' { text = '?', why = '.', option 'a' { 'Alpha', say = 'not a' }, option 'b' { 'Beta {k}', right = 'k == 3', say = '.' },\n"
    "  option 'c' { 'Gamma', right = false, say = 'not c: {k}' } },\n"
    "ask.choice 'mixed' { text = '?', why = '.', shuffle = true, option 'a' { '1', say = '.' }, option 'b' { '2', right = true },\n"
    "  option 'c' { '3', say = '.' }, option 'd' { '4', say = '.' }, option 'e' { '5', say = '.' } },\n");

static struct engine *engine;

static int open_engine(void **state)
{
    (void)state;
    engine = help_engine();
    return 0;
}

static int close_engine(void **state)
{
    (void)state;
    engine_free(engine);
    return 0;
}

static struct scene *put(const char *step, const char *answer, const char *typed)
{
    struct request request = help_frame(LESSON_TEXT, step);
    request.answer = answer;
    request.typed = typed;
    struct scene *scene = engine_answer(engine, &request);
    assert_non_null(scene);
    if (scene->error)
        fail_msg("%s: `%s`: %s", step, answer ? answer : typed, scene->error);
    return scene;
}

struct answer {
    const char *typed;
    enum verdict verdict;
    const char *mistake, *say;
};

static const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = { "none", "right", "wrong", "unread" };
    return names[verdict];
}

static void judge(const char *step, const struct answer *answers, size_t count)
{
    size_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        const struct answer *answer = &answers[i];
        struct scene *scene = put(step, answer->typed, NULL);
        const struct scene_question *q = scene->step->question;
        bool good = q->verdict == answer->verdict;
        good = good && !strcmp(q->mistake, answer->mistake);
        good = good && strstr(q->say, answer->say);
        good = good && (q->verdict == VERDICT_RIGHT) == q->final && (q->verdict == VERDICT_RIGHT) == !*q->say;
        good = good && (q->verdict != VERDICT_UNREAD || !*q->said);
        if (!good) {
            print_error("%s: `%s`: %s, mistake \"%s\", \"%s\"; wanted %s, \"%s\", \"%s\"\n", step, answer->typed,
                        verdict_name(q->verdict), q->mistake, q->say, verdict_name(answer->verdict),
                        answer->mistake, answer->say);
            bad++;
        }
        scene_free(scene);
    }
    assert_int_equal(bad, 0);
}
#define JUDGE(step, ...) \
    judge(step, (const struct answer[]){ __VA_ARGS__ }, HELP_COUNT(((const struct answer[]){ __VA_ARGS__ })))

static void numbers_in_many_spellings(void **state)
{
    (void)state;
    JUDGE("thirds", R("2/3"), R(".667"), R("0.667"), R("0.6667"), R("0.66666666666667"),
          R("+0.667"), R("  0.667  "), R("0.667\r\n"), R("0.667\n"), R("\t0.667"), R("2 / 3"),
          R("(2/3)"), R("((2)/(3))"), R("4/6"), R("1-1/3"), R("1 - 1/3"), R("1 -1/3"),
          R("-(-2/3)"), R("--0.667"), R("6.67e-1"), R("6.67E-1"), R("6.67 e-1"), R("66.7e-2"),
          R("sqrt(4/9)"), R("sqrt (4/9)"), R("sqrt( 4 / 9 )"), R("exp(log(2/3))"), R("exp(ln(2/3))"),
          R("2*3^-1"), R("2*3**-1"), R("max(2/3, 0)"), R("min(2/3,1)"), R("abs(-2/3)"),
          R("sum(1/3, 1/3)"), R("1.0e0*2/3"), R("0*pi+2/3"));
}

static void characters_that_are_pasted(void **state)
{
    (void)state;
    JUDGE("thirds", R("2\xc3\xb7" "3") /* ÷ */, R("2\xe2\x81\x84" "3") /* fraction slash */, R("2\xe2\x88\x95" "3"),
          R("1\xe2\x88\x92" "1/3") /* minus */, R("1\xe2\x80\x93" "1/3") /* en dash */, R("\xe2\x80\x8b" "0.667\xe2\x80\x8b"),
          R("\xef\xbb\xbf" "0.667") /* byte order mark */, R("\xc2\xa0" "0.667\xc2\xa0"), R("\xe2\x80\xaf" "0.667"),
          R("\xe2\x80\xad" "0.667\xe2\x80\xac") /* direction marks */, R("\xe2\x81\xa6" "2/3\xe2\x81\xa9"),
          R("0\xef\xbc\x8e" "667") /* fullwidth */, R("\xef\xbc\x90.\xef\xbc\x96\xef\xbc\x96\xef\xbc\x97"),
          R("\xe2\x88\x9a(4/9)") /* √ */, R("2\xc2\xb7" "3^-1") /* middle dot */, R("2\xc3\x97(1/3)") /* × */,
          R("6/3\xc2\xb2") /* ² */, R("2\xc2\xb7" "3\xe2\x81\xbb\xc2\xb9") /* 2·3⁻¹ */, R("6.67\xc3\x97" "10\xe2\x81\xbb\xc2\xb9"), R("2/3\xc2\xb9"), U("\xc2\xb2", ""), U("2\xe2\x81\xbb", ""), U("\xe2\x88\x9a" "2", "sqrt("), U("\xc2\xbd", "character"),
          U("\x01", "character"), U("0.667\x1b[2J", "character"), U("\xff", "character"),
          U("2/3\xe2\x88", ""), U("\xf0\x9f\x98\x80", ""));
    JUDGE("negative", R("-0.99983333"), R("\xe2\x88\x92" "1.000"), R("\xe2\x80\x90" "1"), R("\xef\xbc\x8d" "1"),
          R("-0.9998"), W("0.9998", "", ""));
}

static void wrong_numbers(void **state)
{
    (void)state;
    JUDGE("thirds", W("1.5", "flip", "upside down: 1.50"), W("3/2", "flip", ""), W("1.500", "flip", ""), W("1.4999", "flip", ""),
          W("1.49", "", "1.49 is not it"), W("0.444", "square", ""), W("0.4444", "square", ""), W("0.44", "square", ""),
          W("0.4", "square", ""), W("4/9", "square", ""), W("0.67", "", "two decimals"), W("0.7", "", "Nearly"),
          W("0.66", "", "0.66 is not it"), W("-0.667", "", ""), W("0", "", "0 is not it"), W("1", "", ""),
          W("0.66700000001e3", "", ""), W("nan", "", "nan"), W("inf", "", "inf"), W("1/0", "", "inf"),
          W("0/0", "", "nan"), W("sqrt(-1)", "", "nan"), W("1e400", "", "inf"), W("1e99999999999999999999", "", ""),
          W("1e-99999999999999999999", "", ""), W("1e-2147483648", "", ""), W("1e-2147483649", "", ""), W("1e2147483647", "", ""),
          W("5e-324", "", ""), W("2e0/1.4", "", "1.429"));
}

static void lines_that_cannot_be_read(void **state)
{
    (void)state;
    JUDGE("thirds", U("", "Nothing"), U("   ", ""), U("\n\n", ""), U("0,667", "Does `0,667` mean 0.667?"),
          U("-0,5", "-0.5"), U("sqrt(0,444)", "Does `0,444` mean 0.444?"), U("2*0,333", "0.333"), U("max(0,667", "0.667"), U("1.234,5", "point"), U("abc", "`abc`"), U("x", ""),
          U("two", ""), U("2/", "ends"), U("/3", ""), U("(2/3", "`)`"), U("2/3)", "`)`"),
          U("2 3", ""), U("2/3 =", ""), U("= 2/3", ""), U("1.2.3", ""), U("0x10", "decimal"), U("1e", ""),
          U("1e5e5", ""), U("1_000", ""), U("2(3)", ""), U("2pi", "operator"), U("sqrt", ""), U("sqrt()", ""),
          U("sqrt(1, 2)", ""), U("sqrt 4", ""), U("mean(1, 2)", ""), U("foo(1)", "foo"), U("[1]", ""),
          U("1;2", ""), U("1, 2", "One number"), U("--", ""), U("+", ""), U(".", ""), U("%", ""),
          U("2 // 3", ""), U("2^", ""), U("os.exit()", ""), U("nn", ""), U("'2/3'", ""), U("0.667 or so", ""),
          U("~0.667", ""), U("\"", ""), U("2\\3", ""));
}

static void names_that_may_be_typed(void **state)
{
    (void)state;
    JUDGE("named", R("sqrt(q[1]+eps)"), R("sqrt(25 + 1e-5)"), R("sqrt(25+1 e-5)"), R("sqrt(25 + \xce\xb5)"),
          R("sqrt(max(q) + eps)"), R("sqrt(q[1] + eps) + 0*k"), W("5", "no-eps", ""), W("sqrt(q[1])", "no-eps", ""),
          W("5.0", "no-eps", ""), W("eps", "", ""), W("mean(n)", "", "nan"), U("q", "row of 2"),
          U("x", "you may use q, eps, k, n"), U("answer", ""), U("nn", ""), U("tensor", ""), U("q[0]", "1 to 2"),
          U("q[3]", ""), U("q[1", ""), U("q[]", ""), U("q[1.5]", ""), U("q[-1]", ""), U("q[99999999999999999999]", ""),
          U("k[1]", "no elements"), U("n[1]", ""), U("q + n", ""), U("q * q", ""), U("Q[1]", ""),
          U("q(1)", ""), W("max(n)", "", ""));
    struct scene *scene = put("named", NULL, NULL);
    const struct scene_question *q = scene->step->question;
    assert_int_equal(q->allow.count, 4);
    assert_string_equal(q->allow.item[0], "q");
    scene_free(scene);
}

static void whole_numbers_are_exact(void **state)
{
    (void)state;
    JUDGE("whole", R("32"), R("32.0"), R("32.000"), R("3.2e1"), R("64/2"), R("320e-1"),
          W("32.001", "", "32.001 is not it"), W("31.9996", "", "31.9996"), W("31", "", ""), W("33", "", ""),
          W("10.667", "parted", ""), W("10.7", "parted", ""), W("11", "parted", ""), W("10.6", "", ""), W("8", "mean", ""),
          W("8.0", "mean", ""));
    JUDGE("zero", R("0"), R("-0"), R("0.000"), W("1", "one", ""), W("0.001", "", ""), W("1e-5", "", ""));
}

static void digits_places_and_tolerance(void **state)
{
    (void)state;
    JUDGE("digits", R("1.23e-7"), R("1.235e-7"), R("1.23456e-7"), R("0.000000123"), W("1.2e-7", "", "three significant"),
          W("1.3e-7", "", ""), W("0", "", ""), W("1.23e-6", "", ""));
    JUDGE("tolerance", R("10"), R("10.5"), R("9.5"), W("10.51", "", ""), W("9", "", ""));
    JUDGE("no-places", R("3"), R("2.6"), R("2.2"), W("2", "", ""), W("3.2", "", ""));
    JUDGE("roots", R("2"), R("-2"), R("3.5"), W("3", "", ""));
    JUDGE("twins", W("1.2", "", ""), W("1.21", "a", ""), W("1.24", "b", ""), R("5"));
}

static void numbers_beyond_numbers(void **state)
{
    (void)state;
    JUDGE("not-a-number", R("nan"), R("NaN"), R("0/0"), R("inf-inf"), W("0", "", ""), W("inf", "", ""));
    JUDGE("infinite", R("inf"), R("Infinity"), R("\xe2\x88\x9e"), R("1/0"), W("-inf", "", ""), W("1e308", "", ""), W("nan", "", ""));
    JUDGE("holes", R("nan inf 1"), R("[NaN, Inf, 1]"), W("nan nan 1", "", "second"), W("0 inf 1", "", "first"));
}

static void rows_in_many_spellings(void **state)
{
    (void)state;
    JUDGE("row", R("[-1.225, 0, 1.225]"), R("-1.225 0 1.225"), R("-1.225, 0, 1.225"), R("-1.225,0,1.225"),
          R("(-1.225, 0, 1.225)"), R("{-1.225, 0, 1.225}"), R("[-1.225 0 1.225]"), R("[[-1.225, 0, 1.225]]"),
          R("[[[-1.225, 0, 1.225]]]"), R("-1.225; 0; 1.225"), R("-1.225\n0\n1.225"), R("[-1.225; 0; 1.225]"),
          R("[[-1.225], [0], [1.225]]"), R("[-1.225,\n 0,\n 1.225]"), R("[-1.225, 0, 1.225,]"), R("-1.225, 0, 1.225,"),
          R("  [ -1.225 , 0 , 1.225 ]  "), R("\xe2\x88\x92" "1.225 0 1.225"), R("-sqrt(3/2), 0, sqrt(3/2)"),
          R("-sqrt(3/2) 0 sqrt(3/2)"), R("[-1.2247449, 0, 1.2247449]"), R("-1.225\t0\t1.225"), R("-1.225 0.000 1.225\r\n"),
          R("[-1.225,\r\n0,\r\n1.225]\r\n"), R("-1.225 +0 1.225"), R("-1.225 -0 1.225"), R("-1.225 + 0, 0, 1.225"),
          R("-1.225\xef\xbc\x8c" "0\xef\xbc\x8c" "1.225"), R("max(-1.225, -2), 0, 1.225"), R("(-1.225) (0) (1.225)"),
          R("-(1.225), (1 - 1), 2.45 / 2"), R("\n-1.225 0 1.225\n\n"), R("-1.225 0 1.225 ;"));
    JUDGE("single", R("7"), R("[7]"), R("[[7]]"), R("7,"), R("(7)"), W("7 7", "", "2 numbers; 1 is"), W("6", "", ""));
    JUDGE("fives", R("q + eps"), R("[25.00001, 4.00001]"), R("q[1]+eps, q[2]+eps"), R("[q + eps]"), W("q", "", ""),
          U("x", ""), W("q q", "", "4 numbers; 2"), U("1 q", ""));
}

static void wrong_rows(void **state)
{
    (void)state;
    JUDGE("row", W("1.225 0 -1.225", "sign", "number 1: 1.225"), W("1.22, 0, -1.22", "sign", ""), W("1.2247449 0 -1.2247449", "sign", ""),
          W("0.463 0.926 1.389", "rms", ""), W("0.46 0.93 1.39", "rms", ""), W("9 8", "short", ""), W("-1.2 0 1.2", "", "Nearly"),
          W("-1.22 0.00 1.22", "", "two decimals; three"), W("-1.225 0", "", "You gave 2 numbers; 3 are asked for"),
          W("-1.225 0 1.225 0", "", "You gave 4 numbers"), W("-1.225 5 1.225", "", "The second number is not 5"),
          W("-1.225 0 1", "", "third"), W("0 0 0", "", "first"), W("nan nan nan", "", "nan"), W("-1.225 0 inf", "", "inf"),
          W("-1.225", "", "You gave 1 number;"));
}

static void rows_that_cannot_be_read(void **state)
{
    (void)state;
    JUDGE("row", U("", ""), U("[]", ""), U("[[]]", ""), U("[-1.225, 0, 1.225", "`]` is missing"),
          U("-1.225, 0, 1.225]", "closes what was not opened"), U("[-1.225, 0, 1.225)", ""), U("[,1]", ""), U("1,,2", "before a comma"),
          U(",1", ""), U(",", ""), U(";", ""), U("-1,225 0 1,225", "-1.225"), U("-1,225; 0; 1,225", "-1.225"),
          U("-1,225\n0\n1,225", "-1.225"), U("[-1,225 0 1,225]", "-1.225"), U("-1,225, 0, 1,225", "Is `-1,225` one number?"), U("[-1,225, 0,0, 1,225]", "-1.225"), U("-1,2, 0, 1,2", "-1.2"), U("1.2.3 0 1", ""), U("2(3) 1", ""),
          U("a b c", ""), U("[[1,2],[3]]", "2 and 1"), U("[1, [2, 3]]", ""), U("1 2 3 x", ""), U("-1.225 0 1.225 = y", ""),
          U("[1, 2, 3] 4", ""), U("[1,2,3]*2", ""), U("1..3", ""), U("tensor([-1.225, 0, 1.225])", ""), U("q", ""));
}

static void matrices(void **state)
{
    (void)state;
    JUDGE("square", R("1 2; 3 4"), R("1 2\n3 4"), R("1, 2\n3, 4"), R("[[1,2],[3,4]]"), R("[1,2;3,4]"),
          R("[1 2][3 4]"), R("{{1,2},{3,4}}"), R("((1,2),(3,4))"), R("[1,2],[3,4]"), R("[1,2]\n[3,4]"),
          R("[[1, 2],\n [3, 4]]\r\n"), R("[[[1,2],[3,4]]]"), W("1 2 3 4", "", "another shape; 2 by 2"), W("1 3; 2 4", "", "rows and columns have changed places"),
          W("1 2; 3 5", "", "Row 2: number 2 is not 5."),
          W("1 2", "", "2 numbers; 4"), U("1 2; 3", ""), U("1,2;3,4", "1.2"));
    JUDGE("wide", R("1 2 3\n4 5 6"), R("1,2,3\n4,5,6"), R("1,2,3;4,5,6"), R("[1,2,3],[4,5,6]"),
          W("1 2\n3 4\n5 6", "", ""), W("1 2 3 4 5 6", "", "shape"));
}

static void nearly_right(void **state)
{
    (void)state;
    JUDGE("thirds", W("0.666", "", "Nearly: right to two of three decimals."), W("0.669", "", "right to two of three"), R("0.6666"),
          W("0.660", "", "0.660 is not it"), W("-2/3", "", "Nearly: right but for the sign."), W("-0.667", "", "but for the sign"), W("-0.6", "", "is not it"));
    JUDGE("minus", R("-1.4"), R("-7/5"), R("\xe2\x88\x92" "1.4"), R("-1.400"), W("1.4", "", "Nearly: right but for the sign."), W("-1.403", "", "two of three"),
          W("-1.449", "far", ""), W("-1.45", "far", ""), W("-1", "", "-1 is not it"));
    JUDGE("digits", W("1.24e-7", "", "Nearly: right to two of three significant digits."), W("-1.23e-7", "", "sign"), W("1.29e-7", "", "is not it"));
    JUDGE("many", R("131072"), R("2^17"), R("1.31072e5"), R("131072.0"), W("131000", "", "Nearly: right as far as it goes; all its digits"), W("1.31e5", "", "Nearly"),
          W("1.3e5", "", "Nearly"), W("130000", "", "Nearly"), W("100000", "", "is not it"), W("1e5", "", "is not it"), W("131071", "", "131071 is not it"),
          W("132000", "", "is not it"), W("65536", "less", "half"), W("65500", "less", ""), W("6.6e4", "less", ""), W("7e4", "", ""), W("-131072", "", "sign"));
    JUDGE("money", R("123456.79"), R("123456.789"), W("123457", "", "Nearly: right as far as it goes; two decimals are asked for."), W("123456.8", "", "right to one decimal"),
          W("1.2346e5", "", "Nearly"), W("123000", "", "Nearly"), W("123456", "", "123456 is not it"), W("124000", "", ""));
    JUDGE("signs", R("1 -2 3"), W("-1 2 -3", "", "the signs, which are all the other way round"), W("1 2 3", "", "the sign of the second number"),
          W("-1 2 3", "", "the signs of two numbers"), W("1 2 4", "", "second number is not 2"), W("1 -2 -3", "", "the sign of the third number"));
    JUDGE("square", W("1,2,3,4", "", "another shape; 2 by 2 numbers"), W("[[1],[2],[3],[4]]", "", "another shape"), W("1 2 4 3", "", "The shape is another: 2 by 2"),
          W("-1 -2; -3 -4", "", "all the other way round"));
    JUDGE("tall", R("1 2\n3 4\n5 6"), R("{1,2},{3,4},{5,6}"), W("1 3 5; 2 4 6", "", "rows and columns"), W("1 2 3; 4 5 6", "", "Nearly: the right numbers in another shape; 3 by 2"),
          W("1 2; 3 4; 5 7", "", "Row 3: number 2 is not 7."), W("1 2; 3 4", "", "You gave 4 numbers; 6"));
    JUDGE("cube", R("[[[1,2],[3,4]],[[5,6],[7,8]]]"), R("{{{1,2},{3,4}},{{5,6},{7,8}}}"), W("1 2 3 4 5 6 7 8", "", "2 by 2 by 2"), W("[[[1,2],[3,4]],[[5,6],[7,9]]]", "", "Number 8 is not 9"));
    JUDGE("row", W("-1.22 0 1.228", "", "Nearly: right to two"), W("-1.22 0 1.23", "", "The first number is not -1.22."), W("-1.229 0 1.225", "", "right to two of three decimals"), W("-1.225 0 -1.225", "", "the sign of the third number"),
          W("-1.225; 0", "", "2 numbers"));
    JUDGE("holes", W("nan inf -1", "", "sign of the third"), W("nan -inf 1", "", "sign of the second"));
    JUDGE("zero", W("-1", "", "-1 is not it"));
}

/* Nothing that is said before the end has the right number in it. */
static void no_word_gives_it_away(void **state)
{
    (void)state;
    static const char *const typed[] = { "1", "2", "0", "-1.225 0 1.2", "1.225 0 -1.225", "-1.22 0 1.22", "1 2 3", "nan", "131000", "1e5", "-131072" };
    static const struct { const char *step, *right; } cases[] = { { "row", "1.225" }, { "row", "1.2247" }, { "many", "131072" }, { "thirds", "0.667" } };
    for (size_t i = 0; i < HELP_COUNT(typed); i++)
        for (size_t c = 0; c < HELP_COUNT(cases); c++) {
            struct scene *scene = put(cases[c].step, typed[i], NULL);
            const struct scene_question *q = scene->step->question;
            bool given = strstr(q->say, cases[c].right) && !strstr(typed[i], cases[c].right);
            if (given || *q->answer || *q->why || strstr(q->asked, cases[c].right))
                fail_msg("%s `%s`: %s", cases[c].step, typed[i], q->say);
            scene_free(scene);
        }
}

static void choices(void **state)
{
    (void)state;
    JUDGE("pick", R("b"), R("2"), R(" 2."), W("a", "a", "not a"), W("3", "c", "not c: 3"), W("c", "c", ""),
          U("", "one of the 3"), U("0", ""), U("4", ""), U("x", ""), U("B", ""), U("-1", ""), U("2x", ""),
          U("99999999999999999999999", ""));
    struct scene *scene = put("pick", "b", NULL);
    assert_string_equal(scene->step->question->said, "Beta 3");
    assert_string_equal(scene->step->question->answer, "Beta 3");
    scene_free(scene);
}

static void shuffled_choices_are_numbered_as_shown(void **state)
{
    (void)state;
    bool moved = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct request request = help_frame(LESSON_TEXT, "mixed");
        request.seed = seed;
        struct scene *scene = help_step(&request);
        assert_int_equal(scene->step->question->option_count, 5);
        unsigned seen = 0;
        char place[2] = "0";
        for (size_t i = 0; i < 5; i++) {
            const char *id = scene->step->question->options[i].id;
            seen |= 1u << (id[0] - 'a');
            moved = moved || id[0] != (char)('a' + i);
            if (id[0] == 'b')
                place[0] = (char)('1' + i);
        }
        assert_int_equal(seen, 31);
        scene_free(scene);
        request.answer = place;
        scene = help_step(&request);
        assert_int_equal(scene->step->question->verdict, VERDICT_RIGHT);
        scene_free(scene);
    }
    assert_true(moved);
}

static void what_is_typed_is_read_back(void **state)
{
    (void)state;
    static const struct { const char *step, *typed, *echo; bool unread; } cases[] = {
        { "thirds", "2/3", "= 0.6667", false },      { "thirds", "0.5", "", false },        { "thirds", " ", "", false },
        { "thirds", "2/", "the line ends", true },   { "thirds", "0,5", "0.5", true },      { "row", "-sqrt(3/2) 0 1.225", "= -1.225  0.000  1.225", false },
        { "row", "1 2", "(2 of 3)", false },         { "row", "[1, 2", "missing", true },   { "whole", "64/2", "= 32", false },
        { "pick", "a", "", false },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct scene *scene = put(cases[i].step, NULL, cases[i].typed);
        const struct scene_question *q = scene->step->question;
        if (!strstr(q->echo, cases[i].echo) || (!*cases[i].echo && *q->echo) || q->echo_unread != cases[i].unread)
            fail_msg("`%s`: \"%s\"", cases[i].typed, q->echo);
        assert_int_equal(q->verdict, VERDICT_NONE);
        assert_string_equal(q->answer, "");
        assert_string_equal(q->why, "");
        scene_free(scene);
    }
}

static void what_is_asked_is_said(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "thirds", "a number, three decimals" }, { "whole", "a whole number" }, { "digits", "a number, three significant digits" },
        { "row", "three numbers, three decimals" }, { "square", "2 by 2 numbers" }, { "pick", "one of these" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct scene *scene = put(cases[i][0], NULL, NULL);
        assert_string_equal(scene->step->question->expects, cases[i][1]);
        scene_free(scene);
    }
}

/* What the tutor gives as the answer is right when typed. */
static void the_answer_as_printed_is_right(void **state)
{
    (void)state;
    static const char *const source = LESSON(
        "ask.number 'a' { text = '?', why = '.', answer = '2/3' }, ask.number 'b' { text = '?', why = '.', answer = '1.2345678e-7', digits = 6 },\n"
        "ask.number 'c' { text = '?', why = '.', answer = 'pi', tolerance = 1e-6 }, ask.number 'd' { text = '?', why = '.', answer = '123456.789', places = 2 },\n"
        "ask.number 'e' { text = '?', why = '.', answer = '-2/3', places = 9 }, ask.number 'f' { text = '?', why = '.', answer = '12345678' },\n"
        "ask.number 'g' { text = '?', why = '.', answer = '9999.7', digits = 5 }, ask.number 'h' { text = '?', why = '.', answer = 'nan' },\n"
        "ask.tensor 'i' { text = '?', why = '.', answer = 'tensor{ 1/3, 100, 1e-3 }' }, ask.tensor 'j' { text = '?', why = '.', answer = '-nn.layer_norm(tensor{ 1, 2, 3 })' },\n"
        "ask.tensor 'k' { text = '?', why = '.', answer = '1e-6 * tensor{ 1.23456, 7, 9.876543 }', digits = 5 },\n"
        "ask.tensor 'l' { text = '?', why = '.', answer = { { 1, 2 }, { 3, 4.25 } } }, ask.number 'm' { text = '?', why = '.', answer = '-inf' },\n"
        "ask.tensor 'n' { text = '?', why = '.', answer = 'tensor{ 1e-4, 5 }' }, ask.number 'o' { text = '?', why = '.', answer = '1e-4', tolerance = 1e-5 },\n"
        "ask.number 'p' { text = '?', why = '.', answer = '1e12 + 0.5', places = 1 }, ask.number 'q' { text = '?', why = '.', answer = '6.02214076e23', digits = 9 },\n"
        "ask.tensor 'r' { text = '?', why = '.', answer = { { { 1, 2.5 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } } } },\n"
        "ask.tensor 's' { text = '?', why = '.', answer = { { { 1e-4, 2 } } }, digits = 3 },\n");
    for (char id[2] = "a"; id[0] <= 's'; id[0]++) {
        struct request request = help_frame(source, id);
        request.give_up = true;
        struct scene *scene = help_step(&request);
        struct request again = help_frame(source, id);
        again.answer = scene->step->question->answer;
        struct scene *judged = help_step(&again);
        if (judged->step->question->verdict != VERDICT_RIGHT)
            fail_msg("%s: `%s`: %s", id, again.answer, judged->step->question->say);
        scene_free(judged);
        scene_free(scene);
    }
}

static void every_prefix_gets_a_verdict(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "[[-1.225, 0, 1.225], [1e-5, 2/3, sqrt(25 + 1e-5)]]", "{ (1, 2), (nan, inf); -1.5 }\n3 4", "max(1, min(2, 3)) ** -2 + q[1] * eps", "-1,225 0 1,225",
        ("\xe2\x88\x92" "1.5\xc2\xa0\xef\xbc\x90\xe2\x88\x9a(2)\xc2\xb2"),
    };
    static const char *const steps[] = { "thirds", "named", "row", "square", "fives", "pick" };
    for (size_t i = 0; i < HELP_COUNT(lines); i++)
        for (size_t length = 0; length <= strlen(lines[i]); length++)
            for (size_t s = 0; s < HELP_COUNT(steps); s++) {
                char *line = strndup(lines[i], length);
                struct scene *scene = put(steps[s], line, line);
                const struct scene_question *q = scene->step->question;
                assert_int_not_equal(q->verdict, VERDICT_NONE);
                assert_true(q->verdict == VERDICT_RIGHT || *q->say);
                struct strbuf bytes = help_bytes(scene);
                strbuf_free(&bytes);
                scene_free(scene);
                free(line);
            }
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void huge_lines_are_answered_soon(void **state)
{
    (void)state;
    static const struct { const char *part; size_t times; } lines[] = {
        { "1+", 2047 }, { "1+", 60000 }, { "(", 4096 }, { "[", 4096 }, { "{", 4000 }, { "-", 4096 }, { "1,", 2048 }, { "[1]", 1024 }, { "[1],", 1024 },
        { "[[1]]", 800 }, { "sqrt(", 800 }, { ";", 4096 }, { "1;", 2048 }, { "\n", 4096 }, { "2^", 2048 }, { "[1 ", 1300 }, { "max(1,", 600 }, { "9", 4096 },
        { ".", 4096 }, { "1 e", 1300 }, { "\xe2\x88\x9a", 1300 }, { "q", 4096 }, { "((1,2),", 500 }, { " ", 4096 }, { "(1,", 1300 }, { "0,0 ", 1000 },
    };
    for (size_t i = 0; i < HELP_COUNT(lines); i++) {
        struct strbuf line = { 0 };
        for (size_t n = 0; n < lines[i].times; n++)
            strbuf_add(&line, lines[i].part);
        double begun = seconds_now();
        static const char *const steps[] = { "named", "row", "pick" };
        for (size_t s = 0; s < HELP_COUNT(steps); s++) {
            struct scene *scene = put(steps[s], line.text, line.text);
            assert_true(scene->step->question->verdict == VERDICT_WRONG || scene->step->question->verdict == VERDICT_UNREAD);
            struct strbuf bytes = help_bytes(scene);
            assert_true(bytes.length < 200000);
            strbuf_free(&bytes);
            scene_free(scene);
        }
        if (seconds_now() - begun > 0.5)
            fail_msg("`%s` %zu times took %g s", lines[i].part, lines[i].times, seconds_now() - begun);
        strbuf_free(&line);
    }
}

/* Lines put together from pieces that mean something: each gets a verdict. */
static void soup_gets_a_verdict(void **state)
{
    (void)state;
    static const char *const pieces[] = { "1", "2.5", "0,5", "e-5", "1e9", ".", ",", ";", "\n", " ", " ", "(", ")", "[", "]", "{", "}", "+", "-", "*", "/", "^",
                                          "**", "sqrt(", "max(", "mean(", "q", "q[1]", "q[", "eps", "nan", "inf", "pi", "abc", "\xe2\x88\x92", "\xe2\x88\x9a",
                                          "\xc2\xb2", "\t", "\r\n", "\xff", "0x", "_", "=", "[1,2]", "k", "n" };
    static const char *const steps[] = { "named", "fives", "square", "pick" };
    uint32_t noise = 12345;
    for (int i = 0; i < 20000; i++) {
        char line[256] = "";
        size_t count = 1 + (noise >> 5) % 14;
        for (size_t n = 0; n < count; n++) {
            noise = noise * 1664525u + 1013904223u;
            strcat(line, pieces[(noise >> 8) % HELP_COUNT(pieces)]);
        }
        struct scene *scene = put(steps[i % 4], line, NULL);
        enum verdict verdict = scene->step->question->verdict;
        if (verdict == VERDICT_NONE || (verdict != VERDICT_RIGHT && !*scene->step->question->say))
            fail_msg("`%s`: %s", line, scene->step->question->say);
        scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_many_spellings),
        cmocka_unit_test(characters_that_are_pasted),
        cmocka_unit_test(wrong_numbers),
        cmocka_unit_test(lines_that_cannot_be_read),
        cmocka_unit_test(names_that_may_be_typed),
        cmocka_unit_test(whole_numbers_are_exact),
        cmocka_unit_test(digits_places_and_tolerance),
        cmocka_unit_test(numbers_beyond_numbers),
        cmocka_unit_test(rows_in_many_spellings),
        cmocka_unit_test(wrong_rows),
        cmocka_unit_test(rows_that_cannot_be_read),
        cmocka_unit_test(matrices),
        cmocka_unit_test(nearly_right),
        cmocka_unit_test(no_word_gives_it_away),
        cmocka_unit_test(choices),
        cmocka_unit_test(shuffled_choices_are_numbered_as_shown),
        cmocka_unit_test(what_is_typed_is_read_back),
        cmocka_unit_test(what_is_asked_is_said),
        cmocka_unit_test(the_answer_as_printed_is_right),
        cmocka_unit_test(every_prefix_gets_a_verdict),
        cmocka_unit_test(huge_lines_are_answered_soon),
        cmocka_unit_test(soup_gets_a_verdict),
    };
    return cmocka_run_group_tests(tests, open_engine, close_engine);
}
