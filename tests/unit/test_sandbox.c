/* What Lua code may do: the allow-list alone, without the cage around the process. */
#include "engine_help.h"

#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct scene *evaluate(const char *source)
{
    struct request request = help_request(REQUEST_EVAL, source);
    request.file = "try.lua";
    return help_ask(&request);
}

static void prints(const char *source, const char *output)
{
    struct scene *scene = evaluate(source);
    if (scene->error || strcmp(scene->output, output))
        fail_msg("%s\nprints %s%s\nnot %s", source, scene->output, scene->error ? scene->error : "", output);
    scene_free(scene);
}

/* The error is said at line 1, or as `begins` says. */
static void raises(const char *source, const char *begins, const char *words)
{
    struct scene *scene = evaluate(source);
    if (!scene->error || strncmp(scene->error, begins, strlen(begins)) || !strstr(scene->error, words))
        fail_msg("%.200s\nraises %s\nnot %s…%s", source, scene->error ? scene->error : "nothing", begins, words);
    for (const char *at = scene->error; *at; at++)
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
    scene_free(scene);
}

static void what_there_is_not(void **state)
{
    (void)state;
    static const char *const names[] = {
        "io", "os", "debug", "load", "loadstring", "loadfile", "dofile", "require", "package", "collectgarbage", "coroutine", "next", "rawset", "rawget",
        "xpcall", "warn", "_G", "_ENV._G", "string.dump", "string.pack", "string.unpack", "string.packsize", "table.move", "math.random", "math.randomseed",
        "setfenv", "getfenv", "newproxy", "unpack", "use", "lesson", "step", "ask", "knob", "view",
    };
    for (size_t i = 0; i < HELP_COUNT(names); i++) {
        char source[100];
        snprintf(source, sizeof source, "print(%s)", names[i]);
        raises(source, "try.lua:1: ", "unknown name `");
        snprintf(source, sizeof source, "\n\nreturn %s(1)", names[i]);
        raises(source, "try.lua:3: ", "unknown name `");
    }
}

static void what_there_is(void **state)
{
    (void)state;
    prints("print(nn.layer_norm(tensor{1,2,3}))", "[-1.225, 0.000, 1.225]\ttable\n");
    prints("print((nn.layer_norm(tensor{1,2,3})))", "[-1.225, 0.000, 1.225]\n");
    prints("x = 5 y = x + 1 print(x, y)", "5\t6\n");
    prints("print(('ab'):rep(3), ('x'):upper(), #'abc', ('%d'):format(3))", "ababab\tX\t3\t3\n");
    prints("print(pcall(error, 'x'))", "false\tx\n");
    prints("print(select(2, pcall(function() error('x') end)))", "try.lua:1: x\n");
    prints("print(select('#', nil, nil), type(nil), tonumber('0x10'), rawlen({ 1 }), rawequal(1, 1))", "2\tnil\t16\t1\ttrue\n");
    prints("print(math.type(1), math.floor(1.5), utf8.char(228), table.concat({ 1, 2 }, '-'))", "integer\t1\t\xc3\xa4\t1-2\n");
    prints("print(string.format('%5.2f|%s|%q|%d', 1.234, true, 'a', 3))", " 1.23|true|\"a\"|3\n");
    prints("print(nil, true, {}, { 1, 2 }, { { 1 }, { 'a' } })", "nil\ttrue\ttable\t[1, 2]\t[[1], [a]]\n");
    prints("print(setmetatable({}, { __tostring = function() return 'mine' end }))", "mine\n");
    prints("print(setmetatable({}, { __index = function(t, k) return k end }).abc)", "abc\n");
    prints("local t <const> = 5 goto done do print(1) end ::done:: print(t)", "5\n");
    prints("", "");
}

