/* normtutor list [--json] */
#include <getopt.h>
#include <string.h>

#include "app/rows.h"
#include "base/language.h"
#include "base/visible.h"
#include "cmd/cmd.h"
#include "ui/tty.h"

static void add_json(struct strbuf *out, const struct course *course, const struct rows *rows, size_t lesson)
{
    const struct course_row *row = &rows->row[lesson];
    strbuf_add(out, "{\"course\": ");
    cmd_add_json(out, course_id(course));
    strbuf_add(out, ", \"id\": ");
    cmd_add_json(out, course->lessons[lesson].id);
    strbuf_add(out, ", \"title\": ");
    cmd_add_json(out, row->title);
    strbuf_addf(out, ", \"steps\": %zu, \"seen\": %zu, \"questions\": %zu, \"right\": %zu, \"due\": %zu", row->steps, row->seen,
                row->questions, rows->right[lesson], row->due);
    if (row->minutes > 0)
        strbuf_addf(out, ", \"minutes\": %g", row->minutes);
    if (row->error) {
        strbuf_add(out, ", \"error\": ");
        cmd_add_json(out, row->error);
    }
    strbuf_add(out, "}");
}

static void add_padded(struct strbuf *out, const char *text, int width)
{
    visible_add(out, text, false);
    strbuf_addf(out, "%*s", width - grid_text_width(text) + 2, "");
}

/* The id first: it is what the other commands take. */
static void add_lines(struct strbuf *out, const struct course *course, const struct rows *rows)
{
    struct strbuf lines = {0};
    int id_width = 0, title_width = 0;
    for (size_t i = 0; i < rows->count; i++) {
        int id = grid_text_width(course->lessons[i].id), title = grid_text_width(rows->row[i].title);
        id_width = id > id_width ? id : id_width;
        title_width = title > title_width ? title : title_width;
    }
    visible_add(&lines, course_title(course), false);
    strbuf_add(&lines, "\n");
    for (size_t i = 0; i < rows->count; i++) {
        const struct course_row *row = &rows->row[i];
        strbuf_addf(&lines, "%3d  ", row->number);
        add_padded(&lines, course->lessons[i].id, id_width);
        if (row->error) {
            strbuf_add(&lines, _("cannot be loaded\n"));
            continue;
        }
        add_padded(&lines, row->title, title_width);
        strbuf_addf(&lines, _("%zu of %zu right"), rows->right[i], row->questions);
        if (row->done)
            strbuf_add(&lines, _(", done"));
        if (row->due > 0)
            strbuf_addf(&lines, _(", %zu due for review"), row->due);
        if (row->minutes > 0)
            strbuf_addf(&lines, _(", %g min"), row->minutes);
        if (row->needs[0])
            strbuf_addf(&lines, ", %s", row->needs);
        strbuf_add(&lines, "\n");
    }
    if (tty_unicode())
        strbuf_add(out, strbuf_string(&lines));
    else
        plain_ascii(out, strbuf_string(&lines));
    strbuf_free(&lines);
}

/* What is wrong is said on standard error, and the rest listed all the same. */
static int list_course(struct tutor *tutor, struct course *course, bool json, bool *first, struct strbuf *out)
{
    struct error err = {0};
    struct rows rows;
    int status = 0;
    if (tutor_learn(tutor, course, true, &err) != 0)
        status = cmd_fail(EXIT_WRONG, "%s", err.text);
    if (course->error)
        status = cmd_fail(EXIT_WRONG, "%s", course->error);
    if (rows_make(&rows, course, tutor->store, &err) != 0)
        return cmd_fail(EXIT_WRONG, "%s", err.text);
    for (size_t i = 0; i < rows.count; i++) {
        if (rows.row[i].error)
            status = cmd_fail(EXIT_WRONG, "%s", rows.row[i].error);
        if (!json)
            continue;
        strbuf_add(out, *first ? "\n  " : ",\n  ");
        *first = false;
        add_json(out, course, &rows, i);
    }
    if (!json)
        add_lines(out, course, &rows);
    rows_free(&rows);
    return status;
}

int cmd_list(int argc, char **argv)
{
    enum { JSON = 256, NO_CAGE };
    static const struct option options[] = {{"json", no_argument, NULL, JSON}, {"no-cage", no_argument, NULL, NO_CAGE}, {0}};
    struct tutor_options tutor_options = {0};
    bool json = false, first = true;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case JSON: json = true; break;
        case NO_CAGE: tutor_options.open = true; break;
        default: return cmd_bad_option(option, argv);
        }
    }
    if (optind < argc)
        return cmd_fail(EXIT_USAGE, "list takes no \"%s\"", argv[optind]);
    struct tutor tutor;
    int status = cmd_open(&tutor, &tutor_options);
    if (status != 0)
        return status;
    struct strbuf out = {0};
    if (json)
        strbuf_add(&out, "[");
    for (size_t i = 0; i < tutor.course_count; i++)
        if (list_course(&tutor, tutor.courses[i], json, &first, &out) != 0)
            status = EXIT_WRONG;
    if (json)
        strbuf_add(&out, first ? "]\n" : "\n]\n");
    for (const char *trouble; (trouble = store_trouble(tutor.store)) != NULL;)
        cmd_fail(0, "%s", trouble);
    cmd_print(&out);
    strbuf_free(&out);
    tutor_close(&tutor);
    return cmd_flush(status);
}
