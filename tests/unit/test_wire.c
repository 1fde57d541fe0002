#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "scene/wire.h"
#include "wire_help.h"

static void same_strings(const struct strings *a, const struct strings *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_string_equal(a->item[i], b->item[i]);
}

/* Bit for bit: NaN is the same as itself. */
static void same_double(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void same_cells(const struct cell *a, const struct cell *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(a[i].text, b[i].text);
        same_double(a[i].value, b[i].value);
        assert_int_equal(a[i].flags, b[i].flags);
    }
}

static void same_text_or_null(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_string_equal(a, b);
}

static void same_settings(const struct setting *a, const struct setting *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(a[i].name, b[i].name);
        assert_int_equal(a[i].kind, b[i].kind);
        same_double(a[i].number, b[i].number);
        assert_int_equal(a[i].on, b[i].on);
        same_text_or_null(a[i].word, b[i].word);
    }
}

static void same_plot(const struct part_plot *a, const struct part_plot *b)
{
    assert_string_equal(a->x_label, b->x_label);
    assert_string_equal(a->y_label, b->y_label);
    same_double(a->x_from, b->x_from);
    same_double(a->x_to, b->x_to);
    same_double(a->y_from, b->y_from);
    same_double(a->y_to, b->y_to);
    assert_string_equal(a->x_from_text, b->x_from_text);
    assert_string_equal(a->x_to_text, b->x_to_text);
    assert_string_equal(a->y_from_text, b->y_from_text);
    assert_string_equal(a->y_to_text, b->y_to_text);
    assert_int_equal(a->x_log, b->x_log);
    assert_int_equal(a->line_count, b->line_count);
    for (size_t i = 0; i < a->line_count; i++) {
        assert_string_equal(a->lines[i].label, b->lines[i].label);
        assert_int_equal(a->lines[i].count, b->lines[i].count);
        if (a->lines[i].count)
            assert_memory_equal(a->lines[i].y, b->lines[i].y, a->lines[i].count * sizeof(float));
        assert_int_equal(a->lines[i].dotted, b->lines[i].dotted);
        assert_int_equal(a->lines[i].hidden, b->lines[i].hidden);
    }
    assert_int_equal(a->mark_count, b->mark_count);
    for (size_t i = 0; i < a->mark_count; i++) {
        assert_string_equal(a->marks[i].label, b->marks[i].label);
        same_double(a->marks[i].x, b->marks[i].x);
        same_double(a->marks[i].y, b->marks[i].y);
    }
}

static void same_stack(const struct part_stack *a, const struct part_stack *b)
{
    assert_string_equal(a->order, b->order);
    same_cells(&a->start, &b->start, 1);
    same_cells(&a->end, &b->end, 1);
    assert_int_equal(a->layer_count, b->layer_count);
    for (size_t i = 0; i < a->layer_count; i++) {
        assert_int_equal(a->layers[i].off, b->layers[i].off);
        same_cells(&a->layers[i].stream, &b->layers[i].stream, 1);
        same_cells(&a->layers[i].update, &b->layers[i].update, 1);
        same_cells(&a->layers[i].kept, &b->layers[i].kept, 1);
        same_cells(&a->layers[i].gradient, &b->layers[i].gradient, 1);
    }
    same_cells(&a->start_gradient, &b->start_gradient, 1);
    same_cells(&a->end_gradient, &b->end_gradient, 1);
    assert_int_equal(a->final_norm, b->final_norm);
    assert_int_equal(a->gradients, b->gradients);
    assert_int_equal(a->cursor, b->cursor);
}

/* Maps, stacks, leak tables and programs. */
static void same_shown(const struct part *a, const struct part *b)
{
    if (a->kind == PART_MAP) {
        const struct part_map *s = &a->as.map, *t = &b->as.map;
        assert_string_equal(s->title, t->title);
        same_strings(&s->blocks, &t->blocks);
        same_strings(&s->rows, &t->rows);
        same_strings(&s->columns, &t->columns);
        same_cells(s->cells, t->cells, s->blocks.count * s->rows.count * s->columns.count);
        same_double(s->reach, t->reach);
    } else if (a->kind == PART_STACK) {
        same_stack(&a->as.stack, &b->as.stack);
    } else if (a->kind == PART_LEAK) {
        const struct part_leak *s = &a->as.leak, *t = &b->as.leak;
        assert_int_equal(s->samples, t->samples);
        assert_int_equal(s->tokens, t->tokens);
        assert_int_equal(s->sample, t->sample);
        assert_int_equal(s->token, t->token);
        assert_memory_equal(s->cells, t->cells, (size_t)s->samples * s->tokens * sizeof *s->cells);
    } else {
        assert_int_equal(a->kind, PART_CODE);
        assert_string_equal(a->as.code.title, b->as.code.title);
        assert_string_equal(a->as.code.text, b->as.code.text);
        assert_int_equal(a->as.code.line, b->as.code.line);
    }
}

