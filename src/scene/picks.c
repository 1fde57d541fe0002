#include "scene/picks.h"

#include <ctype.h>
#include <string.h>

size_t option_find(const struct scene_option *options, size_t count, const char *text, size_t length)
{
    size_t digits = 0, place = 0;
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].id) == length && memcmp(options[i].id, text, length) == 0)
            return i;
    while (digits < length && isdigit((unsigned char)text[digits]) && place <= count)
        place = 10 * place + (size_t)(text[digits++] - '0');
    while (digits > 0 && digits < length && strchr(" .)", text[digits]))
        digits++;
    return digits == length && place >= 1 && place <= count ? place - 1 : count;
}

static int add(struct picks *out, const struct scene_option *options, size_t count, const char *text, size_t length, struct error *err)
{
    size_t place = option_find(options, count, text, length);
    if (place == count)
        return error_set(err, "there is no `%.*s` here; write numbers from 1 to %zu, with blanks between", (int)(length < 40 ? length : 40), text, count);
    if (picks_have(out, place))
        return error_set(err, "%zu stands there twice", place + 1);
    if (out->count == OPTIONS_MAX)
        return error_set(err, "these are too many");
    out->place[out->count++] = place;
    return 0;
}

/* "2413": a digit each, where no number has two. */
static bool is_run(const char *text, size_t length, size_t count)
{
    size_t digits = 0;
    while (digits < length && text[digits] >= '1' && text[digits] <= '9')
        digits++;
    return count <= 9 && length > 1 && digits == length;
}

/* The bytes of the first word of `text`, and in *after those with what parts it from the next. */
static size_t first_word(const char *text, const struct scene_option *options, size_t count, size_t *after)
{
    static const char between[] = " \t\r\n,;>()[]{}", arrow[] = "\xe2\x86\x92";
    size_t length = strcspn(text, between), skip = text[length] != '\0';
    const char *end = strstr(text, arrow);
    if (end && (size_t)(end - text) < length) {
        length = (size_t)(end - text);
        skip = strlen(arrow);
    }
    if (option_find(options, count, text, length) == count && strspn(text, "0123456789-") >= length && strcspn(text, "-") < length) {
        length = strcspn(text, "-"); /* 2-4-1-3 */
        skip = 1;
    }
    *after = length + skip;
    while (length > 0 && text[length] == '>' && text[length - 1] == '-') /* -> */
        length--;
    return length;
}

int picks_read(struct picks *out, const struct scene_option *options, size_t count, const char *text, struct error *err)
{
    *out = (struct picks){0};
    while (*text) {
        size_t after, length = first_word(text, options, count, &after);
        bool run = is_run(text, length, count) && option_find(options, count, text, length) == count;
        for (size_t i = 0; i < length; i += run ? 1 : length)
            if (add(out, options, count, text + i, run ? 1 : length, err) != 0)
                return -1;
        text += after;
    }
    return out->count > 0 ? 0 : error_set(err, "nothing is picked; write numbers from 1 to %zu, with blanks between", count);
}

void picks_write(struct strbuf *out, const struct picks *picks, const struct scene_option *options)
{
    for (size_t i = 0; i < picks->count; i++)
        strbuf_addf(out, "%s%s", i ? " " : "", options[picks->place[i]].id);
}

/* ---- picking ---- */

static size_t index_of(const struct picks *picks, size_t place)
{
    size_t i = 0;
    while (i < picks->count && picks->place[i] != place)
        i++;
    return i;
}

bool picks_have(const struct picks *picks, size_t place)
{
    return index_of(picks, place) < picks->count;
}

void picks_toggle(struct picks *picks, size_t place)
{
    size_t i = index_of(picks, place);
    if (i < picks->count) {
        picks->count--;
        memmove(picks->place + i, picks->place + i + 1, (picks->count - i) * sizeof *picks->place);
    } else if (picks->count < OPTIONS_MAX) {
        picks->place[picks->count++] = place;
    }
}

void picks_carry(struct picks *picks, size_t place, int by)
{
    size_t i = index_of(picks, place), to = by > 0 ? i + 1 : i - 1;
    if (i == picks->count || (by > 0 && to == picks->count)) {
        if ((i == picks->count) == (by < 0))
            picks_toggle(picks, place);
        return;
    }
    if (by < 0 && i == 0)
        return;
    picks->place[i] = picks->place[to];
    picks->place[to] = place;
}

size_t picks_row(const struct picks *picks, size_t place)
{
    size_t row = index_of(picks, place);
    if (row < picks->count)
        return row;
    for (size_t before = 0; before < place; before++)
        row += !picks_have(picks, before);
    return row;
}

size_t picks_at(const struct picks *picks, size_t row)
{
    if (row < picks->count)
        return picks->place[row];
    size_t left = row - picks->count, place = 0;
    while (picks_have(picks, place) || left-- > 0)
        place++;
    return place;
}