static void no_addresses(void **state)
{
    (void)state;
    prints("print(print, {}, function() end, tensor, nn, tensor{1}, ('x').rep)", "function\ttable\tfunction\ttable\ttable\t[1]\tfunction\n");
    prints("print(tostring(print), tostring({}), string.format('%s %s', {}, print), ('%s'):format(print))", "function\ttable\ttable function\tfunction\n");
    prints("print(#tostring(setmetatable({}, { __name = 'thing' })) < 12)", "true\n");
    raises("print(('%p'):format({}))", "try.lua:1: ", "%p");
    raises("print(string.format('%-20p', {}))", "try.lua:1: ", "%p");
    raises("print(string.format('\\0%p', 'x'))", "try.lua:1: ", "%p");
    raises("print(string.format('%%%\\0%p', 'x'))", "try.lua:1: ", "");
    raises("print(string.format('%d %%%5p', 1, print))", "try.lua:1: ", "%p");
    raises("print({} .. '')", "try.lua:1: ", "concatenate a table");
    raises("error(print)", "try.lua: ", "not a text");
    raises("local t = setmetatable({}, { __name = 'thing' }) print(#t + t)", "try.lua:1: ", "arithmetic");
    raises("local t <close> = {}", "try.lua:1: ", "non-closable");
    raises("print({} < {})", "try.lua:1: ", "compare two table");
    raises("string.rep({})", "try.lua:1: ", "string expected, got table");
    raises("ipairs()", "try.lua:1: ", "bad argument");
}

static void metatables(void **state)
{
    (void)state;
    raises("setmetatable({}, { __gc = function() end })", "try.lua:1: ", "__gc");
    raises("setmetatable({}, { __mode = 'k' })", "try.lua:1: ", "__mode");
    raises("setmetatable('', {})", "try.lua:1: ", "table expected");
    raises("setmetatable(tensor{1}, {})", "try.lua:1: ", "table expected");
    raises("setmetatable({})", "try.lua:1: ", "");
    raises("setmetatable(setmetatable({}, { __metatable = 1 }), {})", "try.lua:1: ", "cannot be changed");
    raises("setmetatable(string, {})", "try.lua:1: ", "cannot be changed");
    raises("setmetatable(tensor, nil)", "try.lua:1: ", "cannot be changed");
    raises("setmetatable(tensor{1}.shape, nil)", "try.lua:1: ", "cannot be changed");
    prints("print(getmetatable(''), getmetatable(tensor{1}), getmetatable(string), getmetatable(tensor{1}.shape))", "false\tfalse\tfalse\tfalse\n");
    prints("local m = {} local t = setmetatable({}, m) print(getmetatable(t) == m, setmetatable(t, nil) == t, getmetatable(t))", "true\ttrue\tnil\n");
    prints("print(pcall(function() return ('').dump end))", "false\ttry.lua:1: unknown name `dump`; there are byte, char, find, format, gmatch, gsub, len, lower, match, rep, reverse, sub, upper\n");
    prints("string.evil = 1 print(('').evil)", "1\n"); /* a state's own, and no more */
    prints("print(pcall(function() return ('').evil end))", "false\ttry.lua:1: unknown name `evil`; there are byte, char, find, format, gmatch, gsub, len, lower, match, rep, reverse, sub, upper\n");
}

static void errors_that_are_not_texts(void **state)
{
    (void)state;
    raises("error({})", "try.lua: ", "not a text");
    raises("error()", "try.lua: ", "not a text");
    raises("error(nil)", "try.lua: ", "not a text");
    raises("error(true)", "try.lua: ", "not a text");
    raises("error(tensor{1})", "try.lua: ", "not a text");
    raises("error(setmetatable({}, { __tostring = function() error('worse') end }))", "try.lua: ", "not a text");
    raises("error('', 0)", "try.lua: ", "");
    raises("error('plain', 0)", "try.lua: plain", "");
    raises("error('two\\nlines', 0)", "try.lua: two\nlines", "");
    raises("print(setmetatable({}, { __tostring = function() error('worse') end }))", "try.lua:1: worse", "");
    raises("print(setmetatable({}, { __tostring = function(t) return tostring(t) end }))", "try.lua:", "overflow");
    prints("print(setmetatable({}, { __tostring = function() return 5 end }))", "\n");
    prints("print(setmetatable({}, { __tostring = function() return {} end }))", "\n");
    raises("tostring(setmetatable({}, { __tostring = 5 }))", "try.lua:", "call a number");
    raises("local t <close> = setmetatable({}, { __close = function() error('closing') end })", "try.lua:1: closing", "");
}

