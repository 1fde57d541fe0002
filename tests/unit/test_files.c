/* A lesson's files in the engine: `file`, and what stands where a file's text is not there yet. */
#include "files_help.h"

#define FILES "files = { \"poem.txt\", \"deep/note.md\" },\n"
#define POEM "Roses are red\nviolets are blue\n"

static int open_files(void **state)
{
    (void)state;
    help_sent[0] = (struct request_file){ "poem.txt", "1", help_memory_file(POEM, strlen(POEM)) };
    help_sent[1] = (struct request_file){ "deep/note.md", "1", help_memory_file("A *note* on {1 + 1}.", 20) };
    return 0;
}

static void a_file_is_its_text(void **state)
{
    (void)state;
    /* in a field of words, holes and all */
    help_shows(LESSON(FILES "step 'a' { text = file 'deep/note.md' }"), "A *note* on 2.");
    /* in data, in a function */
    help_shows(LESSON(FILES "data = function() return { p = file 'poem.txt' } end, step 'a' { text = '{p}{#p}{p:match(\"%a+\")}' }"),
               POEM "31Roses");
    /* in a hole */
    help_shows(LESSON(FILES "step 'a' { text = '{#file \"poem.txt\"}{file \"poem.txt\" == file \"poem.txt\"}' }"), "31true");
    /* as a formula that is one; the text itself, not a formula in it */
    help_shows(LESSON(FILES "given = { p = file 'poem.txt' }, step 'a' { text = '{p}' }"), POEM);
    help_shows(LESSON(FILES "define = { p = function() return file 'poem.txt' end }, step 'a' { text = '{p()}' }"), POEM);
}

static void a_file_named_while_loading_is_a_text_when_used(void **state)
{
    (void)state;
#define TOP "local f = file 'poem.txt'\n"
    help_shows(TOP LESSON(FILES "data = function() return { p = f } end, step 'a' { text = '{p}' }"), POEM);
    help_shows(TOP LESSON(FILES "data = function() return { p = f .. '!', q = '>' .. f, r = f .. f } end, step 'a' { text = '{#p} {#q} {#r}' }"), "32 32 62");
    help_shows(TOP LESSON(FILES "data = function() return { p = #f, q = f:upper():sub(1, 5), r = tostring(f):len() } end,"
                                "step 'a' { text = '{p} {q} {r}' }"), "31 ROSES 31");
    help_shows(TOP LESSON(FILES "data = function() return { p = string.format('<%s>', f) } end, step 'a' { text = '{#p}' }"), "33");
    help_shows(TOP LESSON(FILES "data = function() return { p = { f, 'b' } } end, step 'a' { text = '{p}' }"), "[" POEM ", b]");
    help_shows(TOP LESSON(FILES "define = { p = function() return f end }, step 'a' { text = '{p()}' }"), POEM);
    help_shows(TOP LESSON(FILES "define = { n = function() local t = { } for i = 1, 64 do t[i] = { f } end return #tostring(t) end },"
                                "step 'a' { text = '{n()}' }"), "2240");
    /* once it is a fact, or a formula's value, it is nothing but a text */
    help_shows(TOP LESSON(FILES "define = { p = function() return f end }, given = { q = 'p()', r = f },"
                                "step 'a' { text = '{q == file \"poem.txt\"}{q == r}{type(r)}' }"), "truetruestring");
#undef TOP
}