static void same_part(const struct part *a, const struct part *b)
{
    assert_int_equal(a->kind, b->kind);
    if (a->kind == PART_TABLE) {
        const struct part_table *s = &a->as.table, *t = &b->as.table;
        assert_string_equal(s->corner, t->corner);
        same_strings(&s->head, &t->head);
        same_strings(&s->labels, &t->labels);
        same_cells(s->cells, t->cells, s->head.count * s->labels.count);
        assert_int_equal(s->cursor_row, t->cursor_row);
        assert_string_equal(s->note, t->note);
    } else if (a->kind == PART_BARS) {
        const struct part_bars *s = &a->as.bars, *t = &b->as.bars;
        assert_string_equal(s->title, t->title);
        same_strings(&s->labels, &t->labels);
        assert_int_equal(s->series_count, t->series_count);
        for (size_t i = 0; i < s->series_count; i++) {
            assert_string_equal(s->series[i].label, t->series[i].label);
            same_cells(s->series[i].cells, t->series[i].cells, s->labels.count);
            same_double(s->series[i].reach, t->series[i].reach);
        }
        assert_int_equal(s->cursor_row, t->cursor_row);
    } else if (a->kind == PART_PLOT) {
        same_plot(&a->as.plot, &b->as.plot);
    } else {
        same_shown(a, b);
    }
}

static void same_view(const struct view *a, const struct view *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->alt, b->alt);
    assert_int_equal(a->stages, b->stages);
    assert_int_equal(a->part_count, b->part_count);
    for (size_t i = 0; i < a->part_count; i++)
        same_part(&a->parts[i], &b->parts[i]);
    assert_int_equal(a->spoken_count, b->spoken_count);
    for (size_t i = 0; i < a->spoken_count; i++)
        same_part(&a->spoken[i], &b->spoken[i]);
    assert_int_equal(a->child_count, b->child_count);
    for (size_t i = 0; i < a->child_count; i++)
        same_view(&a->children[i], &b->children[i]);
}

static void same_question(const struct scene_question *a, const struct scene_question *b)
{
    assert_string_equal(a->expects, b->expects);
    same_strings(&a->allow, &b->allow);
    assert_int_equal(a->option_count, b->option_count);
    for (size_t i = 0; i < a->option_count; i++) {
        assert_string_equal(a->options[i].id, b->options[i].id);
        assert_string_equal(a->options[i].text, b->options[i].text);
    }
    assert_int_equal(a->several, b->several);
    assert_int_equal(a->predict, b->predict);
    assert_int_equal(a->travel_from_count, b->travel_from_count);
    same_settings(a->travel_from, b->travel_from, a->travel_from_count);
    assert_int_equal(a->travel_to_count, b->travel_to_count);
    same_settings(a->travel_to, b->travel_to, a->travel_to_count);
    assert_int_equal(a->hint_total, b->hint_total);
    same_strings(&a->hints, &b->hints);
    assert_string_equal(a->echo, b->echo);
    assert_int_equal(a->echo_unread, b->echo_unread);
    assert_int_equal(a->verdict, b->verdict);
    assert_string_equal(a->say, b->say);
    assert_string_equal(a->mistake, b->mistake);
    assert_string_equal(a->said, b->said);
    assert_string_equal(a->yours, b->yours);
    assert_string_equal(a->asked, b->asked);
    assert_int_equal(a->final, b->final);
    assert_string_equal(a->answer, b->answer);
    assert_string_equal(a->why, b->why);
    assert_int_equal(a->code == NULL, b->code == NULL);
    if (a->code) {
        assert_string_equal(a->code->name, b->code->name);
        assert_string_equal(a->code->start, b->code->start);
        assert_string_equal(a->code->text, b->code->text);
        assert_int_equal(a->code->error_line, b->code->error_line);
    }
}