static void lists_answer_for_themselves(void **state)
{
    (void)state;
    static const char *const calls[] = { "insert(t, 1, 1)", "remove(t, 1)", "concat(t)", "unpack(t)", "sort(t, math.ult)" };
    static const char *const answers[] = { "__len = function() return 1 << 60 end", "__index = rawlen", "__newindex = rawlen" };
    for (size_t i = 0; i < HELP_COUNT(calls); i++)
        for (size_t n = 0; n < HELP_COUNT(answers); n++) {
            char source[200];
            snprintf(source, sizeof source, "local t = setmetatable({ 1, 2 }, { %s })\ntable.%s", answers[n], calls[i]);
            raises(source, "try.lua:2: ", "take a list without __");
        }
    raises("local t = {} for i = 1, 70000 do t[i] = i end\ntable.sort(t)", "try.lua:2: ", "no more than 65536");
    prints("local t = setmetatable({ 2, 1 }, { __tostring = rawlen }) table.sort(t) table.insert(t, 3) print(table.concat(t, '-'), table.remove(t))", "1-2-3\t3\n");
    prints("print(table.concat(tensor.zeros { 2, 3 }.shape, 'x'), table.unpack(tensor.zeros { 2, 3 }.shape))", "2x3\t2\t3\n");
}

static void errors_are_not_endless(void **state)
{
    (void)state;
    struct scene *scene = evaluate("error(('ä'):rep(1 << 18))");
    assert_true(strlen(scene->error) < 5000 && !strncmp(scene->error, "try.lua:1: ä", 12));
    assert_non_null(strstr(scene->error, "ä…"));
    scene_free(scene);
    scene = evaluate("print(string[('x'):rep(1 << 18)])");
    assert_true(strlen(scene->error) < 5000 && !strncmp(scene->error, "try.lua:1: unknown name", 23));
    scene_free(scene);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void endless_code_is_stopped(void **state)
{
    (void)state;
    static const struct { const char *source, *begins; } cases[] = {
        { "\nwhile true do end", "try.lua:2: " },
        { "while true do pcall(function() while true do end end) end", "try.lua:1: " },
        { "while true do pcall(error, 'x') end", "try.lua:1: " },
        { "local function f() pcall(f) end while true do f() end", "try.lua:1: " },
        { "local function f() return f() end\nf()", "try.lua:1: " },
        { "repeat local ok = pcall(function() repeat until false end) until false", "try.lua:1: " },
        { "while true do local t <close> = setmetatable({}, { __close = function() while true do end end }) end", "try.lua:1: " },
        { "local t = setmetatable({}, { __index = function(t, k) while true do end end }) print(t.x)", "try.lua:1: " },
        { "local t = setmetatable({}, { __close = function() pcall(function() while true do end end) end })\ndo local a <close> = t while true do end end", "try.lua:" },
        { "table.sort({ 1, 2, 3 }, function() while true do end end)", "try.lua:1: " },
        { "('x'):gsub('x', function() while true do end end)", "try.lua:1: " },
        { "print(setmetatable({}, { __tostring = function() while true do end end }))", "try.lua:1: " },
        { "for i = 1, math.huge do end", "try.lua:1: " },
        { "goto again ::again:: goto again", "try.lua:1: " },
        { "::again:: goto again", "try.lua:1: " },
        { "while true do nn.layer_norm(tensor.ones { 100 }) end", "try.lua:1: " },
        { "while true do local t = {} for i = 1, 100 do t[i] = i end end", "try.lua:1: " },
        { "for k in function() return 1 end do end", "try.lua:1: " },
        { "local t = {} for i = 1, 30000 do t['k' .. i] = i end\nwhile true do pairs(t) end", "try.lua:2: " }, /* much work, few instructions */
        { "local t = {} for i = 1, 20000 do t[i] = -i end\nwhile true do table.sort(t, math.ult) end", "try.lua:2: " },
        { "local t = {} for i = 1, 200000 do t[i] = -i end\nwhile true do table.insert(t, 1, 0) end", "try.lua:2: " },
        { "local f = ('%99.99f'):rep(1000) local t = {} for i = 1, 1000 do t[i] = 1e308 end\nwhile true do f:format(table.unpack(t)) end", "try.lua:2: " },
        { "local x = tensor.ones { 1000, 1000 }\nwhile true do local y = x + x end", "try.lua:2: " },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct engine *engine;
        struct error err;
        assert_int_equal(engine_new(&engine, &(struct engine_limits){ .cpu_seconds = 0.2 }, &err), 0);
        struct request request = help_request(REQUEST_EVAL, cases[i].source);
        request.file = "try.lua";
        double begun = seconds_now();
        struct scene *scene = engine_answer(engine, &request);
        double taken = seconds_now() - begun;
        if (!scene->error || strncmp(scene->error, cases[i].begins, strlen(cases[i].begins)) || !strstr(scene->error, "takes too long"))
            fail_msg("%s: %s", cases[i].source, scene->error ? scene->error : "no error");
        if (taken > 0.6) /* 0.16, and what the sanitizers and a busy machine add */
            fail_msg("%s: took %g s", cases[i].source, taken);
        scene_free(scene);
        request.source = "print(1)"; /* and the next request has its whole time */
        request.source_length = 8;
        scene = engine_answer(engine, &request);
        assert_null(scene->error);
        assert_string_equal(scene->output, "1\n");
        scene_free(scene);
        engine_free(engine);
    }
}

static void endless_lessons_are_stopped(void **state)
{
    (void)state;
    static const struct { const char *source; int line; const char *words; } cases[] = {
        { "while true do end", 1, "takes too long" },
        { LESSON("data = function(random)\nwhile true do end end, step 's' { text = 't' }"), 4, "takes too long" },
        { LESSON("given = {\na = '(function() while true do end end)()' }, step 's' { text = '{a}' }"), 4, "`a`: this takes too long" },
        { LESSON("step 's' {\ntext = '{(function() while true do end end)()}' }"), 4, "`text`: this takes too long" },
        { LESSON("step 's' { text = 't', show = function(d)\nwhile true do pcall(function() while true do end end) end end }"), 4, "takes too long" },
        { LESSON("define = { f = function()\nwhile true do end end }, step 's' { text = '{f()}' }"), 4, "takes too long" },
        { LESSON("accept = function(d)\nwhile true do end end, step 's' { text = 't' }"), 4, "takes too long" },
        { LESSON("step 's' { text = 't', show = view.plot { over = { 's', 0, 1 },\nlines = { { '(function() while true do end end)()' } } } }"), 4, "`lines.1`: this takes too long" },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct engine *engine;
        struct error err;
        assert_int_equal(engine_new(&engine, &(struct engine_limits){ .cpu_seconds = 0.2 }, &err), 0);
        struct request request = help_frame(cases[i].source, "s");
        struct scene *scene = engine_answer(engine, &request);
        char place[64];
        snprintf(place, sizeof place, "lessons/try.lua:%d: ", cases[i].line);
        if (!scene->error || strncmp(scene->error, place, strlen(place)) || !strstr(scene->error, cases[i].words))
            fail_msg("%s\n%s", cases[i].source, scene->error ? scene->error : "no error");
        scene_free(scene);
        engine_free(engine);
    }
}

/* Longjmp out of the callback is not safe: a child tells its words and ends. */
static int words_out;

static void tell_and_end(void *context, const char *words)
{
    (void)context;
    size_t length = strlen(words);
    _exit(write(words_out, words, length) == (ssize_t)length ? 3 : 4);
}

static void runs_out(const struct request *request, const char *words)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct engine *engine;
        words_out = ends[1];
        if (engine_new(&engine, &(struct engine_limits){ .memory = 24 << 20, .out_of_memory = tell_and_end, .cpu_seconds = 30 }, NULL))
            _exit(5);
        struct scene *scene = engine_answer(engine, request);
        tell_and_end(NULL, scene && scene->error ? scene->error : "no error");
    }
    close(ends[1]);
    char said[600] = "";
    ssize_t got = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    assert_true(got > 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 3 || strcmp(said, words))
        fail_msg("%s\nsaid %s\nnot %s", request->source, said, words);
}

