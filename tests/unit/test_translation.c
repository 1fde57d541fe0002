/* Lessons in another language: what is shown, what is refused, how the file is kept in step. */
#include "engine_help.h"

static const char *lesson =
    "return lesson \"try\" {\n"
    "  format = 1, title = \"The mean\", about = \"About {braces}.\", goal = \"To know {n}.\",\n"
    "  data = function(random) return { x = random:integers { 3, from = 1, to = 9 }, n = 3 } end,\n"
    "  step \"look\" {\n"
    "    text  = \"A token {x|2} of {n} features.\",\n"
    "    knobs = { knob.pick \"by\" { \"n\", \"less\", names = { n = \"all\", less = \"one less\" }, label = \"divide by\" }, knob.int \"plain\" { 1, 2 } },\n"
    "    show  = view.column { view.table { head = { \"number\" }, { \"n\" } },\n"
    "                          view.plot { over = { \"s\", 0, 1, label = \"way\" }, lines = { { \"s\", label = \"line\" } } } },\n"
    "  },\n"
    "  ask.choice \"pick\" {\n"
    "    text = \"Which?\",\n"
    "    option \"up\" { \"up\", right = true },\n"
    "    option \"down\" { \"down\", say = \"No, {n}.\" },\n"
    "    show = view.plot { over = { \"s\", 0, 1 }, lines = { { \"s\", label = \"secret\" } } },\n"
    "    hide = { \"secret\" },\n"
    "    hints = { \"First.\", \"Second.\" },\n"
    "    why = \"So.\",\n"
    "  },\n"
    "  ask.number \"mean\" {\n"
    "    text = \"The mean of {x}?\", answer = \"x:mean()\",\n"
    "    mistake \"sum\" { by = \"x:sum()\", say = \"{got} is the sum.\" },\n"
    "    why = \"{answer}.\",\n"
    "  },\n"
    "}\n";

static struct request_translation translation;

static struct request in_german(struct request request, const char *text)
{
    translation = (struct request_translation){ "de", "lessons/lang/de/try.lua", text, strlen(text) };
    request.translation = &translation;
    return request;
}

static struct scene *german_step(const char *step, const char *text)
{
    struct request request = in_german(help_frame(lesson, step), text);
    return help_step(&request);
}

static void refuse(const char *text, const char *words)
{
    struct request request = in_german(help_request(REQUEST_TRANSLATE, lesson), text);
    struct scene *scene = help_ask(&request);
    if (!scene->error || strcmp(scene->error, words))
        fail_msg("\"%s\" and not \"%s\", from\n%s", scene->error ? scene->error : "no error", words, text);
    scene_free(scene);
}

/* What the file becomes; the caller's to free. */
static struct scene *renew_of(const char *source, const char *text)
{
    struct request request = in_german(help_request(REQUEST_TRANSLATE, source), text);
    struct scene *scene = help_ask(&request);
    if (scene->error)
        fail_msg("%s", scene->error);
    assert_non_null(scene->translation);
    return scene;
}

static struct scene *renew(const char *text)
{
    return renew_of(lesson, text);
}

static void counts(const struct scene *scene, uint32_t fresh, uint32_t changed, uint32_t kept, uint32_t moved, uint32_t empty, uint32_t gone)
{
    const struct scene_translation *t = scene->translation;
    if (t->fresh != fresh || t->changed != changed || t->kept != kept || t->moved != moved || t->empty != empty || t->gone != gone)
        fail_msg("%u new, %u changed, %u kept, %u moved, %u empty, %u gone in\n%s", t->fresh, t->changed, t->kept, t->moved, t->empty, t->gone,
                 t->text);
}

static bool says(const struct scene *scene, uint32_t line, const char *words)
{
    for (size_t i = 0; i < scene->translation->fault_count; i++)
        if (scene->translation->faults[i].line == line && !strcmp(scene->translation->faults[i].what, words))
            return true;
    return false;
}

static void blame(const char *text, uint32_t line, const char *words)
{
    struct scene *scene = renew(text);
    if (!says(scene, line, words))
        fail_msg("not \"%s\" from\n%s", words, text);
    scene_free(scene);
}

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("no \"%s\" in\n%s", from, text);
    char *out = calloc(1, strlen(text) + strlen(to) + 1);
    assert_non_null(out);
    memcpy(out, text, (size_t)(at - text));
    strcat(strcat(out, to), at + strlen(from));
    return out;
}