static void same_step(const struct scene_step *a, const struct scene_step *b)
{
    assert_int_equal(a->index, b->index);
    assert_string_equal(a->id, b->id);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->text, b->text);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->attempt, b->attempt);
    assert_int_equal(a->locked, b->locked);
    assert_int_equal(a->knob_count, b->knob_count);
    for (size_t i = 0; i < a->knob_count; i++) {
        const struct scene_knob *s = &a->knobs[i], *t = &b->knobs[i];
        assert_string_equal(s->name, t->name);
        assert_string_equal(s->label, t->label);
        assert_int_equal(s->kind, t->kind);
        same_double(s->from, t->from);
        same_double(s->to, t->to);
        same_double(s->at, t->at);
        same_double(s->value, t->value);
        assert_int_equal(s->stops, t->stops);
        assert_string_equal(s->value_text, t->value_text);
        same_strings(&s->options, &t->options);
        same_strings(&s->option_names, &t->option_names);
    }
    same_view(a->view, b->view);
    assert_int_equal(a->axis_count, b->axis_count);
    for (size_t i = 0; i < a->axis_count; i++) {
        assert_string_equal(a->axes[i].name, b->axes[i].name);
        assert_int_equal(a->axes[i].size, b->axes[i].size);
        assert_int_equal(a->axes[i].index, b->axes[i].index);
    }
    assert_int_equal(a->editable_count, b->editable_count);
    for (size_t i = 0; i < a->editable_count; i++) {
        const struct scene_editable *s = &a->editables[i], *t = &b->editables[i];
        assert_string_equal(s->name, t->name);
        assert_int_equal(s->rank, t->rank);
        assert_memory_equal(s->extents, t->extents, sizeof s->extents);
        same_strings(&s->axes, &t->axes);
        same_cells(s->cells, t->cells, 6);
    }
    assert_int_equal(a->branches, b->branches);
    same_question(a->question, b->question);
}

static void same_lesson(const struct scene_lesson *a, const struct scene_lesson *b)
{
    assert_string_equal(a->id, b->id);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->about, b->about);
    assert_string_equal(a->renamed_from, b->renamed_from);
    assert_string_equal(a->goal, b->goal);
    assert_string_equal(a->remember, b->remember);
    same_double(a->minutes, b->minutes);
    same_strings(&a->needs, &b->needs);
    same_strings(&a->sources, &b->sources);
    same_strings(&a->files, &b->files);
    assert_int_equal(a->files_line, b->files_line);
    assert_int_equal(a->step_count, b->step_count);
    for (size_t i = 0; i < a->step_count; i++) {
        assert_string_equal(a->steps[i].id, b->steps[i].id);
        assert_string_equal(a->steps[i].title, b->steps[i].title);
        assert_int_equal(a->steps[i].kind, b->steps[i].kind);
        assert_string_equal(a->steps[i].renamed_from, b->steps[i].renamed_from);
    }
}

static void a_scene_survives_whole(void **state)
{
    (void)state;
    struct error err;
    struct strbuf bytes = { 0 };
    struct scene *sent = help_scene(), *got;
    assert_int_equal(wire_encode_scene(&bytes, sent, &err), 0);
    assert_int_equal(wire_decode_scene(&got, bytes.text, bytes.length, &err), 0);
    assert_true(got->number == sent->number);
    assert_string_equal(got->error, sent->error);
    assert_string_equal(got->output, sent->output);
    assert_string_equal(got->course->id, sent->course->id);
    assert_string_equal(got->course->title, sent->course->title);
    assert_string_equal(got->course->author, sent->course->author);
    assert_string_equal(got->course->licence, sent->course->licence);
    assert_string_equal(got->course->version, sent->course->version);
    assert_string_equal(got->course->language, sent->course->language);
    same_strings(&got->course->lessons, &sent->course->lessons);
    same_strings(&got->course->sources, &sent->course->sources);
    assert_string_equal(got->course->report, sent->course->report);
    same_lesson(got->lesson, sent->lesson);
    same_step(got->step, sent->step);
    scene_free(got);
    scene_free(sent);
    strbuf_free(&bytes);
}

static void a_program_survives_whole(void **state)
{
    (void)state;
    struct error err;
    struct strbuf bytes = { 0 };
    struct scene *sent = help_program(), *got;
    assert_int_equal(wire_encode_scene(&bytes, sent, &err), 0);
    assert_int_equal(wire_decode_scene(&got, bytes.text, bytes.length, &err), 0);
    same_lesson(got->lesson, sent->lesson);
    same_step(got->step, sent->step);
    scene_free(got);
    scene_free(sent);
    strbuf_free(&bytes);
}

static void same_places(const struct scene_place *a, size_t a_count, const struct scene_place *b, size_t b_count)
{
    assert_int_equal(a_count, b_count);
    for (size_t i = 0; i < a_count; i++) {
        assert_string_equal(a[i].of, b[i].of);
        assert_int_equal(a[i].line, b[i].line);
    }
}

static void same_draws(const struct scene_draws *a, const struct scene_draws *b)
{
    assert_int_equal(a->all, b->all);
    assert_int_equal(a->refused, b->refused);
    assert_int_equal(a->alike, b->alike);
    assert_string_equal(a->pair, b->pair);
}