static void memory_bombs_name_their_line(void **state)
{
    (void)state;
    static const struct { const char *source; int line; } cases[] = {
        { "local t = {}\nfor i = 1, 1e9 do t[i] = i end", 2 },
        { "local s = 'x'\nlocal t = { s }\nwhile true do s = s .. s end", 3 },
        { "\ntensor.zeros { 1 << 30 }", 2 },
        { "local t = {}\nwhile true do\nt[#t + 1] = tensor.ones { 1000 } end", 3 },
        { "local t = {}\nwhile true do\nt = { t } end", 3 },
        { "local t = { ('x'):rep(1 << 20) }\nwhile true do\nt[#t + 1] = t[1] .. #t end", 3 },
        { "local t = {} for i = 1, 40 do t[i] = ('x'):rep(1 << 20) end\nprint(table.concat(t))", 1 },
        { "local x = tensor.ones { 1000, 1000 }\nlocal y = x + x\nlocal z = { x, y }\nwhile true do\nz[#z + 1] = x * y end", 5 },
        { "local t = {}\nfor i = 1, 1e9 do\nt[#t + 1] = function() return i end end", 3 },
        { "(' '):rep(1 << 20):gsub(' ', ('y'):rep(1 << 10))", 1 },
        { "local t = tensor.ones { 2000, 2000 }\nlocal u = t:sum('feature') + t", 2 },
    };
    for (size_t i = 0; i < HELP_COUNT(cases); i++) {
        struct request request = help_request(REQUEST_EVAL, cases[i].source);
        char words[200];
        snprintf(words, sizeof words, "lessons/try.lua:%d: the lesson needs more memory than it may have (24 MiB)", cases[i].line);
        runs_out(&request, words);
    }
    struct request request = help_frame(LESSON("step 's' { text = 't', show = function(d)\nlocal t = {}\nwhile true do t[#t + 1] = tensor.ones { 9999 } end end }"), "s");
    runs_out(&request, "lessons/try.lua:5: the lesson needs more memory than it may have (24 MiB)");
    static const struct request_shared shared = { "blocks", "local t = {}\nfor i = 1, 1e9 do t[i] = {} end" };
    request = help_frame("local b = use 'blocks'", "s");
    request.shared = &shared;
    request.shared_count = 1;
    runs_out(&request, "lessons/shared/blocks.lua:2: the lesson needs more memory than it may have (24 MiB)");
}