static void a_file_may_stand_wherever_words_do(void **state)
{
    (void)state;
    static const char source[] = "local f = file 'poem.txt'\n" LESSON(FILES
        "goal = file 'deep/note.md', about = f, remember = f,"
        "ask.choice 'a' { title = f, text = f, hints = { f, 'other' }, why = f,"
        "  knobs = { knob.pick 'k' { 'x', 'y', names = { y = f } , label = f } },"
        "  show = function() return view.column { view.bars { '{1, 2}', names = { f, 'two' }, alt = f },"
        "    view.plot { over = { 's', 0, 1, label = f }, lines = { { 's', label = f } } }, view.table { { f } } } end,"
        "  option 'o' { f, right = true }, option 'p' { 'no', say = f } }");
    struct request request = help_with_files(help_frame(source, NULL));
    request.answer = "p";
    request.hints = 1;
    struct scene *scene = help_step(&request);
    const struct scene_question *question = scene->step->question;
    const struct view *view = scene->step->view;
    assert_string_equal(scene->lesson->goal, "A *note* on 2.");
    const char *texts[] = { scene->lesson->about, scene->lesson->remember, scene->step->title, scene->step->text, question->hints.item[0],
                            question->say, question->options[0].text, scene->step->knobs[0].option_names.item[1], scene->step->knobs[0].label,
                            view->children[0].alt, view->children[0].parts[0].as.bars.labels.item[0],
                            view->children[1].parts[0].as.plot.x_label, view->children[1].parts[0].as.plot.lines[0].label,
                            view->children[2].parts[0].as.table.cells[0].text };
    for (size_t i = 0; i < HELP_COUNT(texts); i++)
        if (strcmp(texts[i], POEM))
            fail_msg("text %zu is \"%s\"", i, texts[i]);
    scene_free(scene);
    request.answer = "o";
    scene = help_step(&request);
    assert_string_equal(scene->step->question->why, POEM);
    scene_free(scene);
}

static void without_its_files_a_lesson_tells_what_it_can(void **state)
{
    (void)state;
    static const char source[] = "local f = file 'poem.txt'\n" LESSON(FILES
        "goal = 'Plain words.', remember = 'Of {lines} lines', about = 'A poem',"
        "data = function() error('it was drawn') end,"
        "step 'a' { text = f .. '' }");
    /* what is used while loading never works */
    help_refuse(help_request(REQUEST_LESSON, source), "lessons/try.lua:5: file \"poem.txt\" has no text while the lesson is being loaded; use it in a function");
    static const char good[] = "local f = file 'poem.txt'\n" LESSON(FILES
        "goal = 'Plain words.', remember = 'Of {lines} lines', about = 'A poem',"
        "data = function() return { lines = f:upper() } end,"
        "step 'a' { text = f }, ask.number 'b' { title = 'Count {lines}', text = f, answer = '#lines', why = '{lines}' }");
    for (int frame = 0; frame < 2; frame++) {
        struct request request = help_request(frame ? REQUEST_FRAME : REQUEST_LESSON, good);
        struct scene *scene = help_ask(&request);
        assert_null(scene->error);
        assert_null(scene->step);
        assert_int_equal(scene->lesson->files.count, 2);
        assert_string_equal(scene->lesson->files.item[0], "poem.txt");
        assert_string_equal(scene->lesson->files.item[1], "deep/note.md");
        assert_string_equal(scene->lesson->goal, "Plain words.");
        assert_string_equal(scene->lesson->remember, "");
        assert_string_equal(scene->lesson->about, "A poem");
        assert_int_equal(scene->lesson->step_count, 2);
        assert_string_equal(scene->lesson->steps[1].id, "b");
        assert_int_equal(scene->lesson->steps[1].kind, STEP_NUMBER);
        scene_free(scene);
    }
    struct request request = help_with_files(help_request(REQUEST_LESSON, good));
    struct scene *scene = help_ask(&request);
    assert_null(scene->error);
    assert_non_null(strstr(scene->lesson->remember, "ROSES"));
    scene_free(scene);
}

/* Files of another text of the lesson: the reply says which are wanted. */
static void with_other_files_a_lesson_waits_as_well(void **state)
{
    (void)state;
    static const char *const sources[] = {
        LESSON("files = { 'deep/note.md', 'poem.txt' }, data = function() error('drawn') end, step 'a' { text = 'a' }"),
        LESSON("files = { 'poem.txt' }, data = function() error('drawn') end, step 'a' { text = 'a' }"),
        LESSON("data = function() error('drawn') end, step 'a' { text = 'a' }"),
    };
    for (size_t i = 0; i < HELP_COUNT(sources); i++) {
        struct request request = help_with_files(help_frame(sources[i], NULL));
        struct scene *scene = help_ask(&request);
        assert_null(scene->error);
        assert_null(scene->step);
        assert_int_equal(scene->lesson->files.count, 2 - i);
        scene_free(scene);
    }
}