static void same_check(const struct scene_check *a, const struct scene_check *b)
{
    assert_int_equal(a->lesson_line, b->lesson_line);
    assert_int_equal(a->step_line, b->step_line);
    same_places(a->lesson_places, a->lesson_place_count, b->lesson_places, b->lesson_place_count);
    same_places(a->places, a->place_count, b->places, b->place_count);
    same_draws(&a->lesson_draws, &b->lesson_draws);
    same_draws(&a->draws, &b->draws);
    assert_int_equal(a->declared_count, b->declared_count);
    for (size_t i = 0; i < a->declared_count; i++) {
        assert_string_equal(a->declared[i].id, b->declared[i].id);
        assert_string_equal(a->declared[i].typed, b->declared[i].typed);
    }
    assert_string_equal(a->reread, b->reread);
    same_strings(&a->rounded, &b->rounded);
    same_strings(&a->shown, &b->shown);
    same_strings(&a->drawn, &b->drawn);
}

static void picks_and_what_is_checked_survive(void **state)
{
    (void)state;
    struct scene *scenes[] = { help_order(), help_several() };
    for (size_t i = 0; i < HELP_COUNT(scenes); i++) {
        struct error err;
        struct strbuf bytes = { 0 };
        struct scene *got;
        assert_int_equal(wire_encode_scene(&bytes, scenes[i], &err), 0);
        assert_int_equal(wire_decode_scene(&got, bytes.text, bytes.length, &err), 0);
        same_lesson(got->lesson, scenes[i]->lesson);
        same_step(got->step, scenes[i]->step);
        assert_int_equal(got->check != NULL, scenes[i]->check != NULL);
        if (got->check)
            same_check(got->check, scenes[i]->check);
        scene_free(got);
        scene_free(scenes[i]);
        strbuf_free(&bytes);
    }
}

static void a_scratchpad_survives_whole(void **state)
{
    (void)state;
    struct error err;
    struct strbuf bytes = { 0 };
    struct scene *sent = help_scratch(), *got;
    sent->typed = TYPED_KEPT;
    assert_int_equal(wire_encode_scene(&bytes, sent, &err), 0);
    assert_int_equal(wire_decode_scene(&got, bytes.text, bytes.length, &err), 0);
    assert_int_equal(got->typed, TYPED_KEPT);
    assert_string_equal(got->scratch->output, sent->scratch->output);
    assert_string_equal(got->scratch->error, sent->scratch->error);
    assert_string_equal(got->scratch->value, sent->scratch->value);
    same_strings(&got->scratch->names, &sent->scratch->names);
    same_strings(&got->scratch->facts, &sent->scratch->facts);
    scene_free(got);
    scene_free(sent);
    strbuf_free(&bytes);
}

static void an_empty_scene_stays_empty(void **state)
{
    (void)state;
    struct error err;
    struct strbuf bytes = { 0 };
    struct scene *got;
    assert_int_equal(wire_encode_scene(&bytes, &(struct scene){ .number = 0 }, &err), 0);
    assert_int_equal(wire_decode_scene(&got, bytes.text, bytes.length, &err), 0);
    assert_null(got->error);
    assert_null(got->output);
    assert_null(got->course);
    assert_null(got->lesson);
    assert_null(got->step);
    assert_null(got->check);
    assert_null(got->scratch);
    scene_free(got);
    strbuf_free(&bytes);
}