static void sizes_that_overflow_are_errors(void **state)
{
    (void)state;
    raises("tensor.zeros { 1 << 40, 1 << 40 }", "try.lua:1: ", "");
    raises("tensor.zeros { math.maxinteger, math.maxinteger, 8 }", "try.lua:1: ", "");
    raises("tensor.zeros { -1 }", "try.lua:1: ", "whole number from 0");
    raises("tensor.zeros { 1.5 }", "try.lua:1: ", "whole number");
    raises("tensor.zeros {}", "try.lua:1: ", "1 to 8 sizes");
    raises("tensor.zeros { 1, 1, 1, 1, 1, 1, 1, 1, 1 }", "try.lua:1: ", "1 to 8 sizes");
    raises("local t = {} t[1] = t tensor(t)", "try.lua:1: ", "at most 8 axes");
    raises("tensor { 1, { 2 } }", "try.lua:1: ", "");
    raises("tensor { { 1 }, 2 }", "try.lua:1: ", "");
    raises("tensor { 'a' }", "try.lua:1: ", "not a number");
    raises("tensor { '1' }", "try.lua:1: ", "not a number");
    raises("tensor(5)", "try.lua:1: ", "list of numbers");
    raises("tensor { 1, 2 }[3]", "try.lua:1: ", "outside 1 to 2");
    raises("print(tensor { 1, 2 }[3])", "try.lua:1: ", "outside 1 to 2");
    raises("print(tensor { 1, 2 }[0])", "try.lua:1: ", "outside 1 to 2");
    raises("print(tensor { 1, 2 }:at(1, 1))", "try.lua:1: ", "2 indices");
    raises("print(tensor { 1, 2 }:mean('token'))", "try.lua:1: ", "token");
    raises("print(tensor { 1, 2 } + tensor { 1, 2, 3 })", "try.lua:1: ", "cannot add");
    raises("print(tensor { 1, 2 } + 'a')", "try.lua:1: ", "tensor and a string");
    raises("print(tensor { 1, 2 }.mena)", "try.lua:1: ", "`mean`");
    raises("tensor { 1, 2 }[1] = 5", "try.lua:1: ", "not assigned");
    raises("tensor.stack {}", "try.lua:1: ", "1 to 4096");
    raises("tensor.stack { tensor { 1 }, tensor { 1, 2 } }", "try.lua:1: ", "");
    raises("print(tensor({ 1, 2 }, { 'a', 'b' }))", "try.lua:1: ", "2 axis names for 1 axes");
    raises("nn.layer_norm(tensor { 1 }, { epss = 1 })", "try.lua:1: ", "`eps`");
    raises("nn.layer_norm(tensor { 1 }, { eps = -1 })", "try.lua:1: ", "eps");
    raises("local x = tensor { 1 } print(x.mean('feature'))", "try.lua:1: ", "`x.mean(\"feature\")` should be `x:mean(\"feature\")`");
    raises("local x = tensor { 1 } return x.var(-1)", "try.lua:1: ", "`x.var(-1)` should be `x:var(-1)`");
    raises("local std = tensor { 1 }.std print(std())", "try.lua:1: ", "`x.std()` should be `x:std()`");
    raises("tensor { 1 }.with({ 1 }, 2)", "try.lua:1: ", "`x.with(…)` should be `x:with(…)`");
    raises("tensor { 1 }.mean('a\\nb')", "try.lua:1: ", "`x.mean(…)`");
    raises("tensor { 1 }.mean(('f'):rep(100000))", "try.lua:1: ", "`x.mean(…)`");
    raises("tensor.matmul(1, tensor { 1 })", "try.lua:1: ", "tensor expected");
    prints("local x = tensor { 1, 3 } print(x.mean(x))", "2\n");
    raises("nn.layer_norm({ 1 })", "try.lua:1: ", "tensor expected");
    raises("nn.layer_norm(tensor { 1, 2 }, { scale = tensor { 1, 2, 3 } })", "try.lua:1: ", "");
}

