/* A lesson's arrays: tensor.load, and what it gives before the files are there. */
#include "files_help.h"
#include "npy_help.h"

#define FILES "files = { \"x.npy\", \"deep/bad.npy\" },\n"

static struct npy npy;

/* [[1, 2, 3], [4, 5, 6]] */
static void make_array(double first)
{
    npy_header(&npy, 1, ">i2", false, "(2, 3)");
    for (int i = 0; i < 6; i++)
        npy_add(&npy, (uint64_t)(first + i), 2, true);
}

static int open_files(void **state)
{
    (void)state;
    make_array(1);
    help_sent[0] = (struct request_file){ "x.npy", "1", help_memory_file(npy.bytes, npy.size) };
    help_sent[1] = (struct request_file){ "deep/bad.npy", "1", help_memory_file(npy.bytes, npy.size - 1) };
    return 0;
}

static void an_array_is_a_tensor(void **state)
{
    (void)state;
    help_shows(LESSON(FILES "data = function() return { x = tensor.load 'x.npy' } end, step 'a' { text = '{x} {x.shape} {x[2][3]} {x.type}' }"),
               "[[1, 2, 3], [4, 5, 6]] (2, 3) 6 float32");
    help_shows(LESSON(FILES "given = { x = \"tensor.load 'x.npy'\" }, step 'a' { text = '{x:sum(\"token\")} {nn.layer_norm(x):sum()|1}' }"), "[[5, 7, 9]] 0.0");
    help_shows(LESSON(FILES "step 'a' { text = '{tensor.load \"x.npy\":mean()} {tensor.load \"x.npy\" == tensor.load \"x.npy\"}' }"), "3.5 true");
    help_shows(LESSON(FILES "define = { f = function() return tensor.load 'x.npy' + 1 end }, step 'a' { text = '{f()}' }"), "[[2, 3, 4], [5, 6, 7]]");
}

static void named_while_loading_it_is_a_tensor_when_used(void **state)
{
    (void)state;
#define TOP "local x = tensor.load 'x.npy'\n"
    help_shows(TOP LESSON(FILES "data = function() return { x = x } end, step 'a' { text = '{x}' }"), "[[1, 2, 3], [4, 5, 6]]");
    help_shows(TOP LESSON(FILES "data = function() return { y = x * 2, z = x[1], n = #x, s = x.shape, m = nn.rms_norm(x), t = tensor.stack { x, x } } end,"
                                "step 'a' { text = '{y} {z} {n} {s} {m.shape} {t.shape}' }"),
               "[[2, 4, 6], [8, 10, 12]] [1, 2, 3] 2 (2, 3) (2, 3) (2, 2, 3)");
    help_shows(TOP LESSON(FILES "given = { x = x, y = 'x + 1' }, step 'a' { text = '{y}' }"), "[[2, 3, 4], [5, 6, 7]]");
    help_shows(TOP LESSON(FILES "define = { f = function() return x end }, step 'a' { text = '{f()} {sqrt(f())[1][1]}' }"), "[[1, 2, 3], [4, 5, 6]] 1");
    help_shows(TOP LESSON(FILES "define = { f = function() return tostring(x) .. #tostring(x:cast('float16')) end }, step 'a' { text = '{f()}' }"), "[[1, 2, 3], [4, 5, 6]]30");
    help_shows(TOP LESSON(FILES "step 'a' { text = 'see', show = view.bars { x } }"), "see");
    help_shows(TOP LESSON(FILES "ask.tensor 'a' { text = 'what', answer = x, why = 'so' }"), "what");
    help_shows("local x, y = tensor.load 'x.npy', file 'x.npy'\n" LESSON(FILES "step 'a' { text = '{1}' }"), "1");
#undef TOP
}

static void nothing_changes_a_loaded_array(void **state)
{
    (void)state;
    static const char words[] = "lessons/try.lua:4: this tensor is a fact of the lesson and cannot be changed; x:with{…} makes a changed copy";
    help_refuse(help_with_files(help_frame(LESSON(FILES "data = function() local x = tensor.load 'x.npy' x:set({ 1, 1 }, 9) return { x = x } end,"
                                                   "step 'a' { text = '{x}' }"), NULL)), words);
    help_refuse(help_with_files(help_frame("local x = tensor.load 'x.npy'\n" LESSON(FILES "data = function() x[1]:set({ 1 }, 9) return { x = x } end,"
                                                                                     "step 'a' { text = '{x}' }"), NULL)),
                "lessons/try.lua:5: this tensor is a fact of the lesson and cannot be changed; x:with{…} makes a changed copy");
    help_shows(LESSON(FILES "data = function() local x = tensor.load 'x.npy' return { y = x:with({ 1, 1 }, 9), x = tensor.load 'x.npy' } end,"
                            "step 'a' { text = '{x[1]} {y[1]}' }"), "[1, 2, 3] [9, 2, 3]");
}

