#include "app/console.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "base/path.h"

enum { HISTORY_BYTES = 1 << 20, HISTORY_LINES = 500 };
static const char FILE_NAME[] = "line"; /* as errors name it: "line:3: ..." */

void console_open(struct console *console)
{
    char *home = path_state_home();
    *console = (struct console){.cold = false};
    console->history = home ? path_join(home, "console") : NULL;
    free(home);
}

static void free_names(struct console *console)
{
    for (size_t i = 0; i < console->name_count; i++)
        free(console->names[i]);
    free(console->names);
    console->names = NULL;
    console->name_count = 0;
}

void console_free(struct console *console)
{
    for (size_t i = 0; i < console->line_count; i++)
        free(console->lines[i]);
    free(console->lines);
    free_names(console);
    strbuf_free(&console->input);
    free(console->history);
    *console = (struct console){0};
}

/* ---- lines ---- */

static void ask(const struct console *console, const char *source, size_t before, struct request *request)
{
    *request = (struct request){
        .kind = REQUEST_LINE, .course = "", .file = FILE_NAME, .source = source, .source_length = strlen(source),
        .lines = (const char *const *)console->lines, .line_count = before,
    };
}

void console_add(struct console *console, const char *line, struct request *request)
{
    struct strbuf *input = &console->input;
    if (input->length == 0)
        for (size_t i = 0; i < console->typed; i++) /* so an error has the number of its line */
            strbuf_add(input, "\n");
    else
        strbuf_add(input, "\n");
    strbuf_add(input, line);
    console->typed++;
    console_ask(console, request);
}

void console_ask(const struct console *console, struct request *request)
{
    ask(console, strbuf_string(&console->input), console->line_count, request);
}

void console_give_up(struct console *console)
{
    strbuf_free(&console->input);
}

static void keep_line(struct console *console)
{
    char **lines = list_room(console->lines, console->line_count, &console->line_capacity, sizeof *lines);
    if (!lines)
        return;
    console->lines = lines;
    if ((console->lines[console->line_count] = strdup(strbuf_string(&console->input))))
        console->line_count++;
}

bool console_take(struct console *console, const struct scene *scene)
{
    if (scene->typed == TYPED_OPEN)
        return true;
    console->cold = scene->typed == TYPED_LOST;
    if (scene->typed == TYPED_KEPT)
        keep_line(console);
    console_give_up(console);
    return false;
}

bool console_again(const struct console *console, size_t at, struct request *request)
{
    if (at >= console->line_count)
        return false;
    ask(console, console->lines[at], at, request);
    return true;
}

void console_forget(struct console *console, size_t at)
{
    free(console->lines[at]);
    memmove(console->lines + at, console->lines + at + 1, (--console->line_count - at) * sizeof *console->lines);
}

/* ---- names ---- */

void console_ask_names(const struct console *console, struct request *request)
{
    ask(console, "", console->line_count, request);
}

void console_take_names(struct console *console, const struct scene *scene)
{
    if (!scene->scratch)
        return;
    free_names(console);
    console->names = calloc(scene->scratch->names.count + 1, sizeof *console->names);
    for (size_t i = 0; console->names && i < scene->scratch->names.count; i++)
        if ((console->names[console->name_count] = strdup(scene->scratch->names.item[i])))
            console->name_count++;
}

/* ---- earlier sessions ---- */

void console_recall(const struct console *console, void (*each)(void *payload, const char *line), void *payload)
{
    char *text = NULL;
    size_t length, lines = 0;
    struct error err;
    if (!console->history || path_read(console->history, HISTORY_BYTES, &text, &length, &err) != 0)
        return;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1, lines--) {
        *end = '\0';
        if (lines <= HISTORY_LINES)
            each(payload, at);
    }
    free(text);
}

/* The file grows by a line; once it is full it begins anew. */
void console_keep(const struct console *console, const char *line)
{
    struct error err;
    char *folder = console->history ? path_folder(console->history) : NULL;
    if (!folder || !line[strspn(line, " \t")] || path_make_folders(folder, &err) != 0) {
        free(folder);
        return;
    }
    free(folder);
    int fd = open(console->history, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return;
    if (lseek(fd, 0, SEEK_END) > HISTORY_BYTES - HISTORY_BYTES / 4 && ftruncate(fd, 0) != 0)
        unlink(console->history);
    dprintf(fd, "%s\n", line);
    close(fd);
}