static void deep_recursion(void **state)
{
    (void)state;
    raises("local function f(n) return 1 + f(n + 1) end\nf(1)", "try.lua:1: ", "overflow");
    raises("local function f(n) return 1 + select(2, pcall(f, n + 1)) end\nf(1)", "try.lua:", "");
    raises("local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k .. 'x'] end print(t.x)", "try.lua:1: ", "overflow");
    raises("local s = 'x' for i = 1, 20 do s = s .. s end s = s:gsub('x', '(') print(s:find(s))", "try.lua:1: ", "");
    raises("('x'):gsub('x', function(x) return ('x'):gsub('x', 5) .. nil end)", "try.lua:1: ", "");
    raises("local t = {} for i = 1, 300 do t = setmetatable({}, { __index = t }) end print(t.x) local u = {} setmetatable(u, { __index = u }) print(u.x)", "try.lua:1: ", "loop");
    char *nested = calloc(1, 40000);
    strcpy(nested, "return ");
    for (int i = 0; i < 10000; i++)
        strcat(nested + 7 + i, "(");
    raises(nested, "try.lua:", "overflow");
    for (int i = 0; i < 10000; i++)
        nested[7 + i] = '{';
    raises(nested, "try.lua:", "overflow");
    free(nested);
    struct strbuf givens = { 0 };
    strbuf_add(&givens, "return lesson 'try' { format = 1, title = 't',\ngiven = { a0 = 1");
    for (int i = 1; i < 300; i++)
        strbuf_addf(&givens, ",\na%d = 'a%d + 1'", i, i - 1);
    strbuf_add(&givens, " },\nstep 's' { text = '{a299}' } }");
    struct request request = help_frame(givens.text, "s");
    struct scene *scene = help_ask(&request);
    if (scene->error) /* in words, if it must be */
        assert_int_equal(strncmp(scene->error, "lessons/try.lua:", 16), 0);
    else
        assert_string_equal(scene->step->text, "300");
    scene_free(scene);
    strbuf_free(&givens);
}

static void large_texts(void **state)
{
    (void)state;
    raises("string.rep('x', 1 << 40)", "try.lua:1: ", "more than 1048576 bytes");
    raises("string.rep('', 1 << 40)", "try.lua:1: ", "more than");
    raises("('x'):rep(1 << 40)", "try.lua:1: ", "more than");
    raises("('x'):rep(1 << 20, 'separator')", "try.lua:1: ", "more than");
    raises("('x'):rep(math.maxinteger)", "try.lua:1: ", "more than");
    prints("print(#('x'):rep(1 << 20), ('x'):rep(-1), ('x'):rep(0), ('ab'):rep(2, '-'))", "1048576\t\t\tab-ab\n");
    raises("string.format('%99999d', 1)", "try.lua:1: ", "");
    raises("table.unpack({}, 1, 1e8)", "try.lua:1: ", "too many results");
    raises("table.concat({}, '', 1, 1 << 60)", "try.lua:1: ", "invalid value");
    raises("string.char(256)", "try.lua:1: ", "");
    raises("local t = {} for i = 1, 300 do t[i] = i end string.char(table.unpack(t))", "try.lua:1: ", "");
}

