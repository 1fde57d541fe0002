/* What the tests of the app share: a folder with a course in it, and scenes as the worker would send them. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/course.h"
#include "scene/scene.h"

static inline int app_enter_folder(void **state)
{
    static char folder[64];
    strcpy(folder, "/tmp/test_app.XXXXXX");
    *state = folder;
    return mkdtemp(folder) && !chdir(folder) && !mkdir("course", 0755) ? 0 : -1;
}

static inline int app_leave_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return chdir("/") || system(command);
}

static inline void app_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline struct strings app_list(struct arena *arena, size_t count, const char *const *items)
{
    struct strings list = {arena_zero(arena, count + 1, sizeof(char *)), count};
    assert_non_null(list.item);
    for (size_t i = 0; i < count; i++)
        list.item[i] = arena_text(arena, items[i]);
    return list;
}

#define APP_LIST(arena, ...)                                                                                      \
    app_list(arena, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]){__VA_ARGS__})

static inline struct strings app_none(struct arena *arena)
{
    return app_list(arena, 0, NULL);
}

static inline struct scene *app_scene(void)
{
    struct arena *arena = arena_new();
    struct scene *scene = arena_zero(arena, 1, sizeof *scene);
    assert_non_null(scene);
    scene->arena = arena;
    return scene;
}

static inline struct scene *app_course_scene(void)
{
    struct scene *scene = app_scene();
    struct arena *arena = scene->arena;
    scene->course = arena_zero(arena, 1, sizeof *scene->course);
    *scene->course = (struct scene_course){.id = "norms", .title = "Norms", .author = "", .licence = "", .version = "",
                                           .language = "en", .lessons = APP_LIST(arena, "one", "two"), .report = ""};
    return scene;
}

/* A lesson of three steps: "look" tells, "mean" asks for a number, "who" is a prediction with a choice. */
static inline struct scene *app_lesson_scene(const char *id, const char *goal)
{
    struct scene *scene = app_scene();
    struct arena *arena = scene->arena;
    scene->lesson = arena_zero(arena, 1, sizeof *scene->lesson);
    *scene->lesson = (struct scene_lesson){.id = arena_text(arena, id), .title = "A lesson", .about = "", .renamed_from = "", .goal = arena_text(arena, goal),
                                           .remember = "", .minutes = 5, .needs = app_none(arena), .sources = app_none(arena),
                                           .files = app_none(arena), .step_count = 3};
    scene->lesson->steps = arena_zero(arena, 3, sizeof *scene->lesson->steps);
    scene->lesson->steps[0] = (struct scene_outline_step){"look", "Look", STEP_TELL, ""};
    scene->lesson->steps[1] = (struct scene_outline_step){"mean", "The mean", STEP_NUMBER, ""};
    scene->lesson->steps[2] = (struct scene_outline_step){"who", "Who", STEP_CHOICE, ""};
    return scene;
}

