#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/list.h"
#include "base/path.h"
#include "store/backing.h"

struct store {
    struct backing *backing;
};

static struct value text(const char *s)
{
    return s ? (struct value){VALUE_TEXT, 0, s, strlen(s)} : (struct value){VALUE_TEXT, 0, "", 0};
}

static struct value number(int64_t n)
{
    return (struct value){VALUE_NUMBER, n, NULL, 0};
}

static struct value bits(uint64_t n)
{
    int64_t same;
    memcpy(&same, &n, sizeof same);
    return number(same);
}

static uint64_t from_bits(const struct value *v)
{
    uint64_t same;
    memcpy(&same, &v->number, sizeof same);
    return same;
}

static uint32_t from_number(const struct value *v)
{
    return v->number < 0 ? 0 : v->number > UINT32_MAX ? UINT32_MAX : (uint32_t)v->number;
}

/* The caller frees; NULL when memory is out. */
static char *from_text(const struct value *v)
{
    return v->kind == VALUE_TEXT ? strndup(v->bytes, v->length) : strdup("");
}

static struct value now(void)
{
    return number((int64_t)time(NULL));
}

/* Short enough to be typed. */
static struct value new_seed(void)
{
    return bits(database_random() & UINT32_MAX);
}

#define WRITE(store, what, ...)                                                                              \
    backing_write((store)->backing, what, (const struct value[]){__VA_ARGS__},                               \
                  (int)(sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value)))
#define READ(store, what, row, payload, ...)                                                                 \
    backing_read((store)->backing, what, (const struct value[]){__VA_ARGS__},                                \
                 (int)(sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value)), row, payload)

struct store *store_open(const char *path)
{
    struct store *store = calloc(1, sizeof *store);
    char *home = path || !store ? NULL : path_state_home();
    char *usual = home ? path_join(home, "progress.db") : NULL;
    if (store && (store->backing = backing_open(path ? path : usual)) == NULL) {
        free(store);
        store = NULL;
    }
    free(usual);
    free(home);
    return store;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    backing_close(store->backing);
    free(store);
}

const char *store_trouble(struct store *store)
{
    return backing_trouble(store->backing);
}

/* ---- courses, and ids that change ---- */

struct known_course {
    char *key, *title;
};

static int take_course(void *payload, const struct value *columns, int count)
{
    struct known_course *course = payload;
    (void)count;
    free(course->key);
    free(course->title);
    *course = (struct known_course){0};
    if (!columns)
        return 0;
    course->key = from_text(&columns[0]);
    course->title = from_text(&columns[1]);
    return course->key && course->title ? 0 : -1;
}

char *store_course(struct store *store, const char *id, const char *author, const char *title)
{
    struct known_course known = {0};
    char other[160]; /* for a course that cannot have its id alone: no id has a point in it */
    snprintf(other, sizeof other, "%s.%08x", id, (uint32_t)(database_random() & UINT32_MAX));
    int result = READ(store, GET_COURSE, take_course, &known, text(id), text(author));
    if (!result && (!known.key || strcmp(known.title, title) != 0)) {
        (void)WRITE(store, PUT_COURSE, text(id), text(author), text(title), text(other));
        READ(store, GET_COURSE, take_course, &known, text(id), text(author));
    }
    char *key = known.key ? strdup(known.key) : strdup(id);
    take_course(&known, NULL, 0);
    return key;
}

static int take_flag(void *payload, const struct value *columns, int count)
{
    (void)count;
    *(bool *)payload = columns && columns[0].number != 0;
    return 0;
}

void store_move_lesson(struct store *store, const char *course, const char *from, const char *to)
{
    bool known = false;
    if (!READ(store, HAS_LESSON, take_flag, &known, text(course), text(from)) && known)
        (void)WRITE(store, MOVE_LESSON, text(course), text(from), text(to));
}

void store_move_step(struct store *store, const char *course, const char *lesson, const char *from, const char *to)
{
    bool known = false;
    if (!READ(store, HAS_STEP, take_flag, &known, text(course), text(lesson), text(from)) && known)
        (void)WRITE(store, MOVE_STEP, text(course), text(lesson), text(from), text(to));
}

/* ---- answers ---- */

int store_add_answer(struct store *store, const struct store_answer *a)
{
    return WRITE(store, ADD_ANSWER, text(a->course), text(a->lesson), text(a->step), bits(a->seed),
                 number(a->attempt), text(a->answer), number(a->verdict), text(a->mistake), text(a->said),
                 number(a->sure), a->time ? number(a->time) : now(), bits(database_random()));
}

/* ---- places ---- */

static int take_place(void *payload, const struct value *columns, int count)
{
    struct store_place *place = payload;
    (void)count;
    store_place_free(place);
    if (!columns)
        return 0;
    place->seed = from_bits(&columns[0]);
    place->step = from_text(&columns[1]);
    place->page = (int)columns[2].number;
    place->time = columns[3].number;
    return place->step ? 0 : -1;
}