static void a_request_survives_whole(void **state)
{
    (void)state;
    struct error err;
    struct strbuf bytes = { 0 };
    strbuf_add(&bytes, "before");
    struct request sent = help_request(), got;
    struct arena *arena = arena_new();
    assert_int_equal(wire_encode_request(&bytes, &sent, &err), 0);
    assert_memory_equal(bytes.text, "before", 6);
    assert_int_equal(wire_decode_request(&got, arena, bytes.text + 6, bytes.length - 6, &err), 0);
    assert_true(got.number == sent.number);
    assert_int_equal(got.kind, sent.kind);
    assert_string_equal(got.course, sent.course);
    assert_string_equal(got.file, sent.file);
    assert_int_equal(got.source_length, sent.source_length);
    assert_memory_equal(got.source, sent.source, sent.source_length + 1);
    assert_int_equal(got.shared_count, sent.shared_count);
    for (size_t i = 0; i < sent.shared_count; i++) {
        assert_string_equal(got.shared[i].name, sent.shared[i].name);
        assert_string_equal(got.shared[i].text, sent.shared[i].text);
    }
    assert_int_equal(got.file_count, sent.file_count);
    for (size_t i = 0; i < sent.file_count; i++) {
        assert_string_equal(got.files[i].name, sent.files[i].name);
        assert_string_equal(got.files[i].stamp, sent.files[i].stamp);
        assert_int_equal(got.files[i].fd, -1); /* a number of another process */
    }
    assert_string_equal(got.translation->language, sent.translation->language);
    assert_string_equal(got.translation->file, sent.translation->file);
    assert_int_equal(got.translation->length, sent.translation->length);
    assert_memory_equal(got.translation->text, sent.translation->text, sent.translation->length + 1);
    assert_int_equal(got.line_count, 2);
    assert_string_equal(got.lines[1], "x = \"two\"");
    assert_string_equal(got.step, sent.step);
    assert_true(got.seed == sent.seed);
    assert_int_equal(got.attempt, sent.attempt);
    assert_int_equal(got.stage, sent.stage);
    assert_int_equal(got.setting_count, sent.setting_count);
    same_settings(got.settings, sent.settings, sent.setting_count);
    assert_int_equal(got.edit_count, sent.edit_count);
    for (size_t i = 0; i < sent.edit_count; i++) {
        assert_string_equal(got.edits[i].name, sent.edits[i].name);
        assert_int_equal(got.edits[i].rank, sent.edits[i].rank);
        assert_memory_equal(got.edits[i].index, sent.edits[i].index, sizeof sent.edits[i].index);
        same_double(got.edits[i].value, sent.edits[i].value);
    }
    assert_int_equal(got.cursor_count, sent.cursor_count);
    for (size_t i = 0; i < sent.cursor_count; i++) {
        assert_string_equal(got.cursors[i].axis, sent.cursors[i].axis);
        assert_int_equal(got.cursors[i].index, sent.cursors[i].index);
    }
    assert_true(got.off == sent.off);
    assert_string_equal(got.answer, sent.answer);
    assert_true(got.run == sent.run);
    assert_string_equal(got.typed, sent.typed);
    assert_string_equal(got.scratch, sent.scratch);
    assert_int_equal(got.sure, sent.sure);
    assert_int_equal(got.hints, sent.hints);
    assert_int_equal(got.give_up, sent.give_up);
    assert_int_equal(got.no_view, sent.no_view);
    arena_free(arena);

    arena = arena_new();
    sent = (struct request){ .course = "", .file = "", .source = "" };
    strbuf_clear(&bytes);
    assert_int_equal(wire_encode_request(&bytes, &sent, &err), 0);
    assert_int_equal(wire_decode_request(&got, arena, bytes.text, bytes.length, &err), 0);
    assert_null(got.step);
    assert_null(got.answer);
    assert_null(got.typed);
    assert_null(got.scratch);
    arena_free(arena);
    strbuf_free(&bytes);
}

static int decode_copy(bool scene, const char *bytes, size_t length)
{
    /* A block of exactly this length, so that a sanitizer sees a step too far. */
    struct error err = { .text = "" };
    char *copy = malloc(length ? length : 1);
    if (length)
        memcpy(copy, bytes, length);
    int rc;
    if (scene) {
        struct scene *got;
        rc = wire_decode_scene(&got, copy, length, &err);
        scene_free(got);
    } else {
        struct arena *arena = arena_new();
        struct request got;
        rc = wire_decode_request(&got, arena, copy, length, &err);
        arena_free(arena);
    }
    free(copy);
    assert_int_equal(rc < 0, err.text[0] != '\0');
    return rc;
}

static void damage(bool scene, struct strbuf *bytes)
{
    for (size_t n = 0; n < bytes->length; n++)
        assert_int_equal(decode_copy(scene, bytes->text, n), -1);
    for (size_t n = 0; n < bytes->length; n++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes->text[n] = (char)(bytes->text[n] ^ 1 << bit);
            decode_copy(scene, bytes->text, bytes->length);
            bytes->text[n] = (char)(bytes->text[n] ^ 1 << bit);
        }
        char old = bytes->text[n];
        bytes->text[n] = (char)~old;
        decode_copy(scene, bytes->text, bytes->length);
        bytes->text[n] = old;
    }
    assert_int_equal(decode_copy(scene, bytes->text, bytes->length), 0);
    strbuf_addn(bytes, "\xc0", 1);
    assert_int_equal(decode_copy(scene, bytes->text, bytes->length), -1);
}

static void no_more_files_than_descriptors_can_travel(void **state)
{
    (void)state;
    struct error err;
    struct strbuf bytes = { 0 };
    struct request_file files[REQUEST_FILES_MAX + 1];
    for (size_t i = 0; i < HELP_COUNT(files); i++)
        files[i] = (struct request_file){ "poem.txt", "", 0 };
    struct request request = help_request();
    request.files = files;
    request.file_count = REQUEST_FILES_MAX;
    assert_int_equal(wire_encode_request(&bytes, &request, &err), 0);
    request.file_count++;
    assert_int_equal(wire_encode_request(&bytes, &request, &err), -1);
    assert_non_null(strstr(err.text, "33 files"));
    strbuf_free(&bytes);
}