static void faults_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *source, *words;
    } faults[] = {
        { LESSON(FILES "step 'a' {\ntext = file 'poem.tx' }"), "lessons/try.lua:5: the lesson's `files` have no \"poem.tx\"; did you mean \"poem.txt\"?" },
        { LESSON("step 'a' { text = file 'poem.txt' }"), "lessons/try.lua:3: the lesson's `files` have no \"poem.txt\"" },
        { LESSON(FILES "data = function()\nreturn { p = file 'note.md' } end, step 'a' { text = 'a' }"),
          "lessons/try.lua:5: the lesson's `files` have no \"note.md\"" },
        { LESSON(FILES "step 'a' {\n text = '{file \"deep/note.m\"}' }"),
          "lessons/try.lua:5: step \"a\": `text`: the lesson's `files` have no \"deep/note.m\"; did you mean \"deep/note.md\"?" },
        { LESSON("files = { '../x' }, step 'a' { text = 'a' }"), "lessons/try.lua:3: lesson \"try\": `files`: \"../x\" is not the name of a file below files/" },
        { LESSON("files = { 'a/../x' }, step 'a' { text = 'a' }"), "lessons/try.lua:3: lesson \"try\": `files`: \"a/../x\" is not the name of a file below files/" },
        { LESSON("files = { '/etc/passwd' }, step 'a' { text = 'a' }"), "lessons/try.lua:3: lesson \"try\": `files`: \"/etc/passwd\" is not the name of a file below files/" },
        { LESSON("files = { '' }, step 'a' { text = 'a' }"), "lessons/try.lua:3: lesson \"try\": `files`: \"\" is not the name of a file below files/" },
        { LESSON("files = { 'a/' }, step 'a' { text = 'a' }"), "lessons/try.lua:3: lesson \"try\": `files`: \"a/\" is not the name of a file below files/" },
        { LESSON("files = { './a' }, step 'a' { text = 'a' }"), "lessons/try.lua:3: lesson \"try\": `files`: \"./a\" is not the name of a file below files/" },
        { LESSON("files = { 'a\\0b' }, step 'a' { text = 'a' }"), "lessons/try.lua:3: lesson \"try\": `files`: \"a\" is not the name of a file below files/" },
        { LESSON("title = 't', files = {\n'a', 'b', 'a' }, step 'a' { text = 'a' }"), "lessons/try.lua:3: lesson \"try\": `files`: \"a\" is listed twice" },
        { LESSON("files = { 1 }, step 'a' { text = 'a' }"), "lessons/try.lua:3: lesson \"try\": `files` must be a list of texts; entry 1 is a number" },
        { LESSON("files = 'a', step 'a' { text = 'a' }"), "lessons/try.lua:3: lesson \"try\": `files` must be a list of texts, not a string" },
        { LESSON("files = {'1','2','3','4','5','6','7','8','9','10','11','12','13','14','15','16','17','18','19','20','21','22','23',"
                 "'24','25','26','27','28','29','30','31','32','33'}, step 'a' { text = 'a' }"),
          "lessons/try.lua:3: lesson \"try\": `files`: 32 are the most" },
        { "local f = file 'poem.txt'\nlocal n = #f\n" LESSON(FILES "step 'a' { text = 'a' }"),
          "lessons/try.lua:2: file \"poem.txt\" has no text while the lesson is being loaded; use it in a function" },
        { "local f = file 'poem.txt'\nlocal n = f:upper()\n" LESSON(FILES "step 'a' { text = 'a' }"),
          "lessons/try.lua:2: file \"poem.txt\" has no text while the lesson is being loaded; use it in a function" },
        { "local n = file(1)\n" LESSON(FILES "step 'a' { text = file 'poem.txt' }"), "lessons/try.lua:1: the lesson's `files` have no \"1\"" },
        { LESSON(FILES "ask.number 'a' {\ntext = 'a', answer = file 'poem.txt', why = '' }"),
          "lessons/try.lua:5: ask.number \"a\": `answer` must come to a number or a tensor" },
    };
    for (size_t i = 0; i < HELP_COUNT(faults); i++)
        help_refuse(help_with_files(help_frame(faults[i].source, NULL)), faults[i].words);
    help_refuse(help_request(REQUEST_COURSE, "return course 'c' {\nformat = 1, title = file 'x', lessons = { 'a' } }"),
                "lessons/try.lua:2: course: `title`: there is no files/x here: only a lesson declares `files`");
}