int store_lesson_place(struct store *store, const char *course, const char *lesson, struct store_place *out)
{
    *out = (struct store_place){0};
    int result = READ(store, GET_PLACE, take_place, out, text(course), text(lesson));
    if (!result && !out->step) {
        (void)WRITE(store, MAKE_PLACE, text(course), text(lesson), new_seed(), now());
        result = READ(store, GET_PLACE, take_place, out, text(course), text(lesson));
    }
    if (!result && out->step)
        return 0;
    store_place_free(out);
    return -1;
}

void store_place_free(struct store_place *place)
{
    if (!place)
        return;
    free(place->step);
    *place = (struct store_place){0};
}

int store_set_place(struct store *store, const char *course, const char *lesson, const char *step, int page)
{
    return WRITE(store, SET_PLACE, text(course), text(lesson), new_seed(), now(), text(step), number(page));
}

int store_set_seed(struct store *store, const char *course, const char *lesson, uint64_t seed)
{
    return WRITE(store, SET_SEED, text(course), text(lesson), bits(seed), now());
}

static int take_text(void *payload, const struct value *columns, int count)
{
    char **out = payload;
    (void)count;
    free(*out);
    *out = columns ? from_text(&columns[0]) : NULL;
    return columns && !*out ? -1 : 0;
}

char *store_last_lesson(struct store *store, const char *course)
{
    char *lesson = NULL;
    if (!READ(store, LAST_LESSON, take_text, &lesson, text(course)))
        return lesson;
    free(lesson);
    return NULL;
}

/* ---- steps ---- */

struct steps {
    struct store_step *all;
    size_t count, room;
};

static int take_step(void *payload, const struct value *c, int count)
{
    struct steps *steps = payload;
    (void)count;
    if (!c) {
        store_steps_free(steps->all, steps->count);
        *steps = (struct steps){0};
        return 0;
    }
    struct store_step *all = list_room(steps->all, steps->count, &steps->room, sizeof *all);
    if (!all)
        return -1;
    steps->all = all;
    struct store_step *step = &steps->all[steps->count++];
    bool given_up = c[6].number != 0;
    *step = (struct store_step){
        .step = from_text(&c[0]),
        .seen = c[1].number != 0,
        .attempt = from_number(&c[2]),
        .hints = from_number(&c[3]),
        .tries = from_number(&c[4]),
        .right = c[5].number != 0,
        .predicted = c[7].number != 0,
        .last_answer = from_text(&c[8]),
        .last_verdict = (enum store_verdict)c[9].number,
        .last_sure = from_number(&c[10]),
        .last_said = from_text(&c[11]),
        .last_time = c[12].number,
    };
    step->settled = step->right || step->predicted || given_up;
    return step->step && step->last_answer && step->last_said ? 0 : -1;
}

int store_steps(struct store *store, const char *course, const char *lesson, struct store_step **out,
                size_t *count)
{
    struct steps steps = {0};
    int result = READ(store, GET_STEPS, take_step, &steps, text(course), text(lesson));
    if (result)
        take_step(&steps, NULL, 0);
    *out = steps.all;
    *count = steps.count;
    return result;
}

void store_steps_free(struct store_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(steps[i].step);
        free(steps[i].last_answer);
        free(steps[i].last_said);
    }
    free(steps);
}

int store_set_seen(struct store *store, const char *course, const char *lesson, const char *step)
{
    return WRITE(store, SET_SEEN, text(course), text(lesson), text(step));
}

int store_set_attempt(struct store *store, const char *course, const char *lesson, const char *step,
                      uint32_t attempt)
{
    return WRITE(store, SET_ATTEMPT, text(course), text(lesson), text(step), number(attempt));
}

int store_set_hints(struct store *store, const char *course, const char *lesson, const char *step,
                    uint32_t hints)
{
    return WRITE(store, SET_HINTS, text(course), text(lesson), text(step), number(hints));
}

/* ---- reviews ---- */

struct pasts {
    struct store_past *all;
    size_t count, room;
};

static int take_past(void *payload, const struct value *c, int count)
{
    struct pasts *pasts = payload;
    (void)count;
    if (!c) {
        store_past_free(pasts->all, pasts->count);
        *pasts = (struct pasts){0};
        return 0;
    }
    struct store_past *all = list_room(pasts->all, pasts->count, &pasts->room, sizeof *all);
    if (!all)
        return -1;
    pasts->all = all;
    struct store_past *past = &pasts->all[pasts->count++];
    *past = (struct store_past){
        .lesson = from_text(&c[0]),
        .step = from_text(&c[1]),
        .seed = from_bits(&c[2]),
        .attempt = from_number(&c[3]),
        .verdict = (enum store_verdict)c[4].number,
        .sure = from_number(&c[5]),
        .time = c[6].number,
    };
    return past->lesson && past->step ? 0 : -1;
}

