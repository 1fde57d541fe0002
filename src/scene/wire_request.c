#include <string.h>

#include "base/language.h"
#include "scene/wire.h"
#include "scene/wire_io.h"

void wire_setting(struct wire *wire, struct setting *setting)
{
    struct wire_place up = wire_enter(wire, "setting", 5);
    wire_text(wire, "setting.name", &setting->name);
    WIRE_ENUM(wire, "setting.kind", setting->kind, SETTING_WORD);
    wire_double(wire, "setting.number", &setting->number);
    wire_bool(wire, "setting.on", &setting->on);
    wire_text_or_null(wire, "setting.word", &setting->word);
    if (setting->kind == SETTING_WORD && !setting->word)
        wire_fail(wire, "setting.word is missing");
    wire_leave(wire, "setting", up);
}

static void carry_shared(struct wire *wire, struct request_shared *shared)
{
    struct wire_place up = wire_enter(wire, "shared", 2);
    wire_text(wire, "shared.name", &shared->name);
    wire_text(wire, "shared.text", &shared->text);
    wire_leave(wire, "shared", up);
}

static void carry_file(struct wire *wire, struct request_file *file)
{
    struct wire_place up = wire_enter(wire, "file", 2);
    wire_text(wire, "file.name", &file->name);
    wire_text(wire, "file.stamp", &file->stamp);
    wire_leave(wire, "file", up);
    if (wire->reading)
        file->fd = -1;
}

static void carry_translation(struct wire *wire, struct request_translation *translation)
{
    struct wire_place up = wire_enter(wire, "translation", 3);
    wire_text(wire, "translation.language", &translation->language);
    wire_text(wire, "translation.file", &translation->file);
    wire_bytes(wire, "translation.text", &translation->text, &translation->length);
    wire_leave(wire, "translation", up);
    if (!wire->failed && strlen(translation->language) >= LANGUAGE_SIZE)
        wire_fail(wire, "translation.language is too long");
}

static void carry_line(struct wire *wire, const char **line)
{
    wire_text(wire, "line", line);
}

static void carry_edit(struct wire *wire, struct edit *edit)
{
    struct wire_place up = wire_enter(wire, "edit", 3);
    wire_text(wire, "edit.name", &edit->name);
    wire_double(wire, "edit.value", &edit->value);

    size_t rank = edit->rank < 0 ? SIZE_MAX : (size_t)edit->rank;
    struct wire_place list = wire_enter_list(wire, "edit.index", &rank);
    if (rank > INDEX_MAX)
        wire_fail(wire, "edit.rank is out of range");
    for (size_t i = 0; !wire->failed && i < rank; i++)
        wire_u32(wire, "edit.index", &edit->index[i], UINT32_MAX);
    wire_leave(wire, "edit.index", list);
    if (wire->reading && !wire->failed)
        edit->rank = (int)rank;
    wire_leave(wire, "edit", up);
}

static void carry_cursor(struct wire *wire, struct cursor *cursor)
{
    struct wire_place up = wire_enter(wire, "cursor", 2);
    wire_text(wire, "cursor.axis", &cursor->axis);
    wire_u32(wire, "cursor.index", &cursor->index, UINT32_MAX);
    wire_leave(wire, "cursor", up);
}

static void carry_request(struct wire *wire, struct request *r)
{
    /* A request borrows its lists as const; a reader owns what it makes, a writer only looks. */
    struct request_shared *shared = (struct request_shared *)r->shared;
    struct request_file *files = (struct request_file *)r->files;
    struct request_translation *translation = (struct request_translation *)r->translation;
    const char **lines = (const char **)r->lines;
    struct setting *settings = (struct setting *)r->settings;
    struct edit *edits = (struct edit *)r->edits;
    struct cursor *cursors = (struct cursor *)r->cursors;

    struct wire_place up = wire_enter(wire, "request", 25);
    wire_u64(wire, "request.number", &r->number);
    WIRE_ENUM(wire, "request.kind", r->kind, REQUEST_LINE);
    wire_text(wire, "request.course", &r->course);
    wire_text(wire, "request.file", &r->file);
    wire_bytes(wire, "request.source", &r->source, &r->source_length);
    WIRE_LIST(wire, "request.shared", shared, r->shared_count, carry_shared);
    WIRE_LIST(wire, "request.files", files, r->file_count, carry_file);
    if (r->file_count > REQUEST_FILES_MAX)
        wire_fail(wire, "request.files has %zu files; %d are the most", r->file_count, REQUEST_FILES_MAX);
    WIRE_POINTER(wire, "request.translation", translation, carry_translation);
    WIRE_LIST(wire, "request.lines", lines, r->line_count, carry_line);
    wire_text_or_null(wire, "request.step", &r->step);
    wire_u64(wire, "request.seed", &r->seed);
    wire_u32(wire, "request.attempt", &r->attempt, UINT32_MAX);
    wire_u32(wire, "request.stage", &r->stage, UINT32_MAX);
    WIRE_LIST(wire, "request.settings", settings, r->setting_count, wire_setting);
    WIRE_LIST(wire, "request.edits", edits, r->edit_count, carry_edit);
    WIRE_LIST(wire, "request.cursors", cursors, r->cursor_count, carry_cursor);
    wire_u64(wire, "request.off", &r->off);
    wire_text_or_null(wire, "request.answer", &r->answer);
    wire_u64(wire, "request.run", &r->run);
    wire_text_or_null(wire, "request.typed", &r->typed);
    wire_text_or_null(wire, "request.scratch", &r->scratch);
    wire_u32(wire, "request.sure", &r->sure, 3);
    wire_u32(wire, "request.hints", &r->hints, UINT32_MAX);
    wire_bool(wire, "request.give_up", &r->give_up);
    wire_bool(wire, "request.no_view", &r->no_view);
    wire_leave(wire, "request", up);

    r->shared = shared;
    r->files = files;
    r->translation = translation;
    r->lines = lines;
    r->settings = settings;
    r->edits = edits;
    r->cursors = cursors;
}

int wire_encode_request(struct strbuf *out, const struct request *request, struct error *err)
{
    struct request copy = *request;
    struct wire wire;
    wire_writer(&wire, out, err);
    carry_request(&wire, &copy);
    return wire_finish(&wire, "the request cannot be sent: ");
}

int wire_decode_request(struct request *out, struct arena *arena, const void *bytes, size_t length,
                        struct error *err)
{
    struct wire wire;
    struct wire_message message;
    *out = (struct request){ 0 };
    if (wire_open(&message, bytes, length, err) < 0)
        return -1;
    wire_reader(&wire, &message.root, arena, err);
    carry_request(&wire, out);
    wire_close(&message);
    return wire.failed ? -1 : 0;
}