static void shared_code_asks_for_the_lesson_s_files(void **state)
{
    (void)state;
    static const struct request_shared shared[] = { { "blocks", "local f = file 'poem.txt'\nreturn { first = function() return f:match('%a+') end }" },
                                                    { "wrong", "\nlocal f = file 'poem.tx'\nreturn { }" } };
    struct request request = help_with_files(help_frame(
        LESSON(FILES "define = use 'blocks', step 'a' { text = '{first()}' }"), NULL));
    request.shared = shared;
    request.shared_count = 2;
    struct scene *scene = help_step(&request);
    assert_string_equal(scene->step->text, "Roses");
    scene_free(scene);
    request.source = LESSON(FILES "define = use 'wrong', step 'a' { text = 'a' }");
    request.source_length = strlen(request.source);
    help_refuse(request, "lessons/shared/wrong.lua:2: the lesson's `files` have no \"poem.tx\"; did you mean \"poem.txt\"?");
}

static void what_is_no_text_is_said_in_words(void **state)
{
    (void)state;
    static const char source[] = LESSON(FILES "step 'a' {\ntext = file 'poem.txt' }");
    static const char in_lua[] = LESSON(FILES "data = function()\nlocal t = file 'poem.txt' return { t = t } end, step 'a' { text = 'a' }");
    size_t large = (256 << 10) + 1;
    char *letters = malloc(large);
    memset(letters, 'x', large);
    const struct {
        const char *bytes;
        size_t length;
        const char *words;
    } texts[] = {
        { letters, large, "files/poem.txt is longer than the 256 KiB that a text may have" },
        { "a\nb\0c", 5, "files/poem.txt is not a text: there is a NUL byte on its line 2" },
        { "a\xff", 2, "files/poem.txt is not a text: its line 1 is not UTF-8" },
        { "\n\n\xed\xa0\x80", 5, "files/poem.txt is not a text: its line 3 is not UTF-8" },
        { "\xc3", 1, "files/poem.txt is not a text: its line 1 is not UTF-8" },
    };
    char words[256];
    for (size_t i = 0; i < HELP_COUNT(texts); i++) {
        struct request_file files[HELP_FILES] = { { "poem.txt", "", help_memory_file(texts[i].bytes, texts[i].length) }, help_sent[1] };
        struct request request = help_with_files(help_frame(source, NULL));
        request.files = files;
        snprintf(words, sizeof words, "lessons/try.lua:5: step: `text`: %s", texts[i].words);
        help_refuse(request, words);
        request.source = in_lua;
        request.source_length = strlen(in_lua);
        snprintf(words, sizeof words, "lessons/try.lua:5: %s", texts[i].words);
        help_refuse(request, words);
        close(files[0].fd);
    }
    free(letters);

    struct request_file files[HELP_FILES] = { { "poem.txt", "", -1 }, help_sent[1] };
    struct request request = help_with_files(help_frame(source, NULL));
    request.files = files;
    help_refuse(request, "lessons/try.lua:5: step: `text`: files/poem.txt cannot be read: Bad file descriptor");
    files[0].fd = help_memory_file("\xEF\xBF\xBD and ε\r\n", 12); /* U+FFFD itself is a character like any other */
    struct scene *scene = help_step(&request);
    scene_free(scene);
    close(files[0].fd);
    files[0].fd = help_memory_file("", 0);
    scene = help_step(&request);
    assert_string_equal(scene->step->text, "");
    scene_free(scene);
    close(files[0].fd);
}