static void words_are_shown_in_the_language(void **state)
{
    (void)state;
    struct scene *scene = german_step("look", "return { title = { 'Der Mittelwert' }, ['look.text'] = { '{n} Merkmale: {x|2}' },\n"
                                              "['look.knobs.by.label'] = { 'durch' }, ['look.knobs.by.names.less'] = { 'eins weniger' },\n"
                                              "['look.show.1.head.1'] = { 'Zahl' }, ['look.show.2.over.label'] = { 'Weg' } }");
    assert_string_equal(scene->lesson->title, "Der Mittelwert");
    assert_memory_equal(scene->step->text, "3 Merkmale: [", 13);
    assert_string_equal(scene->lesson->goal, "To know 3."); /* not translated */
    assert_string_equal(scene->step->knobs[0].label, "durch");
    assert_string_equal(scene->step->knobs[0].option_names.item[0], "all");
    assert_string_equal(scene->step->knobs[0].option_names.item[1], "eins weniger");
    assert_string_equal(scene->step->knobs[0].options.item[1], "less"); /* an id stays */
    const struct view *view = scene->step->view;
    assert_string_equal(view->children[0].parts[0].as.table.head.item[0], "Zahl");
    assert_string_equal(view->children[1].parts[0].as.plot.x_label, "Weg");
    assert_string_equal(view->children[1].parts[0].as.plot.lines[0].label, "line");
    scene_free(scene);
}

static void what_changed_since_or_is_empty_stays_as_the_lesson_has_it(void **state)
{
    (void)state;
    struct scene *made = renew("return { title = { 'Alt', of = '00000000' }, about = { '' }, goal = { 'Um {n} zu kennen.' } }");
    struct request request = in_german(help_frame(lesson, "look"), made->translation->text);
    struct scene *scene = help_step(&request);
    assert_string_equal(scene->lesson->title, "The mean");
    assert_string_equal(scene->lesson->about, "About {braces}.");
    assert_string_equal(scene->lesson->goal, "Um 3 zu kennen.");
    counts(made, 18, 1, 1, 0, 1, 0);
    scene_free(scene);
    scene_free(made);
}

static void what_is_broken_stays_as_the_lesson_has_it(void **state)
{
    (void)state;
    const char *entries[] = { "{ '{n} Merkmale' }", "{ '{n} {x|2} {y}' }", "{ '{n} {x|2} {' }", "{ '{n} {x|2} {}' }", "'{n} {x|2}'", "{}", "{ 7 }",
                              "{ '{n} {x|2}', of = 7 }", "{ '{n} {x|2}\\0' }" };
    for (size_t i = 0; i < HELP_COUNT(entries); i++) {
        char text[200];
        snprintf(text, sizeof text, "return { ['look.text'] = %s, title = { 'Neu' }, ['look.knobs.by.label'] = { 'durch' } }", entries[i]);
        struct scene *scene = german_step("look", text);
        assert_memory_equal(scene->step->text, "A token [", 9);
        assert_string_equal(scene->lesson->title, "Neu");
        assert_string_equal(scene->step->knobs[0].label, "durch");
        scene_free(scene);
    }
    const char *files[] = { "return 7", "return {\n  title = { nn },\n}", "return {\n  title = { 'Ein' }\n  goal = 1", "error('x')", "" };
    for (size_t i = 0; i < HELP_COUNT(files); i++) {
        struct scene *scene = german_step("look", files[i]);
        assert_string_equal(scene->lesson->title, "The mean");
        scene_free(scene);
    }
}

static void a_curve_is_hidden_whatever_its_label(void **state)
{
    (void)state;
    struct scene *scene = german_step("pick", "return { ['pick.show.lines.1.label'] = { 'geheim' } }");
    const struct plot_line *line = &scene->step->view->parts[0].as.plot.lines[0];
    assert_string_equal(line->label, "geheim");
    assert_true(line->hidden);
    scene_free(scene);
}

/* The same verdicts, numbers and ids in both languages. */
static void verdicts_do_not_depend_on_the_language(void **state)
{
    (void)state;
    const char *text = "return { ['mean.sum.say'] = { 'Das ist die Summe, {got}.' }, ['pick.down.say'] = { 'Nein, {n}.' }, ['pick.down.text'] = { 'ab' } }";
    struct { const char *step, *answer, *say; } cases[] = {
        { "mean", "100", NULL }, { "mean", "?", NULL }, { "pick", "up", NULL }, { "pick", "down", "Nein, 3." }, { "pick", "ab", NULL },
    };
    for (uint64_t seed = 1; seed <= 5; seed++)
        for (size_t i = 0; i < HELP_COUNT(cases); i++) {
            struct request request = help_frame(lesson, cases[i].step);
            request.seed = seed;
            request.answer = cases[i].answer;
            struct scene *own = help_step(&request);
            struct request german = in_german(request, text);
            struct scene *other = help_step(&german);
            const struct scene_question *a = own->step->question, *b = other->step->question;
            assert_int_equal(a->verdict, b->verdict);
            assert_string_equal(a->mistake, b->mistake);
            assert_string_equal(a->answer, b->answer);
            if (cases[i].say)
                assert_string_equal(b->say, cases[i].say);
            scene_free(own);
            scene_free(other);
        }
}

