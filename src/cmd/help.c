/* normtutor --help; normtutor help COMMAND */
#include <stdio.h>
#include <string.h>

#include "app/nearest.h"
#include "base/language.h"
#include "cmd/cmd.h"

static const struct {
    const char *command, *text;
} pages[] = {
    {"normtutor", "normtutor [--plain] [--no-cage]\n"
                  "    opens the course where you left it\n"},
    {"play", "normtutor play LESSON [--watch] [--step ID] [--seed N] [--plain] [--no-cage]\n"
             "    opens one lesson: an id, COURSE/ID, or a file; --watch loads it again whenever its files are saved\n"},
    {"list", "normtutor list [--json] [--no-cage]\n"
             "    the lessons there are, and how far you are in them\n"},
    {"notes", "normtutor notes [-o FILE] [--no-cage]\n"
              "    what you have done, as Markdown: key points of the lessons that you finished, your answers and what was said\n"},
    {"show", "normtutor show LESSON --step ID [--seed N] [--set NAME=VALUE]... [--answer TEXT]... [--sure 1|2|3] [--hints N]\n"
             "               [--give-up] [--size 80x24] [--ascii] [--ansi] [--no-cage]\n"
             "    prints one frame of a lesson and remembers nothing; NAME is a knob, x[2][3], cursor.token, stage,\n"
             "    or off, as in off=2,3, the layers whose branches are switched off; a program's TEXT may be @FILE\n"},
    {"check", "normtutor check PATH... [--seeds N] [--json] [--no-cage]\n"
              "    tries lessons as learners would, for each of 200 seeds: every answer and mistake, hint, view and knob; PATH is a\n"
              "    lesson or a course's folder. A fault is file:line: what, and exit status 1\n"},
    {"eval", "normtutor eval [FILE | - | -e CODE] [--timeout S] [--no-cage]\n"
             "    runs Lua where the lessons run, with tensor, nn and random at hand; without a file it is a console:\n"
             "    what a line leaves behind is there for the next, Tab completes, Ctrl-C stops, Ctrl-D leaves\n"},
    {"new", "normtutor new course NAME | lesson NAME\n"
            "    makes a course's folder, or a lesson's file, whose comments say how to go on; NAME may be a path\n"},
    {"pack", "normtutor pack FOLDER [-o FILE] [--no-cage]\n"
             "    makes one file of a course that loads, ID.tar.gz, and lists what is in it\n"},
    {"install", "normtutor install FILE [--yes] [--replace] [--no-cage]\n"
                "    shows whose course it is and asks; --yes does not ask, --replace puts it in place of another with its id\n"},
    {"remove", "normtutor remove COURSE [--yes]\n"
               "    removes a course that was installed, and keeps your progress in it\n"},
    {"translate", "normtutor translate LESSON LANGUAGE [--no-cage]\n"
                  "    makes lang/LANGUAGE/LESSON.lua beside the lesson, or brings it in step; course.lua has one, too\n"},
    {"help", "normtutor --help\n"
             "    this\n"},
    {"version", "normtutor --version\n"
                "    what a report of a bug should name\n"},
};
enum { PAGES = sizeof pages / sizeof pages[0] };

int cmd_help(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : NULL;
    struct nearest nearest = {.wanted = command ? command : ""};
    if (command) {
        for (size_t i = 0; i < PAGES; i++) {
            if (strcmp(pages[i].command, command) == 0) {
                fputs(pages[i].text, stdout);
                return cmd_flush(0);
            }
            nearest_offer(&nearest, pages[i].command);
        }
        return cmd_fail(EXIT_USAGE, "there is no command \"%s\"%s%s%s", command, nearest.best ? _("; did you mean \"") : "",
                        nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
    }
    fputs(_("An interactive tutor for layer normalization.\n\n"), stdout);
    for (size_t i = 0; i < PAGES; i++)
        fputs(pages[i].text, stdout);
    fputs(_("\n--plain     lines instead of a screen, for pipes and screen readers\n"
          "--lang L    with any command: in this language and not in the one that LANGUAGE, LC_ALL, LC_MESSAGES or LANG says\n"
          "--no-cage   lessons run outside the cage: only for those that you trust as you trust a program\n"
          "Progress is kept in $XDG_STATE_HOME/normtutor (or ~/.local/state/normtutor), with the programs that you mend in\n"
          "work/ there; they open in $VISUAL or $EDITOR, or in any editor. Further courses are found in\n"
          "$XDG_DATA_HOME/normtutor/courses (or ~/.local/share/normtutor/courses). NO_COLOR is respected.\n"),
          stdout);
    return cmd_flush(0);
}
