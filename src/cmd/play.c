/* normtutor [--plain] [--no-cage]; normtutor play LESSON [--watch] [--step ID] [--seed N] [--plain] */
#include <getopt.h>
#include <stdio.h>

#include "app/app.h"
#include "cmd/cmd.h"
#include "ui/tty.h"

struct play {
    bool plain;
    struct tutor_options tutor;
    struct app_start start;
};

/* The exit status of the talk, on the screen where there is one. */
static int talk(struct tutor *tutor, struct play *play)
{
    struct error err = {0};
    int status = 0;
    if (!play->plain && !tty_possible(&err)) {
        cmd_fail(0, "normtutor: plain lines, because %s (--plain asks for them)", err.text);
        play->plain = true;
    }
    err = (struct error){0};
    int result = play->plain ? plain_run(tutor, &play->start, stdin, stdout, &status, &err)
                             : app_run(tutor, &play->start, &status, &err);
    if (result != 0)
        return cmd_fail(EXIT_WRONG, "%s", err.text);
    return status;
}

int cmd_course(int argc, char **argv)
{
    enum { PLAIN = 256, NO_CAGE };
    static const struct option options[] = {{"plain", no_argument, NULL, PLAIN}, {"no-cage", no_argument, NULL, NO_CAGE}, {0}};
    struct play play = {0};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case PLAIN: play.plain = true; break;
        case NO_CAGE: play.tutor.open = true; break;
        default: return cmd_bad_option(option, argv);
        }
    }
    if (optind < argc)
        return cmd_fail(EXIT_USAGE, "\"%s\" is not expected here; normtutor play LESSON opens one lesson", argv[optind]);
    struct tutor tutor;
    int status = cmd_open(&tutor, &play.tutor);
    if (status != 0)
        return status;
    if (tutor.course_count == 0) {
        tutor_close(&tutor);
        return cmd_fail(EXIT_WRONG, "normtutor: the built-in course is not where it should be: beside the program, in lessons/");
    }
    play.start.course = tutor.courses[0];
    status = talk(&tutor, &play);
    tutor_close(&tutor);
    return status;
}

int cmd_play(int argc, char **argv)
{
    enum { PLAIN = 256, NO_CAGE, STEP, SEED, WATCH };
    static const struct option options[] = {{"plain", no_argument, NULL, PLAIN},
                                            {"no-cage", no_argument, NULL, NO_CAGE},
                                            {"step", required_argument, NULL, STEP},
                                            {"seed", required_argument, NULL, SEED},
                                            {"watch", no_argument, NULL, WATCH},
                                            {0}};
    struct play play = {.start = {.in_lesson = true}};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case PLAIN: play.plain = true; break;
        case NO_CAGE: play.tutor.open = true; break;
        case STEP: play.start.step = optarg; break;
        case WATCH: play.start.watch = true; break;
        case SEED:
            play.start.seeded = true;
            if (!cmd_number(optarg, &play.start.seed))
                return cmd_fail(EXIT_USAGE, "--seed takes a whole number, not \"%s\"", optarg);
            break;
        default: return cmd_bad_option(option, argv);
        }
    }
    if (optind + 1 != argc)
        return cmd_fail(EXIT_USAGE, "play takes one lesson: an id, COURSE/ID or a file; normtutor list says which there are");
    struct tutor tutor;
    int status = cmd_open(&tutor, &play.tutor);
    if (status != 0)
        return status;
    status = cmd_find(&tutor, argv[optind], play.start.watch, &play.start.course, &play.start.lesson);
    if (status == 0 && play.start.step && course_outline(play.start.course, play.start.lesson))
        status = cmd_check_step(play.start.course, play.start.lesson, play.start.step);
    if (status == 0)
        status = talk(&tutor, &play);
    tutor_close(&tutor);
    return status;
}
