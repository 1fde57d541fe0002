/* Every wrong answer that a built-in lesson declares, for 200 seeds: computed on that learner's numbers, written as the question asks
   and typed, it gets its own feedback; and what is right is right. */
#include "engine_help.h"

#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__ /* ten times as slow */
enum { SEEDS = 20 };
#else
enum { SEEDS = 200 };
#endif
enum { WORKERS = 2, LESSONS_MAX = 64, SHARED_MAX = 16 };

struct course {
    char *name[LESSONS_MAX], *text[LESSONS_MAX];
    size_t count;
    struct request_shared shared[SHARED_MAX];
    size_t shared_count;
};

static char *printed(const char *format, const char *name)
{
    char *text;
    assert_true(asprintf(&text, format, name) > 0);
    return text;
}

/* The lessons that course.lua lists, and the modules of shared/ that they use. */
static void read_course(struct course *out)
{
    char *source = help_file("lessons/course.lua");
    struct request request = help_request(REQUEST_COURSE, source);
    request.file = "lessons/course.lua";
    struct scene *scene = help_ask(&request);
    *out = (struct course){ .count = scene->course->lessons.count };
    for (size_t i = 0; i < out->count; i++) {
        char *path = printed("lessons/%s.lua", scene->course->lessons.item[i]);
        out->name[i] = path;
        out->text[i] = help_file(path);
        for (const char *at = out->text[i]; (at = strstr(at, "use \"")); at++) {
            char *name = strndup(at + 5, strcspn(at + 5, "\"")), *module = printed("lessons/shared/%s.lua", name);
            out->shared[out->shared_count++] = (struct request_shared){ name, help_file(module) };
            free(module);
        }
    }
    scene_free(scene);
    free(source);
}

static void free_course(struct course *course)
{
    for (size_t i = 0; i < course->count; i++) {
        free(course->name[i]);
        free(course->text[i]);
    }
    for (size_t i = 0; i < course->shared_count; i++) {
        free((char *)course->shared[i].name);
        free((char *)course->shared[i].text);
    }
}

static struct scene *ask(struct engine *engine, const struct request *request)
{
    struct scene *scene = engine_answer(engine, request);
    assert_non_null(scene);
    if (scene->error)
        fail_msg("seed %llu: %s", (unsigned long long)request->seed, scene->error);
    return scene;
}

static const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = { "none", "right", "wrong", "unread" };
    return words[verdict];
}

/* How many of the question's declared answers are not taken for what they are. */
static size_t send_back(struct engine *engine, struct request request, size_t *sent)
{
    request.kind = REQUEST_CHECK;
    struct scene *declared = ask(engine, &request);
    size_t bad = 0;
    assert_true(declared->check->declared_count > 0);
    for (size_t i = 0; i < declared->check->declared_count; i++) {
        const struct scene_declared *answer = &declared->check->declared[i];
        bool right = !*answer->id;
        request.kind = REQUEST_FRAME;
        request.answer = answer->typed;
        struct scene *scene = ask(engine, &request);
        const struct scene_question *q = scene->step->question;
        if (q->verdict != (right ? VERDICT_RIGHT : VERDICT_WRONG) || strcmp(q->mistake, answer->id) || (!right && !*q->say)) {
            print_error("%s, %s, seed %llu: `%s` is %s, mistake \"%s\", \"%s\"; it is \"%s\"\n", request.file, request.step, (unsigned long long)request.seed,
                        answer->typed, verdict_word(q->verdict), q->mistake, q->say, right ? "right" : answer->id);
            bad++;
        }
        scene_free(scene);
        ++*sent;
    }
    scene_free(declared);
    return bad;
}

static size_t try_lesson(struct engine *engine, const struct course *course, size_t lesson, uint64_t seed, size_t *sent)
{
    struct request request = help_request(REQUEST_LESSON, course->text[lesson]);
    request.file = course->name[lesson];
    request.seed = seed;
    request.shared = course->shared;
    request.shared_count = course->shared_count;
    struct scene *outline = ask(engine, &request);
    size_t bad = 0;
    for (size_t i = 0; i < outline->lesson->step_count; i++) {
        request.step = outline->lesson->steps[i].id;
        if (outline->lesson->steps[i].kind != STEP_TELL)
            bad += send_back(engine, request, sent);
    }
    scene_free(outline);
    return bad;
}

static int work(const struct course *course, uint64_t first)
{
    struct engine *engine = help_engine();
    size_t bad = 0, sent = 0;
    for (uint64_t seed = first; seed <= SEEDS; seed += WORKERS)
        for (size_t lesson = 0; lesson < course->count; lesson++)
            bad += try_lesson(engine, course, lesson, seed, &sent);
    engine_free(engine);
    return bad || sent < SEEDS / WORKERS * course->count;
}

static void every_declared_answer_is_known(void **state)
{
    (void)state;
    struct course course;
    pid_t workers[WORKERS];
    read_course(&course);
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = fork();
        assert_true(workers[i] >= 0);
        if (workers[i] == 0)
            _exit(work(&course, (uint64_t)i + 1));
    }
    int failed = 0;
    for (int i = 0; i < WORKERS; i++) {
        int status;
        assert_int_equal(waitpid(workers[i], &status, 0), workers[i]);
        failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    free_course(&course);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_declared_answer_is_known) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