static const char *ask_text(struct engine *engine, struct request request, char out[64])
{
    struct scene *scene = engine_answer(engine, &request);
    assert_non_null(scene);
    if (scene->error)
        fail_msg("%s", scene->error);
    snprintf(out, 64, "%s", scene->step->text);
    scene_free(scene);
    return out;
}

/* Everything that was made of the old content is made again, and only then. */
static void a_file_that_changes_is_read_again(void **state)
{
    (void)state;
    static const char *const sources[] = {
        LESSON(FILES "step 'a' { text = file 'poem.txt' }"),
        LESSON(FILES "data = function() return { p = file 'poem.txt' } end, step 'a' { text = '{p}' }"),
        LESSON(FILES "data = function() return { p = file 'poem.txt' } end, given = { q = 'p' }, step 'a' { text = '{q}' }"),
        LESSON(FILES "step 'a' { text = '{file \"poem.txt\"}' }"),
    };
    char text[64];
    for (size_t i = 0; i < HELP_COUNT(sources); i++) {
        struct engine *engine = help_engine();
        struct request_file files[HELP_FILES] = { { "poem.txt", "1", help_memory_file("one", 3) }, help_sent[1] };
        struct request request = help_frame(sources[i], NULL);
        request.files = files;
        request.file_count = HELP_FILES;
        assert_string_equal(ask_text(engine, request, text), "one");
        int other = dup(files[0].fd);
        close(files[0].fd);
        files[0].fd = other; /* as every request brings its own descriptor */
        assert_string_equal(ask_text(engine, request, text), "one");
        assert_int_equal(pwrite(files[0].fd, "two", 3, 0), 3);
        files[0].stamp = "2";
        assert_string_equal(ask_text(engine, request, text), "two");
        files[0].stamp = "1";
        assert_int_equal(pwrite(files[0].fd, "one", 3, 0), 3);
        assert_string_equal(ask_text(engine, request, text), "one");
        assert_int_equal(lseek(files[0].fd, 0, SEEK_CUR), 3); /* where writing left it: reading moves nothing */
        close(files[0].fd);
        engine_free(engine);
    }
}

/* Loaded for its outline without files, then with them, and back: nothing of one is taken for the other. */
static void one_engine_serves_both(void **state)
{
    (void)state;
    static const char source[] = LESSON(FILES "step 'a' { text = file 'poem.txt' }");
    struct engine *engine = help_engine();
    for (int i = 0; i < 6; i++) {
        struct request request = help_frame(source, NULL);
        if (i % 2)
            request = help_with_files(request);
        struct scene *scene = engine_answer(engine, &request);
        assert_null(scene->error);
        assert_int_equal(scene->step != NULL, i % 2);
        if (scene->step)
            assert_string_equal(scene->step->text, POEM);
        scene_free(scene);
    }
    engine_free(engine);
}

static void a_poem_is_whole(void **state)
{
    (void)state;
    char *source = help_file("tests/lessons/poem.lua");
    struct request request = help_with_files(help_frame(source, "read"));
    request.file = "tests/lessons/poem.lua";
    struct scene *scene = help_step(&request);
    assert_string_equal(scene->lesson->title, "A poem of 2 lines");
    assert_string_equal(scene->step->text, "The poem: " POEM "\n\nIts first word is Roses; the note has 20 bytes.");
    scene_free(scene);
    free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_its_text),
        cmocka_unit_test(a_file_named_while_loading_is_a_text_when_used),
        cmocka_unit_test(a_file_may_stand_wherever_words_do),
        cmocka_unit_test(without_its_files_a_lesson_tells_what_it_can),
        cmocka_unit_test(with_other_files_a_lesson_waits_as_well),
        cmocka_unit_test(faults_are_named_with_their_place),
        cmocka_unit_test(shared_code_asks_for_the_lesson_s_files),
        cmocka_unit_test(what_is_no_text_is_said_in_words),
        cmocka_unit_test(a_file_that_changes_is_read_again),
        cmocka_unit_test(one_engine_serves_both),
        cmocka_unit_test(a_poem_is_whole),
    };
    return cmocka_run_group_tests_name("files", tests, open_files, help_close_files);
}
