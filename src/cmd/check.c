/* normtutor check PATH... [--seeds N] [--json] */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/language.h"
#include "base/visible.h"
#include "check/check.h"
#include "cmd/cmd.h"

enum { SEEDS_USUAL = 200, SEEDS_MOST = 100000, BAR_COLUMNS = 40, BAR_MS = 100 };

struct request_line {
    struct check_options options;
    bool json;
    int first; /* of the paths in argv */
};

/* ---- the progress bar ---- */

struct bar {
    bool there; /* on a terminal */
    int64_t drawn;
};

static void bar_draw(size_t done, size_t all)
{
    char cells[BAR_COLUMNS + 1];
    size_t full = all > 0 ? done * BAR_COLUMNS / all : 0;
    for (size_t i = 0; i < BAR_COLUMNS; i++)
        cells[i] = i < full ? '#' : '-';
    cells[BAR_COLUMNS] = '\0';
    fputs("\r", stderr);
    fprintf(stderr, _("checking [%s] %3zu %%"), cells, all > 0 ? done * 100 / all : 100);
    fflush(stderr);
}

static void bar_clear(const struct bar *bar)
{
    if (bar->drawn)
        fprintf(stderr, "\r%*s\r", BAR_COLUMNS + 20, "");
}

static bool go_on(void *context, size_t done, size_t all)
{
    struct bar *bar = context;
    int64_t now = clock_ms();
    if (bar->there && now - bar->drawn >= BAR_MS) {
        bar_draw(done, all);
        bar->drawn = now;
    }
    return !cmd_stopped();
}

/* ---- what came of it ---- */

static size_t count_of(const struct findings *findings, enum finding_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        count += findings->item[i].kind == kind;
    return count;
}

/* Of how many seeds any could show it. */
static uint64_t could_show(const struct finding *finding, uint64_t seeds)
{
    uint64_t most = seeds;
    switch (finding->scope) {
    case SCOPE_ALL: return 0;
    case SCOPE_SEEDS: break;
    case SCOPE_FRAMES: most = CHECK_FRAME_SEEDS; break;
    case SCOPE_BETWEEN: most = CHECK_BETWEEN_SEEDS; break;
    }
    return seeds < most ? seeds : most;
}

static void add_line(struct strbuf *out, const struct finding *finding, uint64_t seeds)
{
    visible_add(out, finding->file, false);
    if (finding->line)
        strbuf_addf(out, ":%u", finding->line);
    strbuf_add(out, finding->kind == FINDING_ADVICE ? ": advice: " : ": ");
    visible_add(out, finding->what, false);
    uint64_t all = could_show(finding, seeds);
    if (finding->seeds < all) {
        strbuf_addf(out, _(" (seed %llu"), (unsigned long long)finding->seed);
        if (finding->seeds > 1)
            strbuf_addf(out, _(", and %zu more of %llu"), finding->seeds - 1, (unsigned long long)all);
        strbuf_add(out, ")");
    }
    strbuf_add(out, "\n");
}

static void add_counts(struct strbuf *out, const struct check_counts *counts, uint64_t seeds)
{
    strbuf_addf(out, language_count("%zu lesson, ", "%zu lessons, ", counts->lessons), counts->lessons);
    strbuf_addf(out, language_count("%zu question, ", "%zu questions, ", counts->questions), counts->questions);
    strbuf_addf(out, language_count("%zu mistake and ", "%zu mistakes and ", counts->mistakes), counts->mistakes);
    strbuf_addf(out, language_count("%zu view under ", "%zu views under ", counts->views), counts->views);
    strbuf_addf(out, language_count("%llu seed: ", "%llu seeds: ", (size_t)seeds), (unsigned long long)seeds);
    strbuf_addf(out, _("%zu answers judged, %zu frames drawn, "), counts->answers, counts->frames);
}

static void add_summary(struct strbuf *out, const struct findings *findings, const struct check_counts *counts, uint64_t seeds)
{
    size_t faults = count_of(findings, FINDING_FAULT), advice = count_of(findings, FINDING_ADVICE);
    if (counts->lessons > 0 || faults == 0)
        add_counts(out, counts, seeds);
    else
        strbuf_add(out, _("nothing was tried, since no lesson could be loaded, "));
    if (faults > 0)
        strbuf_addf(out, language_count("%zu fault", "%zu faults", faults), faults);
    else
        strbuf_add(out, _("no fault"));
    if (advice > 0)
        strbuf_addf(out, language_count(", %zu piece of advice", ", %zu pieces of advice", advice), advice);
    strbuf_add(out, "\n");
}

