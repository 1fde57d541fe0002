#include "app/command.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *word;
    enum verb verb;
    int alone; /* only as the whole line */
} verbs[] = {
    {"next", VERB_NEXT, 1},     {"back", VERB_BACK, 1},           {"step", VERB_STEP, 0},       {"look", VERB_LOOK, 1},
    {"view", VERB_VIEW, 1},     {"view all", VERB_VIEW_ALL, 1},   {"exact", VERB_EXACT, 1},     {"reset", VERB_RESET, 1},
    {"answer", VERB_ANSWER, 0}, {"sure", VERB_SURE, 0},           {"hint", VERB_HINT, 1},       {"hints", VERB_HINTS, 1},
    {"new", VERB_NEW, 1},       {"show answer", VERB_SHOW_ANSWER, 1}, {"edit", VERB_EDIT, 1},   {"probes", VERB_PROBES, 1},
    {"off", VERB_OFF, 0},       {"on", VERB_ON, 0},               {"start over", VERB_START_OVER, 1}, {"open", VERB_OPEN, 0},
    {"list", VERB_LIST, 1},     {"review", VERB_REVIEW, 1},       {"notes", VERB_NOTES, 1},     {"help", VERB_HELP, 1},
    {"?", VERB_HELP, 1},        {"quit", VERB_QUIT, 1},           {"exit", VERB_LEAVE, 1},      {"q", VERB_LEAVE, 1},
};

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

static const char *skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* "eps 1e-3", "eps=1e-3", "x[2][3] 0.5". */
static void read_set(struct command *command)
{
    size_t length = strcspn(command->line, " \t=");
    const char *rest = skip_blanks(command->line + length);
    if (*rest == '=')
        rest = skip_blanks(rest + 1);
    if (length == 0 || length >= sizeof command->name || !*rest)
        return;
    memcpy(command->name, command->line, length);
    command->name[length] = '\0';
    command->verb = VERB_SET;
    command->rest = rest;
}

struct command command_read(char *line)
{
    struct command command = {.verb = VERB_OTHER, .line = trim(line)};
    command.rest = command.line;
    if (!command.line[0]) {
        command.verb = VERB_NOTHING;
        return command;
    }
    if (command.line[0] == '=') {
        command.verb = VERB_COMPUTE;
        command.rest = skip_blanks(command.line + 1);
        return command;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        size_t length = strlen(verbs[i].word);
        if (strncmp(command.line, verbs[i].word, length) != 0)
            continue;
        const char *rest = skip_blanks(command.line + length);
        if (verbs[i].alone ? *rest != '\0' : *rest != '\0' && rest == command.line + length)
            continue;
        command.verb = verbs[i].verb;
        command.rest = rest;
        return command;
    }
    read_set(&command);
    return command;
}