static void the_memo_does_not_mix_languages(void **state)
{
    (void)state;
    struct engine *engine = help_engine();
    const char *texts[] = { "return { title = { 'Eins' } }", NULL, "return { title = { 'Zwei' } }", "return { title = { 'Eins' } }" };
    const char *titles[] = { "Eins", "The mean", "Zwei", "Eins" };
    for (size_t i = 0; i < HELP_COUNT(texts); i++) {
        struct request request = help_frame(lesson, "look");
        if (texts[i])
            request = in_german(request, texts[i]);
        struct scene *scene = engine_answer(engine, &request);
        assert_string_equal(scene->lesson->title, titles[i]);
        scene_free(scene);
    }
    engine_free(engine);
}

static void what_is_wrong_is_said_with_its_place(void **state)
{
    (void)state;
    blame("return {\n  ['look.text'] = { '{n} Merkmale' },\n}", 2, "`look.text` lacks the hole {x|2} that the lesson's words have");
    blame("return {\n\n  [\"look.text\"] = { '{n} {x|2} {y}' },\n}", 3, "`look.text` has the hole {y}, which the lesson's words have not");
    blame("return {\n  goal = { 'Nichts' },\n}", 2, "`goal` lacks the hole {n} that the lesson's words have");
    refuse("return {\n  title = { 'Ein' },\n  ['look.text'] = { '{n} {x|2} {' },\n}",
           "lessons/lang/de/try.lua:3: `text`: a hole is opened with { and never closed; write {{ for a brace");
    refuse("return {\n  title = 'Ein',\n}", "lessons/lang/de/try.lua:2: `title` must be a list that begins with its words: { \"…\", of = \"…\" }");
    refuse("return {\n  title = { 'Ein', of = 7 },\n}",
           "lessons/lang/de/try.lua:2: `title` must have a text as its `of`: the fingerprint of the words that were translated");
    refuse("return {\n  title = { 'Ein\\0s' },\n}", "lessons/lang/de/try.lua:2: `title` has a zero byte in its words");
    refuse("return { { 'Ein' } }", "lessons/lang/de/try.lua: its keys are texts: [\"a-step.text\"] = { \"…\", of = \"…\" }");
    refuse("return 7", "lessons/lang/de/try.lua: a translation returns a table: return { [\"a-step.text\"] = { \"…\", of = \"…\" }, … }");
    refuse("return {\n  title = { nn },\n}", "lessons/lang/de/try.lua:2: a translation is data alone: `nn` is not at hand");
    refuse("return {\n  title = { 'Ein' }\n  goal = 1", "lessons/lang/de/try.lua:3: '}' expected (to close '{' at line 1) near 'goal'");
    refuse("while true do end", "lessons/lang/de/try.lua:1: this takes too long and was stopped");
}

static void the_file_is_made_and_kept(void **state)
{
    (void)state;
    struct scene *first = renew("");
    counts(first, 21, 0, 0, 0, 0, 0);
    struct scene *again = renew(first->translation->text);
    counts(again, 0, 0, 0, 0, 21, 0);
    assert_string_equal(again->translation->text, first->translation->text);
    assert_true(says(again, 7, "21 texts are not translated, the first is `title`"));
    assert_non_null(strstr(first->translation->text, "  --: A token {x|2} of {n} features.\n  [\"look.text\"] = { \"\", of = \""));
    const char *order[] = { "title", "goal", "about", "look.text", "look.knobs.by.label", "look.knobs.by.names.n", "look.knobs.by.names.less",
                            "look.show.1.head.1", "look.show.2.over.label", "look.show.2.lines.1.label", "pick.text", "pick.show.lines.1.label",
                            "pick.up.text", "pick.down.text", "pick.down.say", "pick.hints.1", "pick.hints.2", "pick.why", "mean.text",
                            "mean.sum.say", "mean.why" };
    const char *at = first->translation->text;
    for (size_t i = 0; i < HELP_COUNT(order); i++) {
        char key[64];
        snprintf(key, sizeof key, "  [\"%s\"] = {", order[i]);
        at = strstr(at, key);
        if (!at)
            fail_msg("%s is missing or out of order", order[i]);
    }
    assert_null(strstr(first->translation->text, "look.knobs.plain")); /* shown by its id in every language */
    scene_free(again);
    scene_free(first);
}