static void add_json(struct strbuf *out, const struct findings *findings, const struct check_counts *counts, uint64_t seeds)
{
    strbuf_addf(out, "{\n  \"seeds\": %llu, \"lessons\": %zu, \"questions\": %zu, \"mistakes\": %zu, \"views\": %zu, "
                "\"answers\": %zu, \"frames\": %zu,\n  \"findings\": [", (unsigned long long)seeds, counts->lessons,
                counts->questions, counts->mistakes, counts->views,
                counts->answers,
                counts->frames);
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->item[i];
        strbuf_addf(out, "%s\n    {\"kind\": \"%s\", \"lesson\": ", i > 0 ? "," : "", finding->kind == FINDING_FAULT ? "fault" : "advice");
        cmd_add_json(out, finding->lesson);
        strbuf_add(out, ", \"file\": ");
        cmd_add_json(out, finding->file);
        strbuf_addf(out, ", \"line\": %u, \"what\": ", finding->line);
        cmd_add_json(out, finding->what);
        strbuf_addf(out, ", \"seed\": %llu, \"seeds\": %llu}", (unsigned long long)finding->seed,
                    finding->scope == SCOPE_ALL ? (unsigned long long)seeds : (unsigned long long)finding->seeds);
    }
    strbuf_add(out, findings->count > 0 ? "\n  ]\n}\n" : "]\n}\n");
}

static int report(const struct check *check, const struct request_line *line)
{
    const struct findings *findings = check_findings(check);
    struct check_counts counts;
    struct strbuf out = {0};
    check_count(check, &counts);
    if (line->json) {
        add_json(&out, findings, &counts, line->options.seeds);
        cmd_print(&out);
    } else {
        for (size_t i = 0; i < findings->count; i++)
            add_line(&out, &findings->item[i], line->options.seeds);
        add_summary(&out, findings, &counts, line->options.seeds);
        cmd_print_words(&out);
    }
    strbuf_free(&out);
    return cmd_flush(count_of(findings, FINDING_FAULT) > 0 ? EXIT_WRONG : 0);
}

/* ---- the command ---- */

static int read_options(struct request_line *line, int argc, char **argv)
{
    enum { SEEDS = 256, JSON, NO_CAGE };
    static const struct option options[] = {
        {"seeds", required_argument, NULL, SEEDS}, {"json", no_argument, NULL, JSON}, {"no-cage", no_argument, NULL, NO_CAGE}, {0}};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case SEEDS:
            if (!cmd_number(optarg, &line->options.seeds) || line->options.seeds < 1 || line->options.seeds > SEEDS_MOST)
                return cmd_fail(EXIT_USAGE, "--seeds takes a whole number from 1 to %d, not \"%s\"", SEEDS_MOST, optarg);
            break;
        case JSON: line->json = true; break;
        case NO_CAGE: line->options.open = true; break;
        default: return cmd_bad_option(option, argv);
        }
    }
    if (optind == argc)
        return cmd_fail(EXIT_USAGE, "check takes lessons and folders of courses, such as lessons/");
    line->first = optind;
    return 0;
}

static int run(struct check *check, const struct request_line *line, int argc, char **argv)
{
    struct error err = {0};
    struct bar bar = {.there = isatty(STDERR_FILENO)};
    for (int i = line->first; i < argc; i++)
        if (check_add(check, argv[i], &err) != 0)
            return cmd_fail(EXIT_USAGE, "%s", err.text);
    cmd_heed_signals();
    int status = check_run(check, go_on, &bar, &err);
    bar_clear(&bar);
    if (status != 0)
        return cmd_fail(EXIT_WRONG, "normtutor: check: %s", err.text);
    return report(check, line);
}

int cmd_check(int argc, char **argv)
{
    struct request_line line = {.options = {.seeds = SEEDS_USUAL}};
    struct check *check = NULL;
    struct error err = {0};
    int status = read_options(&line, argc, argv);
    if (status != 0)
        return status;
    if (check_open(&check, &line.options, &err) != 0)
        return cmd_fail(EXIT_WRONG, "normtutor: %s", err.text);
    status = run(check, &line, argc, argv);
    check_close(check);
    return status;
}