static void a_long_name_of_a_language_is_refused(void **state)
{
    (void)state;
    struct error err;
    struct strbuf bytes = { 0 };
    struct request_translation translation = { "sr_RS@latinlati", "sr.lua", "", 0 };
    struct request request = help_request();
    request.translation = &translation;
    assert_int_equal(wire_encode_request(&bytes, &request, &err), 0);
    translation.language = "sr_RS@latinlatin";
    assert_int_equal(wire_encode_request(&bytes, &request, &err), -1);
    assert_non_null(strstr(err.text, "translation.language"));
    strbuf_free(&bytes);
}

static void how_a_translation_stands_survives_whole(void **state)
{
    (void)state;
    struct error err;
    struct strbuf bytes = { 0 };
    struct scene *sent = help_translated(), *got;
    assert_int_equal(wire_encode_scene(&bytes, sent, &err), 0);
    assert_int_equal(wire_decode_scene(&got, bytes.text, bytes.length, &err), 0);
    const struct scene_translation *a = sent->translation, *b = got->translation;
    assert_string_equal(b->text, a->text);
    assert_true(b->fresh == a->fresh && b->changed == a->changed && b->kept == a->kept && b->moved == a->moved && b->empty == a->empty);
    assert_true(b->gone == a->gone && b->fault_count == a->fault_count);
    for (size_t i = 0; i < a->fault_count; i++) {
        assert_string_equal(b->faults[i].file, a->faults[i].file);
        assert_true(b->faults[i].line == a->faults[i].line && b->faults[i].advice == a->faults[i].advice);
        assert_string_equal(b->faults[i].what, a->faults[i].what);
    }
    scene_free(sent);
    scene_free(got);
    strbuf_free(&bytes);
}

static void damaged_messages_are_refused_or_harmless(void **state)
{
    (void)state;
    struct error err;
    struct strbuf bytes = { 0 };
    struct scene *scene = help_program();
    struct request request = help_request();
    assert_int_equal(wire_encode_scene(&bytes, scene, &err), 0);
    damage(true, &bytes);
    strbuf_clear(&bytes);
    assert_int_equal(wire_encode_request(&bytes, &request, &err), 0);
    damage(false, &bytes);
    scene_free(scene);
    strbuf_free(&bytes);
}

static void bombs_are_refused(void **state)
{
    (void)state;
    static const char array[] = "\xdd\xff\xff\xff\xff", map[] = "\xdf\xff\xff\xff\xff", text[] = "\xdb\xff\xff\xff\xff",
                      binary[] = "\xc6\xff\xff\xff\xff", extension[] = "\xc9\xff\xff\xff\xff";
    const char *bombs[] = { array, map, text, binary, extension };
    for (size_t i = 0; i < HELP_COUNT(bombs); i++)
        for (int scene = 0; scene < 2; scene++)
            assert_int_equal(decode_copy(scene, bombs[i], 5), -1);

    char *deep = malloc(100000);
    memset(deep, 0x91, 100000);
    deep[99999] = (char)0xc0;
    assert_int_equal(decode_copy(true, deep, 100000), -1);
    assert_int_equal(decode_copy(true, deep + 99999 - 31, 32), -1);
    /* Each list claims as much as is left behind it: together more than there is. */
    for (size_t i = 0; i + 5 <= 1000; i += 5) {
        size_t left = 1000 - i - 5;
        memcpy(deep + i, (char[]){ (char)0xdd, 0, 0, (char)(left >> 8), (char)left }, 5);
    }
    assert_int_equal(decode_copy(true, deep, 1000), -1);
    free(deep);
}

/* Encodes what somebody spoiled: the sender sees it, and words name the field. */
static void refused(const struct scene *scene, const char *field)
{
    struct error err = { .text = "" };
    struct strbuf bytes = { 0 };
    strbuf_add(&bytes, "kept");
    assert_int_equal(wire_encode_scene(&bytes, scene, &err), -1);
    assert_int_equal(bytes.length, 4);
    assert_string_equal(bytes.text, "kept");
    if (!strstr(err.text, field))
        fail_msg("\"%s\" does not name %s", err.text, field);
    strbuf_free(&bytes);
}