static void nothing_a_translator_wrote_is_lost(void **state)
{
    (void)state;
    struct scene *made = renew("-- Von mir.\n-- Zwei Zeilen.\nreturn {\n"
                               "  -- Merkmal, nicht Eigenschaft\n"
                               "  ['look.text'] = { [=[\n{n} Merkmale: {x|2}\nund ]] dazu\n]=] }, -- hinter dem Eintrag\n"
                               "  --: wird neu gemacht\n"
                               "  title = { \"Der \\\"Mittelwert\\\" \\\\ \\9\" },\n"
                               "  --[[ lang\n  und breit ]]\n"
                               "  ['pick.why'] = { 'Da' .. 'rum.', of = '12345678' },\n"
                               "  ['old.text'] = { 'Alt\\nund gut', of = '87654321' },\n"
                               "  ['old.why'] = { '' },\n"
                               "  -- am Ende\n"
                               "}\n-- und danach\n");
    counts(made, 18, 1, 2, 0, 0, 1);
    assert_non_null(strstr(made->translation->text, "-- Von mir.\n-- Zwei Zeilen.\nreturn {"));
    assert_non_null(strstr(made->translation->text, "\n  -- Merkmal, nicht Eigenschaft\n  -- hinter dem Eintrag\n  --: A token"));
    assert_non_null(strstr(made->translation->text, "= { [=[\n{n} Merkmale: {x|2}\nund ]] dazu\n]=], of = "));
    assert_non_null(strstr(made->translation->text, "\n  --[[ lang\n  und breit ]]\n  --: CHANGED"));
    assert_non_null(strstr(made->translation->text, "\n  --: So.\n  [\"pick.why\"] = { \"Darum.\", of = \"12345678\" },\n"));
    assert_non_null(strstr(made->translation->text, "\n  -- No longer in the lesson:\n  -- [\"old.text\"] = { [[\n  -- Alt\n  -- und gut]], of = \"87654321\" },\n"));
    assert_non_null(strstr(made->translation->text, "\n  -- am Ende\n  -- und danach\n}\n"));
    assert_null(strstr(made->translation->text, "wird neu gemacht"));
    struct scene *again = renew(made->translation->text);
    assert_string_equal(again->translation->text, made->translation->text);
    counts(again, 0, 1, 2, 0, 18, 0);
    scene_free(again);
    scene_free(made);
}

static void a_text_that_is_more_than_data_is_not_rewritten(void **state)
{
    (void)state;
    const char *texts[] = { "local a = 'Ein'\nreturn { title = { a } }", "return ({ title = { 'Ein' } })", "return { title = { 'Ein' } }, 7" };
    for (size_t i = 0; i < HELP_COUNT(texts); i++) {
        struct request request = in_german(help_request(REQUEST_TRANSLATE, lesson), texts[i]);
        struct scene *scene = help_ask(&request);
        assert_non_null(scene->error);
        assert_string_equal(scene->error, "lessons/lang/de/try.lua: a translation is `return { … }` alone; what else stands there would be lost");
        scene_free(scene);
    }
}

/* An original that changes makes its entry stale; without its `of` it is of the new words. A step that gets another id, and a hint before
   others, lose nothing. */