int store_past(struct store *store, const char *course, struct store_past **out, size_t *count)
{
    struct pasts pasts = {0};
    int result = READ(store, GET_ANSWERS, take_past, &pasts, text(course));
    if (result)
        take_past(&pasts, NULL, 0);
    *out = pasts.all;
    *count = pasts.count;
    return result;
}

void store_past_free(struct store_past *past, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(past[i].lesson);
        free(past[i].step);
    }
    free(past);
}

struct all_given {
    struct store_given *all;
    size_t count, room;
};

static int take_given(void *payload, const struct value *c, int count)
{
    struct all_given *given = payload;
    (void)count;
    if (!c) {
        store_given_free(given->all, given->count);
        *given = (struct all_given){0};
        return 0;
    }
    struct store_given *all = list_room(given->all, given->count, &given->room, sizeof *all);
    if (!all)
        return -1;
    given->all = all;
    struct store_given *one = &given->all[given->count++];
    *one = (struct store_given){
        .step = from_text(&c[0]),
        .seed = from_bits(&c[1]),
        .attempt = from_number(&c[2]),
        .answer = from_text(&c[3]),
        .verdict = (enum store_verdict)c[4].number,
        .said = from_text(&c[5]),
        .sure = from_number(&c[6]),
        .time = c[7].number,
    };
    return one->step && one->answer && one->said ? 0 : -1;
}

int store_given(struct store *store, const char *course, const char *lesson, struct store_given **out, size_t *count)
{
    struct all_given given = {0};
    int result = READ(store, GET_GIVEN, take_given, &given, text(course), text(lesson));
    if (result)
        take_given(&given, NULL, 0);
    *out = given.all;
    *count = given.count;
    return result;
}

void store_given_free(struct store_given *given, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(given[i].step);
        free(given[i].answer);
        free(given[i].said);
    }
    free(given);
}

static int take_review(void *payload, const struct value *c, int count)
{
    struct store_review *review = payload;
    (void)count;
    store_review_free(review);
    if (!c)
        return 0;
    *review = (struct store_review){
        .attempt = from_number(&c[0]),
        .hints = from_number(&c[1]),
        .last_answer = from_text(&c[2]),
        .last_verdict = (enum store_verdict)c[3].number,
        .last_sure = from_number(&c[4]),
    };
    return review->last_answer ? 0 : -1;
}

int store_review(struct store *store, const char *course, const char *lesson, const char *step, uint64_t seed,
                 struct store_review *out)
{
    *out = (struct store_review){0};
    int result =
        READ(store, GET_REVIEW, take_review, out, text(course), text(lesson), text(step), bits(seed));
    if (result)
        store_review_free(out);
    return result;
}

void store_review_free(struct store_review *review)
{
    free(review->last_answer);
    *review = (struct store_review){0};
}

int store_set_review(struct store *store, const char *course, const char *lesson, const char *step,
                     uint32_t attempt)
{
    return WRITE(store, SET_REVIEW, text(course), text(lesson), text(step), number(attempt));
}

int store_set_review_hints(struct store *store, const char *course, const char *lesson, const char *step,
                           uint32_t hints)
{
    return WRITE(store, SET_REVIEW_HINTS, text(course), text(lesson), text(step), number(hints));
}

/* ---- the catalogue ---- */

struct blob {
    void *bytes;
    size_t length;
};

static int take_bytes(void *payload, const struct value *columns, int count)
{
    struct blob *blob = payload;
    (void)count;
    free(blob->bytes);
    *blob = (struct blob){0};
    if (!columns)
        return 0;
    blob->bytes = malloc(columns[0].length ? columns[0].length : 1);
    if (!blob->bytes)
        return -1;
    if (columns[0].length)
        memcpy(blob->bytes, columns[0].bytes, columns[0].length);
    blob->length = columns[0].length;
    return 0;
}

int store_catalogue_get(struct store *store, const char *path, const char *stamp, void **bytes,
                        size_t *length)
{
    struct blob blob = {0};
    if (READ(store, GET_CATALOGUE, take_bytes, &blob, text(path), text(stamp)))
        take_bytes(&blob, NULL, 0);
    *bytes = blob.bytes;
    *length = blob.length;
    return blob.bytes ? 0 : 1;
}

int store_catalogue_put(struct store *store, const char *path, const char *stamp, const void *bytes,
                        size_t length)
{
    return WRITE(store, PUT_CATALOGUE, text(path), text(stamp),
                 (struct value){VALUE_BYTES, 0, bytes, length});
}

const char *store_version(void)
{
    static char words[64];
    snprintf(words, sizeof words, "SQLite %s", database_version());
    return words;
}
