/* normtutor show LESSON --step ID …: one frame, as the tutor would draw it, as text. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "app/assign.h"
#include "app/desk.h"
#include "app/work_file.h"
#include "base/path.h"
#include "cmd/cmd.h"
#include "ui/tty.h"

enum { SHOW_SEED = 1, SIZE_LEAST = 1, SIZE_MOST = 1000 };

struct show {
    struct tutor_options tutor;
    const char *lesson, *step;
    uint64_t seed, hints, sure;
    bool give_up, ascii, ansi;
    int columns, rows;
    char **sets, **answers; /* borrowed from argv */
    size_t set_count, answer_count;
};

static bool read_size(const char *text, int *columns, int *rows)
{
    char *end;
    long c = strtol(text, &end, 10);
    if (end == text || *end != 'x')
        return false;
    const char *second = end + 1;
    long r = strtol(second, &end, 10);
    if (end == second || *end || c < SIZE_LEAST || c > SIZE_MOST || r < SIZE_LEAST || r > SIZE_MOST)
        return false;
    *columns = (int)c;
    *rows = (int)r;
    return true;
}

/* "NAME=VALUE": cuts at the first "=". */
static char *value_of(char *set)
{
    char *equals = strchr(set, '=');
    if (!equals || equals == set)
        return NULL;
    *equals = '\0';
    return equals + 1;
}

/* The session's request is sent until its answer is to be shown. The exit status. */
static int ask(struct tutor *tutor, struct session *session, struct desk *desk)
{
    for (int round = 0; round < 4; round++) {
        struct request request;
        struct scene *scene = NULL;
        struct error err = {0};
        session_request(session, &request);
        if (tutor_ask(tutor, &request, &scene, &err) != 0)
            return cmd_fail(EXIT_WRONG, "%s", err.text);
        session_sent(session, scene->number);
        session_files(session, scene);
        if (scene->error) {
            cmd_fail(EXIT_WRONG, "%s", scene->error);
            scene_free(scene);
            return EXIT_WRONG;
        }
        enum session_took took = session_take(session, scene, NULL);
        if (session->travel_frame > 0) {
            session_travel_end(session);
            took = SESSION_AGAIN;
        }
        desk_settle(desk, session);
        if (took != SESSION_AGAIN)
            return 0;
    }
    return 0;
}

static int apply_sets(const struct show *show, struct session *session)
{
    struct error err = {0};
    for (size_t i = 0; i < show->set_count; i++) {
        const char *name = show->sets[i], *value = name + strlen(name) + 1;
        if (session_assign(session, name, value, &err) != 0)
            return cmd_fail(EXIT_USAGE, "%s", err.text);
    }
    return 0;
}

/* A program may be given as "@FILE". *text is the caller's to free. The exit status. */
static int read_answer(const struct session *session, const char *answer, char **text)
{
    struct error err = {0};
    size_t length;
    *text = NULL;
    if (session_step(session)->kind != STEP_CODE || answer[0] != '@')
        *text = strdup(session_option(session, answer));
    else if (path_read(answer + 1, WORK_TEXT_MAX, text, &length, &err) != 0)
        return cmd_fail(EXIT_USAGE, "%s", err.text);
    else if (strlen(*text) != length)
        return cmd_fail(EXIT_USAGE, "%s is not a program: there is a zero byte in it", answer + 1);
    return *text ? 0 : cmd_fail(EXIT_WRONG, "normtutor: out of memory");
}

static int apply_answers(const struct show *show, struct tutor *tutor, struct session *session, struct desk *desk)
{
    struct error err = {0};
    if (show->answer_count > 0 && !session_question(session))
        return cmd_fail(EXIT_USAGE, "the step \"%s\" asks nothing: --answer has no place there", session->step);
    for (size_t i = 0; i < show->answer_count && session_open_question(session); i++) {
        char *text;
        int status = read_answer(session, show->answers[i], &text);
        if (status == 0 && session_answer(session, text, (uint32_t)show->sure, &err) != 0)
            status = cmd_fail(EXIT_WRONG, "%s", err.text);
        if (status == 0)
            status = ask(tutor, session, desk);
        if (status == 0)
            desk_lay(desk, session_step(session), text);
        free(text);
        if (status != 0)
            return status;
    }
    if (show->give_up && session_give_up(session))
        return ask(tutor, session, desk);
    return 0;
}

static int draw(const struct show *show, const struct session *session, const struct desk *desk)
{
    struct lesson_screen screen;
    struct drawn drawn;
    struct strbuf text = {0};
    struct grid *grid = grid_new(show->columns, show->rows, show->ascii || !tty_unicode());
    if (!grid)
        return cmd_fail(EXIT_WRONG, "normtutor: out of memory");
    desk_screen(desk, session, &screen);
    draw_lesson(grid, &screen, &drawn);
    grid_write(grid, show->ansi, &text);
    cmd_print(&text);
    strbuf_free(&text);
    grid_free(grid);
    return cmd_flush(0);
}