static void the_sender_refuses_what_cannot_be(void **state)
{
    (void)state;
#define SPOILED(path, value, field)          \
    do {                                     \
        struct scene *scene = help_scene();  \
        scene->path = value;                 \
        refused(scene, field);               \
        scene_free(scene);                   \
    } while (0)
    SPOILED(course->title, NULL, "course.title");
    SPOILED(lesson, NULL, "lesson");
    SPOILED(lesson->needs.item[0], NULL, "lesson.needs");
    SPOILED(step->index, 2, "step.index");
    SPOILED(step->kind, STEP_TELL, "step.question");
    SPOILED(step->kind, (enum step_kind)(STEP_CODE + 1), "step.kind");
    SPOILED(step->kind, STEP_CODE, "question.code");
    SPOILED(lesson->steps[0].kind, (enum step_kind)(STEP_CODE + 1), "lesson.steps.kind");
    SPOILED(step->knobs[0].kind, KNOB_SWITCH, "knob.");
    SPOILED(step->knobs[1].value, 2, "knob.value");
    SPOILED(step->knobs[1].value, NAN, "knob.value");
    SPOILED(step->knobs[1].option_names.count, 1, "knob.option_names");
    SPOILED(step->axes[0].index, 5, "axis.index");
    SPOILED(step->axes[0].index, 0, "axis.index");
    SPOILED(step->editables[0].rank, 9, "editable.rank");
    SPOILED(step->editables[0].axes.count, 1, "editable.axes");
    SPOILED(step->question->hint_total, 1, "question.hints");
    SPOILED(step->question->verdict, (enum verdict)9, "question.verdict");
    SPOILED(step->view->children[0].parts[0].as.table.cursor_row, 2, "table.cursor_row");
    SPOILED(step->view->children[0].parts[0].as.table.cursor_row, -2, "table.cursor_row");
    SPOILED(step->view->children[0].parts[0].as.table.cells[5].flags, 512, "cell.flags");
    SPOILED(step->view->children[0].parts[1].as.bars.series[0].reach, 0, "series.reach");
    SPOILED(step->view->children[0].parts[1].as.bars.series[0].reach, NAN, "series.reach");
    SPOILED(step->view->children[0].parts[0].kind, (enum part_kind)(PART_CODE + 1), "part.kind");
#define SPOILED_PART(index, path, value, field) SPOILED(step->view->children[2].parts[index].as.path, value, field)
    SPOILED_PART(0, map.reach, -1, "map.reach");
    SPOILED_PART(0, map.reach, NAN, "map.reach");
    SPOILED_PART(0, map.rows.count, 0, "the map is empty");
    SPOILED_PART(0, map.blocks.count, 0, "the map is empty");
    SPOILED_PART(0, map.cells[5].flags, 512, "cell.flags");
    SPOILED_PART(0, map.title, NULL, "map.title");
    SPOILED_PART(1, stack.order, NULL, "stack.order");
    SPOILED_PART(1, stack.cursor, 2, "stack.cursor");
    SPOILED_PART(1, stack.cursor, -2, "stack.cursor");
    SPOILED_PART(1, stack.layers[1].kept.text, NULL, "cell.text");
    SPOILED_PART(2, leak.cells[5], (enum leak)(LEAK_MORE + 1), "leak.cells");
    SPOILED_PART(2, leak.sample, 0, "leak.sample");
    SPOILED_PART(2, leak.sample, 3, "leak.sample");
    SPOILED_PART(2, leak.token, 4, "leak.token");
    SPOILED_PART(3, code.text, NULL, "code.text");
#undef SPOILED_PART
#undef SPOILED
}

static void only_a_program_is_asked_for_as_one(void **state)
{
    (void)state;
    struct scene *scene = help_program();
    scene->step->kind = STEP_SHAPE;
    refused(scene, "question.code");
    scene_free(scene);
    scene = help_program();
    scene->step->question->code->start = NULL;
    refused(scene, "code.start");
    scene_free(scene);
}

static void only_what_can_be_picked_is_picked(void **state)
{
    (void)state;
    struct scene *scene = help_several();
    scene->step->kind = STEP_TENSOR;
    refused(scene, "question.several");
    scene->step->kind = STEP_CHOICE;
    scene->check->declared[1].typed = NULL;
    refused(scene, "declared.typed");
    scene_free(scene);
    scene = help_several();
    scene->check->draws.refused = scene->check->draws.all + 1;
    refused(scene, "draws.refused");
    scene_free(scene);
    scene = help_order();
    struct scene_question *question = scene->step->question;
    question->option_count = OPTIONS_MAX + 1;
    question->options = arena_zero(scene->arena, question->option_count, sizeof *question->options);
    for (size_t i = 0; i < question->option_count; i++)
        question->options[i] = (struct scene_option){ "a", "b" };
    refused(scene, "question.options");
    scene_free(scene);
}