static void a_lesson_that_changes(void **state)
{
    (void)state;
    struct scene *made = renew("return { ['look.text'] = { '{x|2} {n}' }, ['pick.hints.1'] = { 'Erstens.' }, ['pick.hints.2'] = { 'Zweitens.' } }");
    counts(made, 18, 0, 3, 0, 0, 0);
    char *other = replaced(lesson, "A token {x|2} of {n} features.", "One token {x|2} with {n} features.");
    struct scene *changed = renew_of(other, made->translation->text);
    counts(changed, 0, 1, 2, 0, 18, 0);
    assert_true(says(changed, 16, "`look.text` was translated when the lesson had other words there"));
    const char *at = strstr(changed->translation->text, "\"look.text\"");
    assert_memory_equal(at, "\"look.text\"] = { \"{x|2} {n}\", of = \"", 36);
    char of[] = ", of = \"????????\"";
    memcpy(of, strstr(at, ", of"), sizeof of - 1);
    char *confirmed = replaced(changed->translation->text, of, "");
    struct scene *done = renew_of(other, confirmed);
    counts(done, 0, 0, 3, 0, 18, 0);
    free(confirmed);
    free(other);
    char *renamed = replaced(lesson, "step \"look\"", "step \"see\"");
    other = replaced(renamed, "hints = { \"First.\"", "hints = { \"Zeroth.\", \"First.\"");
    struct scene *moved = renew_of(other, made->translation->text);
    counts(moved, 7, 0, 3, 3, 12, 0);
    assert_non_null(strstr(moved->translation->text, "[\"see.text\"] = { \"{x|2} {n}\", of = "));
    assert_non_null(strstr(moved->translation->text, "[\"pick.hints.1\"] = { \"\", of = "));
    assert_non_null(strstr(moved->translation->text, "[\"pick.hints.3\"] = { \"Zweitens.\", of = "));
    free(renamed);
    free(other);
    scene_free(moved);
    scene_free(done);
    scene_free(changed);
    scene_free(made);
}

static void what_is_amiss_is_told(void **state)
{
    (void)state;
    char *other = replaced(lesson, "view.column {", "function(d) return view.column {");
    char *source = replaced(other, "label = \"line\" } } } },", "label = \"line\" } } } } end,");
    struct scene *scene = renew_of(source, "return {\n  ['look.text'] = { '{n} Merkmale' },\n  ['look.nothing'] = { 'Nichts' },\n}");
    assert_true(says(scene, 2, "`look.text` lacks the hole {x|2} that the lesson's words have"));
    assert_true(says(scene, 3, "`look.nothing` names nothing in the lesson"));
    assert_true(says(scene, 0, "17 texts are not translated, the first is `title`"));
    assert_true(says(scene, 7, "step \"look\": a function makes its view, whose words cannot be translated"));
    free(source);
    free(other);
    scene_free(scene);
}

static void what_stands_in_two_places_is_translated_once(void **state)
{
    (void)state;
    const char *source = "local both = view.table { head = { \"number\" }, { \"1\" } }\n"
                         "return lesson \"try\" { format = 1, title = \"t\", step \"a\" { text = \"1\", show = both }, step \"b\" { text = \"2\", show = both } }";
    struct scene *made = renew_of(source, "return { ['a.show.head.1'] = { 'Zahl' } }");
    counts(made, 3, 0, 1, 0, 0, 0);
    struct request request = in_german(help_frame(source, "b"), "return { ['a.show.head.1'] = { 'Zahl' } }");
    struct scene *scene = help_step(&request);
    assert_string_equal(scene->step->view->parts[0].as.table.head.item[0], "Zahl");
    scene_free(scene);
    scene_free(made);
}

static void a_course_has_a_title(void **state)
{
    (void)state;
    const char *source = "return course \"c\" { format = 1, title = \"Norms\", author = \"me\", lessons = { \"try\" } }";
    struct request request = in_german(help_request(REQUEST_COURSE, source), "return { title = { 'Normen' } }");
    request.file = "lessons/course.lua";
    struct scene *scene = help_ask(&request);
    assert_null(scene->error);
    assert_string_equal(scene->course->title, "Normen");
    scene_free(scene);
    request.kind = REQUEST_TRANSLATE;
    scene = help_ask(&request);
    assert_null(scene->error);
    counts(scene, 0, 0, 1, 0, 0, 0);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_shown_in_the_language),
        cmocka_unit_test(what_changed_since_or_is_empty_stays_as_the_lesson_has_it),
        cmocka_unit_test(what_is_broken_stays_as_the_lesson_has_it),
        cmocka_unit_test(a_curve_is_hidden_whatever_its_label),
        cmocka_unit_test(verdicts_do_not_depend_on_the_language),
        cmocka_unit_test(the_memo_does_not_mix_languages),
        cmocka_unit_test(what_is_wrong_is_said_with_its_place),
        cmocka_unit_test(the_file_is_made_and_kept),
        cmocka_unit_test(nothing_a_translator_wrote_is_lost),
        cmocka_unit_test(a_text_that_is_more_than_data_is_not_rewritten),
        cmocka_unit_test(a_lesson_that_changes),
        cmocka_unit_test(what_is_amiss_is_told),
        cmocka_unit_test(what_stands_in_two_places_is_translated_once),
        cmocka_unit_test(a_course_has_a_title),
    };
    return cmocka_run_group_tests_name("translation", tests, NULL, NULL);
}