/* Lists that hold themselves, or grow when they are written. */
static void lists_of_lists_come_to_an_end(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "local t = {} for i = 1, 64 do t[i] = t end print(t)", "local t = {} t[1] = t print(tostring(t))",
        "local t = { 'x' } for n = 1, 8 do local u = {} for i = 1, 64 do u[i] = t end t = u end print(#tostring(t) < 200000)",
        "local t = { tensor.zeros { 16 } } for n = 1, 7 do local u = {} for i = 1, 64 do u[i] = t end t = u end print(string.format('%s', t))",
    };
    for (size_t i = 0; i < HELP_COUNT(sources); i++) {
        double begun = seconds_now();
        struct scene *scene = evaluate(sources[i]);
        assert_null(scene->error);
        assert_true(*scene->output && strlen(scene->output) < 200000);
        assert_true(seconds_now() - begun < 1);
        scene_free(scene);
    }
}

static void output_is_capped(void **state)
{
    (void)state;
    struct engine *engine;
    struct error err;
    assert_int_equal(engine_new(&engine, &(struct engine_limits){ .output = 2048 }, &err), 0);
    static const char *const sources[] = { "while true do print('0123456789') end", "print(('0123456789'):rep(1000))", "print(('0123456789'):rep(100), ('0123456789'):rep(1000))",
                                           "while true do pcall(print, '0123456789') if false then break end end" };
    for (size_t i = 0; i < 3; i++) {
        struct request request = help_request(REQUEST_EVAL, sources[i]);
        struct scene *scene = engine_answer(engine, &request);
        assert_non_null(scene->error);
        assert_non_null(strstr(scene->error, "lessons/try.lua:1: more than 2 KiB were printed"));
        assert_int_equal(strlen(scene->output), 2048);
        assert_memory_equal(scene->output, "0123456789", 10);
        scene_free(scene);
    }
    struct request request = help_request(REQUEST_EVAL, "for i = 1, 1000 do pcall(print, ('0123456789'):rep(50)) end");
    struct scene *scene = engine_answer(engine, &request);
    assert_null(scene->error);
    assert_int_equal(strlen(scene->output), 2048);
    scene_free(scene);
    request = help_request(REQUEST_EVAL, "print('after')"); /* nothing of it stays */
    scene = engine_answer(engine, &request);
    assert_string_equal(scene->output, "after\n");
    scene_free(scene);
    engine_free(engine);
}

static void lessons_have_no_more(void **state)
{
    (void)state;
    static const char *const sources[] = { "print('x')", "io.write('x')", "local f = load('return 1')", "next({})" };
    for (size_t i = 0; i < HELP_COUNT(sources); i++) {
        struct request request = help_request(REQUEST_LESSON, sources[i]);
        struct scene *scene = help_ask(&request);
        assert_non_null(scene->error);
        if (strncmp(scene->error, "lessons/try.lua:1: unknown name `", 33))
            fail_msg("%s: %s", sources[i], scene->error);
        scene_free(scene);
    }
}

static void chunks_are_text(void **state)
{
    (void)state;
    raises("\x1bLua", "try.lua: ", "binary");
    raises("#!/usr/bin/lua\nprint(1)", "try.lua:1: ", "");
    raises("print(", "try.lua:1: ", "near <eof>");
    raises("\n\nx = = 5", "try.lua:3: ", "near '='");
    raises("x = '\x01", "try.lua:1: ", "unfinished string");
    struct request request = help_request(REQUEST_EVAL, "print(1)\0print(2)");
    request.source_length = 17;
    struct scene *scene = help_ask(&request);
    assert_non_null(scene->error);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_there_is_not),
        cmocka_unit_test(what_there_is),
        cmocka_unit_test(no_addresses),
        cmocka_unit_test(metatables),
        cmocka_unit_test(errors_that_are_not_texts),
        cmocka_unit_test(lists_answer_for_themselves),
        cmocka_unit_test(errors_are_not_endless),
        cmocka_unit_test(endless_code_is_stopped),
        cmocka_unit_test(endless_lessons_are_stopped),
        cmocka_unit_test(memory_bombs_name_their_line),
        cmocka_unit_test(sizes_that_overflow_are_errors),
        cmocka_unit_test(deep_recursion),
        cmocka_unit_test(large_texts),
        cmocka_unit_test(lists_of_lists_come_to_an_end),
        cmocka_unit_test(output_is_capped),
        cmocka_unit_test(lessons_have_no_more),
        cmocka_unit_test(chunks_are_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