/* Looks for `from` in an encoded scene and puts `to` in its place. */
static void forged(const char *from, const char *to, size_t size)
{
    struct error err;
    struct strbuf bytes = { 0 };
    struct scene *scene = help_scene();
    assert_int_equal(wire_encode_scene(&bytes, scene, &err), 0);
    char *at = memmem(bytes.text, bytes.length, from, size);
    assert_non_null(at);
    memcpy(at, to, size);
    assert_int_equal(decode_copy(true, bytes.text, bytes.length), -1);
    scene_free(scene);
    strbuf_free(&bytes);
}

static void the_receiver_refuses_forgeries(void **state)
{
    (void)state;
    forged("\x93\xa1x\xa4" "mean" "\xa1y", "\x92\xa1x\xa6" "mean,y", 10); /* two columns, cells for three */
    forged("\xa5" "token" "\x93", "\xa5" "to\0en" "\x93", 7);       /* a NUL byte in text */
    forged("\xa5" "token" "\x04\x03", "\xa5" "token" "\x04\x05", 8); /* the cursor past its axis */
    forged("\xa6" "before" "\x92", "\xa5" "before" "\x92", 8);      /* a stray letter */
    forged("\x93\xa2x1\xa2x2\xa2x3", "\x92\xa2x1\xa5x2\xa2x3", 10); /* a map of two columns, cells for three */
    forged("\x02\x03\x02\x03\x96", "\x02\x04\x02\x03\x96", 5);      /* a leak table of four tokens, cells for three */
    forged("\x02\x03\x02\x03\x96", "\x02\x03\x02\x00\x96", 5);      /* of the output of no token */
    forged("\x96\x00\x01\x02\x03\x04\x00", "\x96\x00\x01\x02\x03\x05\x00", 7);
    forged("\xc4\x0c", "\xd9\x0c", 2);                              /* a line's values as text */
}

static struct view nested(struct arena *arena, int depth)
{
    struct view view = { .kind = VIEW_COLUMN, .name = "column", .alt = "" };
    if (depth > 1) {
        view.children = arena_zero(arena, 1, sizeof view);
        view.children[0] = nested(arena, depth - 1);
        view.child_count = 1;
    } else {
        view.parts = help_view(arena)->children[2].parts; /* among them the deepest */
        view.part_count = 4;
    }
    return view;
}

static void views_nest_ten_deep(void **state)
{
    (void)state;
    struct error err;
    struct strbuf bytes = { 0 };
    struct scene *scene = help_scene(), *got;
    *scene->step->view = nested(scene->arena, 10);
    assert_int_equal(wire_encode_scene(&bytes, scene, &err), 0);
    assert_int_equal(wire_decode_scene(&got, bytes.text, bytes.length, &err), 0);
    same_view(got->step->view, scene->step->view);
    scene_free(got);
    *scene->step->view = nested(scene->arena, 11);
    refused(scene, "nested");
    scene_free(scene);
    strbuf_free(&bytes);
}

static void too_large_is_said_in_words(void **state)
{
    (void)state;
    char *text = malloc(WIRE_FRAME_MAX + 2);
    memset(text, 'a', WIRE_FRAME_MAX + 1);
    text[WIRE_FRAME_MAX + 1] = '\0';
    refused(&(struct scene){ .output = text }, "1024 KiB");
    text[WIRE_FRAME_MAX] = '\0';
    refused(&(struct scene){ .output = text }, "1024 KiB");
    text[WIRE_FRAME_MAX - 100] = '\0';
    struct error err;
    struct strbuf bytes = { 0 };
    struct scene *got;
    assert_int_equal(wire_encode_scene(&bytes, &(struct scene){ .output = text }, &err), 0);
    assert_int_equal(wire_decode_scene(&got, bytes.text, bytes.length, &err), 0);
    assert_string_equal(got->output, text);
    scene_free(got);
    strbuf_free(&bytes);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_survives_whole),
        cmocka_unit_test(a_program_survives_whole),
        cmocka_unit_test(picks_and_what_is_checked_survive),
        cmocka_unit_test(a_scratchpad_survives_whole),
        cmocka_unit_test(an_empty_scene_stays_empty),
        cmocka_unit_test(a_request_survives_whole),
        cmocka_unit_test(no_more_files_than_descriptors_can_travel),
        cmocka_unit_test(a_long_name_of_a_language_is_refused),
        cmocka_unit_test(how_a_translation_stands_survives_whole),
        cmocka_unit_test(damaged_messages_are_refused_or_harmless),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(the_sender_refuses_what_cannot_be),
        cmocka_unit_test(only_a_program_is_asked_for_as_one),
        cmocka_unit_test(only_what_can_be_picked_is_picked),
        cmocka_unit_test(the_receiver_refuses_forgeries),
        cmocka_unit_test(views_nest_ten_deep),
        cmocka_unit_test(too_large_is_said_in_words),
    };
    return cmocka_run_group_tests_name("wire", tests, NULL, NULL);
}