static int frame(const struct show *show, struct tutor *tutor, struct session *session)
{
    struct desk desk;
    desk_clear(&desk);
    desk.sure = (uint32_t)show->sure;
    session_set_seed(session, show->seed);
    session_goto(session, show->step ? show->step : session_lesson(session)->steps[0].id);
    session->inputs.hints = (uint32_t)show->hints;
    int status = ask(tutor, session, &desk);
    if (status == 0)
        status = apply_sets(show, session);
    if (status == 0 && show->set_count > 0)
        status = ask(tutor, session, &desk);
    if (status == 0)
        status = apply_answers(show, tutor, session, &desk);
    /* A prediction sends its knobs to their end; what was set has the last word. */
    if (status == 0 && show->set_count > 0 && show->answer_count > 0) {
        status = apply_sets(show, session);
        if (status == 0)
            status = ask(tutor, session, &desk);
    }
    return status != 0 ? status : draw(show, session, &desk);
}

static int run(const struct show *show)
{
    struct tutor tutor;
    struct tutor_options options = show->tutor;
    struct course *course;
    struct session session;
    struct error err = {0};
    size_t lesson;
    options.no_store = true;
    int status = cmd_open(&tutor, &options);
    if (status != 0)
        return status;
    status = cmd_find(&tutor, show->lesson, false, &course, &lesson);
    if (status == 0 && show->step)
        status = cmd_check_step(course, lesson, show->step);
    if (status == 0 && course_outline(course, lesson)->step_count == 0)
        status = cmd_fail(EXIT_WRONG, "%s has no steps", course->lessons[lesson].label);
    if (status == 0 && session_open(&session, course, lesson, NULL, &err) != 0)
        status = cmd_fail(EXIT_WRONG, "%s", err.text);
    else if (status == 0) {
        status = frame(show, &tutor, &session);
        session_close(&session);
    }
    tutor_close(&tutor);
    return status;
}

static int read_options(struct show *show, int argc, char **argv)
{
    enum { NO_CAGE = 256, STEP, SEED, SET, ANSWER, SIZE, ASCII, ANSI, HINTS, SURE, GIVE_UP };
    static const struct option options[] = {
        {"no-cage", no_argument, NULL, NO_CAGE},   {"step", required_argument, NULL, STEP}, {"seed", required_argument, NULL, SEED},
        {"set", required_argument, NULL, SET},     {"answer", required_argument, NULL, ANSWER},
        {"size", required_argument, NULL, SIZE},   {"ascii", no_argument, NULL, ASCII},     {"ansi", no_argument, NULL, ANSI},
        {"hints", required_argument, NULL, HINTS}, {"sure", required_argument, NULL, SURE}, {"give-up", no_argument, NULL, GIVE_UP},
        {0}};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case NO_CAGE: show->tutor.open = true; break;
        case STEP: show->step = optarg; break;
        case SEED:
            if (!cmd_number(optarg, &show->seed))
                return cmd_fail(EXIT_USAGE, "--seed takes a whole number, not \"%s\"", optarg);
            break;
        case SET:
            show->sets[show->set_count++] = optarg;
            if (!value_of(optarg))
                return cmd_fail(EXIT_USAGE, "--set takes NAME=VALUE, not \"%s\"", optarg);
            break;
        case ANSWER: show->answers[show->answer_count++] = optarg; break;
        case SIZE:
            if (!read_size(optarg, &show->columns, &show->rows))
                return cmd_fail(EXIT_USAGE, "--size takes columns and rows, such as 80x24, not \"%s\"", optarg);
            break;
        case ASCII: show->ascii = true; break;
        case ANSI: show->ansi = true; break;
        case HINTS:
            if (!cmd_number(optarg, &show->hints) || show->hints > 1000)
                return cmd_fail(EXIT_USAGE, "--hints takes a whole number, not \"%s\"", optarg);
            break;
        case SURE:
            if (!cmd_number(optarg, &show->sure) || show->sure < 1 || show->sure > 3)
                return cmd_fail(EXIT_USAGE, "--sure takes 1, 2 or 3, not \"%s\"", optarg);
            break;
        case GIVE_UP: show->give_up = true; break;
        default: return cmd_bad_option(option, argv);
        }
    }
    if (optind + 1 != argc)
        return cmd_fail(EXIT_USAGE, "show takes one lesson: an id, COURSE/ID or a file; normtutor list says which there are");
    show->lesson = argv[optind];
    return 0;
}

int cmd_show(int argc, char **argv)
{
    struct show show = {.seed = SHOW_SEED, .sure = 2, .columns = 80, .rows = 24};
    show.sets = calloc((size_t)argc, sizeof *show.sets);
    show.answers = calloc((size_t)argc, sizeof *show.answers);
    int status = show.sets && show.answers ? read_options(&show, argc, argv) : cmd_fail(EXIT_WRONG, "normtutor: out of memory");
    if (status == 0)
        status = run(&show);
    free(show.sets);
    free(show.answers);
    return status;
}