static void what_is_wrong_is_said_at_its_place(void **state)
{
    (void)state;
    static const char cut[] = "files/deep/bad.npy is cut short: (2,3) elements of type >i2 take 12 bytes, and there are 11";
    static const struct {
        const char *source, *words;
    } faults[] = {
        { LESSON(FILES "data = function() return { x = tensor.load 'deep/bad.npy' } end, step 'a' { text = '{x}' }"), "lessons/try.lua:4: %s" },
        { LESSON(FILES "step 'a' {\ntext = '{tensor.load \"deep/bad.npy\"}' }"), "lessons/try.lua:5: step \"a\": `text`: %s" },
        { "local x = tensor.load 'deep/bad.npy'\n" LESSON(FILES "given = {\nx = x }, step 'a' { text = '{x}' }"), "lessons/try.lua:6: lesson: `x`: %s" },
        { "local x = tensor.load 'deep/bad.npy'\n" LESSON(FILES "data = function()\nreturn { x = x + 1 } end, step 'a' { text = '{x}' }"), "lessons/try.lua:6: %s" },
        { "local x = tensor.load 'deep/bad.npy'\n" LESSON(FILES "step 'a' { text = 'a', show =\nview.bars { x } }"), "lessons/try.lua:6: view.bars: `show`: %s" },
        { LESSON(FILES "data = function() return { x = tensor.load 'y.npy' } end, step 'a' { text = '{x}' }"),
          "lessons/try.lua:4: the lesson's `files` have no \"y.npy\"; did you mean \"x.npy\"?" },
        { "local x = tensor.load 'y.npy'\n" LESSON(FILES "step 'a' { text = 'a' }"),
          "lessons/try.lua:1: the lesson's `files` have no \"y.npy\"; did you mean \"x.npy\"?" },
        { "local x = tensor.load 'x.npy' + 1\n" LESSON(FILES "step 'a' { text = 'a' }"),
          "lessons/try.lua:1: tensor.load \"x.npy\" has no elements while the lesson is being loaded; use it in a function" },
        { LESSON(FILES "data = function() return { x = tensor.load(7) } end, step 'a' { text = '{x}' }"),
          "lessons/try.lua:4: the lesson's `files` have no \"7\"" },
    };
    for (size_t i = 0; i < HELP_COUNT(faults); i++) {
        char words[300];
        snprintf(words, sizeof words, faults[i].words, cut);
        help_refuse(help_with_files(help_frame(faults[i].source, NULL)), words);
    }
}

static void files_that_hold_no_array(void **state)
{
    (void)state;
    static const char source[] = LESSON(FILES "data = function() return { x = tensor.load 'x.npy' } end, step 'a' { text = '{x}' }");
    struct request_file files[HELP_FILES] = { { "x.npy", "", -1 }, help_sent[1] };
    struct request request = help_with_files(help_frame(source, NULL));
    request.files = files;
    help_refuse(request, "lessons/try.lua:4: files/x.npy cannot be read: Bad file descriptor");
    files[0].fd = help_memory_file("poem", 4);
    help_refuse(request, "lessons/try.lua:4: files/x.npy is no .npy file");
    close(files[0].fd);
    files[0].fd = help_memory_file("", 0);
    help_refuse(request, "lessons/try.lua:4: files/x.npy is no .npy file");
    assert_int_equal(ftruncate(files[0].fd, ((off_t)64 << 20) + 1), 0);
    help_refuse(request, "lessons/try.lua:4: files/x.npy is longer than the 64 MiB that an array may have");
    close(files[0].fd);
}

static void an_array_that_changes_is_read_again(void **state)
{
    (void)state;
    static const char source[] = "local x = tensor.load 'x.npy'\n" LESSON(FILES "given = { x = x }, step 'a' { text = '{x[1]}' }");
    struct engine *engine = help_engine();
    struct request_file files[HELP_FILES] = { { "x.npy", "1", help_memory_file(npy.bytes, npy.size) }, help_sent[1] };
    struct request request = help_with_files(help_frame(source, NULL));
    request.files = files;
    for (int i = 0; i < 4; i++) {
        make_array(i < 2 ? 1 : 7);
        assert_int_equal(pwrite(files[0].fd, npy.bytes, npy.size, 0), npy.size);
        files[0].stamp = i < 2 ? "1" : "2";
        struct scene *scene = engine_answer(engine, &request);
        if (scene->error)
            fail_msg("%s", scene->error);
        assert_string_equal(scene->step->text, i < 2 ? "[1, 2, 3]" : "[7, 8, 9]");
        scene_free(scene);
    }
    close(files[0].fd);
    engine_free(engine);
}

/* Loaded for its outline without files, then with them, and back. */
static void without_its_files_a_lesson_waits(void **state)
{
    (void)state;
    static const char source[] = "local x = tensor.load 'x.npy'\n" LESSON(FILES "goal = 'Plain.', data = function() return { y = x + 1 } end, given = { x = x },"
                                                                          "step 'a' { text = '{y[1]} {x[1]}' }");
    struct engine *engine = help_engine();
    for (int i = 0; i < 6; i++) {
        struct request request = help_frame(source, NULL);
        if (i % 2)
            request = help_with_files(request);
        struct scene *scene = engine_answer(engine, &request);
        if (scene->error)
            fail_msg("%s", scene->error);
        assert_string_equal(scene->lesson->goal, "Plain.");
        assert_int_equal(scene->step != NULL, i % 2);
        if (scene->step)
            assert_string_equal(scene->step->text, "[2, 3, 4] [1, 2, 3]");
        scene_free(scene);
    }
    engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_is_a_tensor),
        cmocka_unit_test(named_while_loading_it_is_a_tensor_when_used),
        cmocka_unit_test(nothing_changes_a_loaded_array),
        cmocka_unit_test(what_is_wrong_is_said_at_its_place),
        cmocka_unit_test(files_that_hold_no_array),
        cmocka_unit_test(an_array_that_changes_is_read_again),
        cmocka_unit_test(without_its_files_a_lesson_waits),
    };
    return cmocka_run_group_tests_name("arrays from files", tests, open_files, help_close_files);
}