/* The reply to a request, as an engine would make it whose right answer is 2, and whose right option is "quiet". */
static inline struct scene *app_reply(const struct request *request, uint64_t number)
{
    struct scene *scene = app_lesson_scene("one", "You will know.");
    struct arena *arena = scene->arena;
    scene->number = number;
    if (request->kind != REQUEST_FRAME)
        return scene;
    struct scene_step *step = scene->step = arena_zero(arena, 1, sizeof *step);
    size_t at = 0;
    while (at < 2 && strcmp(scene->lesson->steps[at].id, request->step) != 0)
        at++;
    *step = (struct scene_step){.index = at, .id = scene->lesson->steps[at].id, .title = scene->lesson->steps[at].title, .text = "Text.",
                                .kind = scene->lesson->steps[at].kind, .attempt = request->attempt};
    double eps = 1e-5;
    for (size_t i = 0; i < request->setting_count; i++)
        if (strcmp(request->settings[i].name, "eps") == 0)
            eps = request->settings[i].number;
    step->knobs = arena_zero(arena, 1, sizeof *step->knobs);
    step->knob_count = 1;
    step->knobs[0] = (struct scene_knob){.name = "eps", .label = "eps", .kind = KNOB_LOG, .from = 1e-12, .to = 1, .at = 1e-5, .value = eps,
                                         .stops = 48, .value_text = "", .options = app_none(arena), .option_names = app_none(arena)};
    step->axes = arena_zero(arena, 1, sizeof *step->axes);
    step->axis_count = 1;
    step->axes[0] = (struct scene_axis){"token", 3, 2};
    step->editables = arena_zero(arena, 1, sizeof *step->editables);
    step->editable_count = 1;
    step->editables[0] = (struct scene_editable){.name = "x", .rank = 1, .extents = {3}, .axes = APP_LIST(arena, "token")};
    step->editables[0].cells = arena_zero(arena, 3, sizeof(struct cell));
    for (int i = 0; i < 3; i++)
        step->editables[0].cells[i] = (struct cell){.text = "1.5", .value = 1.5, .flags = CELL_EDITABLE};
    if (at == 0)
        return scene;
    struct scene_question *question = step->question = arena_zero(arena, 1, sizeof *question);
    *question = (struct scene_question){.expects = "", .allow = app_none(arena), .hint_total = at == 1 ? 2 : 0, .hints = app_none(arena),
                                        .echo = "", .say = "", .mistake = "", .said = "", .yours = "", .asked = "", .answer = "", .why = ""};
    if (at == 2) {
        question->predict = PREDICT_TRAVEL;
        question->travel_from = arena_zero(arena, 1, sizeof *question->travel_from);
        question->travel_to = arena_zero(arena, 1, sizeof *question->travel_to);
        question->travel_from_count = question->travel_to_count = 1;
        question->travel_from[0] = (struct setting){.name = "eps", .number = 1e-12};
        question->travel_to[0] = (struct setting){.name = "eps", .number = 1e-3};
        question->options = arena_zero(arena, 2, sizeof *question->options);
        question->option_count = 2;
        question->options[0] = (struct scene_option){"both", "both"};
        question->options[1] = (struct scene_option){"quiet", "the quiet one"};
    }
    const char *right = at == 1 ? "2" : "quiet";
    if (request->answer && strcmp(request->answer, "what") == 0) {
        question->verdict = VERDICT_UNREAD;
    } else if (request->answer) {
        question->verdict = strcmp(request->answer, right) == 0 ? VERDICT_RIGHT : VERDICT_WRONG;
        question->say = question->verdict == VERDICT_WRONG ? "You divided by n - 1." : "";
        question->mistake = question->verdict == VERDICT_WRONG ? "unbiased" : "";
    }
    question->final = request->give_up || question->verdict == VERDICT_RIGHT || (at == 2 && question->verdict == VERDICT_WRONG);
    step->locked = at == 2 && !question->final;
    return scene;
}

/* The same lesson, whose "mean" asks for a program called layer_norm.lua: right is one that names the feature. */
static inline struct scene *app_code_lesson(void)
{
    struct scene *scene = app_lesson_scene("one", "You will know.");
    scene->lesson->steps[1].kind = STEP_CODE;
    return scene;
}

static inline struct scene *app_code_reply(const struct request *request, uint64_t number, const char *start)
{
    struct scene *scene = app_reply(request, number);
    struct arena *arena = scene->arena;
    scene->lesson->steps[1].kind = STEP_CODE;
    if (!scene->step || scene->step->index != 1)
        return scene;
    struct scene_question *question = scene->step->question;
    scene->step->kind = STEP_CODE;
    question->code = arena_zero(arena, 1, sizeof *question->code);
    *question->code = (struct scene_code){.name = "layer_norm.lua", .start = arena_text(arena, start),
                                          .text = arena_text(arena, request->answer ? request->answer : start)};
    if (request->answer && strstr(request->answer, "feature"))
        question->verdict = VERDICT_RIGHT;
    if (request->give_up)
        question->verdict = VERDICT_NONE;
    question->final = request->give_up || question->verdict == VERDICT_RIGHT;
    return scene;
}

#endif
