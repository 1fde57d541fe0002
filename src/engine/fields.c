/* The fields of each construct, as data: what the lesson format allows. */
#include "engine/internal.h"

#define COMMON                                                                                                          \
    { "title", SORT_WORDS, false }, { "text", SORT_WORDS, true }, { "data", SORT_FUNCTION, false },                     \
    { "given", SORT_TABLE, false }, { "knobs", SORT_KNOBS, false }, { "show", SORT_SHOW, false },                       \
    { "edit", SORT_NAMES, false }, { "cursor", SORT_TABLE, false }, { "teaches", SORT_NAMES, false },                   \
    { "renamed_from", SORT_TEXT, false }

#define ASKED                                                                                                           \
    { "hints", SORT_WORDS_LIST, false }, { "why", SORT_WORDS, true }, { "hide", SORT_NAMES, false },                    \
    { "predict", SORT_PREDICT, false }, { "accept", SORT_FORMULA, false }, { "allow", SORT_NAMES, false }

#define NUMERIC                                                                                                         \
    { "answer", SORT_FORMULA, true }, { "also", SORT_FORMULAS, false }, { "places", SORT_NUMBER, false },               \
    { "digits", SORT_NUMBER, false }, { "tolerance", SORT_NUMBER, false }

#define NUMERIC_KNOB                                                                                                    \
    { "at", SORT_FORMULA, false }, { "stops", SORT_NUMBER, false }, { "label", SORT_WORDS, false }

static const struct field COURSE[] = {
    { "format", SORT_NUMBER, true }, { "title", SORT_TEXT, true }, { "author", SORT_TEXT, false }, { "licence", SORT_TEXT, false },
    { "version", SORT_TEXT, false }, { "language", SORT_TEXT, false }, { "lessons", SORT_NAMES, true }, { "sources", SORT_NAMES, false },
    { "report", SORT_TEXT, false },
};
static const struct field LESSON[] = {
    { "format", SORT_NUMBER, true }, { "title", SORT_WORDS, true }, { "minutes", SORT_NUMBER, false }, { "needs", SORT_NAMES, false },
    { "goal", SORT_WORDS, false }, { "remember", SORT_WORDS, false }, { "sources", SORT_NAMES, false }, { "about", SORT_TEXT, false },
    { "renamed_from", SORT_TEXT, false }, { "files", SORT_NAMES, false }, { "data", SORT_FUNCTION, false },
    { "given", SORT_TABLE, false }, { "define", SORT_TABLE, false }, { "accept", SORT_FORMULA, false },
};
static const struct field STEP[] = { COMMON };
static const struct field NUMBER[] = { COMMON, ASKED, NUMERIC };
static const struct field SHAPE[] = { COMMON, ASKED, { "answer", SORT_FORMULA, true }, { "also", SORT_FORMULAS, false } };
static const struct field CODE[] = {
    COMMON, ASKED, { "solution", SORT_CODE, true }, { "broken", SORT_FORMULA, false }, { "start", SORT_CODE, false },
    { "reference", SORT_FORMULA, false }, { "probes", SORT_PROBES, true },
};
static const struct field CHOICE[] = { COMMON, ASKED, { "shuffle", SORT_SWITCH, false }, { "several", SORT_SWITCH, false } };
static const struct field ORDER[] = { COMMON, ASKED, { "answer", SORT_NAMES, true }, { "also", SORT_ORDERS, false } };
static const struct field MISTAKE[] = { { "by", SORT_FORMULA, true }, { "say", SORT_WORDS, true }, { "when", SORT_FORMULA, false } };
static const struct field CODE_MISTAKE[] = { { "by", SORT_CODE, true }, { "say", SORT_WORDS, true }, { "when", SORT_FORMULA, false } };
static const struct field ORDER_MISTAKE[] = { { "by", SORT_NAMES, true }, { "say", SORT_WORDS, true }, { "when", SORT_FORMULA, false } };
static const struct field PROBE[] = { { "text", SORT_WORDS, true }, { "run", SORT_FUNCTION, true }, { "tolerance", SORT_NUMBER, false } };
static const struct field OPTION[] = { { NULL, SORT_WORDS, true }, { "right", SORT_FORMULA, false }, { "say", SORT_WORDS, false } };
static const struct field PIECE[] = { { NULL, SORT_WORDS, true } };
static const struct field KNOB[] = { NUMERIC_KNOB };
static const struct field SWITCH[] = { { "at", SORT_FORMULA, false }, { "label", SORT_WORDS, false } };
static const struct field PICK[] = { { "at", SORT_FORMULA, false }, { "label", SORT_WORDS, false }, { "names", SORT_TABLE, false } };
static const struct field TOKENS[] = {
    { NULL, SORT_FORMULA, true }, { "names", SORT_WORDS_LIST, false }, { "eps", SORT_FORMULA, false }, { "scale", SORT_FORMULA, false },
    { "bias", SORT_FORMULA, false }, { "norm", SORT_TEXT, false }, { "alt", SORT_WORDS, false },
};
static const struct field PIPELINE[] = {
    { NULL, SORT_FORMULA, true }, { "eps", SORT_FORMULA, false }, { "scale", SORT_FORMULA, false }, { "bias", SORT_FORMULA, false },
    { "alt", SORT_WORDS, false },
};
static const struct field BARS[] = { { NULL, SORT_FORMULA, true }, { "names", SORT_WORDS_LIST, false }, { "alt", SORT_WORDS, false } };
static const struct field PLOT[] = {
    { "over", SORT_TABLE, true }, { "lines", SORT_TABLE, true }, { "marks", SORT_TABLE, false }, { "alt", SORT_WORDS, false },
};
static const struct field TABLE[] = {
    { "head", SORT_WORDS_LIST, false }, { "names", SORT_WORDS_LIST, false }, { "alt", SORT_WORDS, false },
};
static const struct field BLOCK[] = {
    { NULL, SORT_FORMULA, true }, { "sublayer", SORT_FORMULA, true }, { "order", SORT_TEXT, false }, { "eps", SORT_FORMULA, false },
    { "alt", SORT_WORDS, false },
};
static const struct field AXES[] = { { NULL, SORT_FORMULA, true }, { "over", SORT_AXES, true }, { "alt", SORT_WORDS, false } };
static const struct field COMPARE[] = { { "names", SORT_WORDS_LIST, false }, { "alt", SORT_WORDS, false } };
static const struct field STACK[] = { { NULL, SORT_FORMULA, true }, { "alt", SORT_WORDS, false } };
static const struct field LEAK[] = {
    { NULL, SORT_FORMULA, true }, { "at", SORT_FORMULA, false }, { "seed", SORT_FORMULA, false }, { "alt", SORT_WORDS, false },
};
static const struct field PROBES[] = {
    { NULL, SORT_FORMULA, true }, { "list", SORT_PROBES, false }, { "seed", SORT_FORMULA, false }, { "alt", SORT_WORDS, false },
};
static const struct field PRECISION[] = {
    { NULL, SORT_FORMULA, true }, { "types", SORT_NAMES, false }, { "methods", SORT_NAMES, false }, { "alt", SORT_WORDS, false },
};
static const struct field GROUP[] = { { "alt", SORT_WORDS, false } };

#define LIST(fields) (*count = sizeof(fields) / sizeof *(fields), (fields))

const struct field *fields_of(enum construct_kind kind, size_t *count)
{
    switch (kind) {
    case K_COURSE: return LIST(COURSE);
    case K_LESSON: return LIST(LESSON);
    case K_STEP: return LIST(STEP);
    case K_NUMBER:
    case K_TENSOR: return LIST(NUMBER);
    case K_SHAPE: return LIST(SHAPE);
    case K_CHOICE: return LIST(CHOICE);
    case K_ORDER: return LIST(ORDER);
    case K_CODE: return LIST(CODE);
    case K_MISTAKE: return LIST(MISTAKE);
    case K_CODE_MISTAKE: return LIST(CODE_MISTAKE);
    case K_ORDER_MISTAKE: return LIST(ORDER_MISTAKE);
    case K_OPTION: return LIST(OPTION);
    case K_PIECE: return LIST(PIECE);
    case K_PROBE: return LIST(PROBE);
    case K_KNOB_LOG:
    case K_KNOB_LINEAR:
    case K_KNOB_INT: return LIST(KNOB);
    case K_KNOB_SWITCH: return LIST(SWITCH);
    case K_KNOB_PICK: return LIST(PICK);
    case K_VIEW_TOKENS: return LIST(TOKENS);
    case K_VIEW_PIPELINE: return LIST(PIPELINE);
    case K_VIEW_AXES: return LIST(AXES);
    case K_VIEW_HEAT:
    case K_VIEW_BARS: return LIST(BARS);
    case K_VIEW_PLOT: return LIST(PLOT);
    case K_VIEW_TABLE: return LIST(TABLE);
    case K_VIEW_COMPARE: return LIST(COMPARE);
    case K_VIEW_BLOCK: return LIST(BLOCK);
    case K_VIEW_STACK:
    case K_VIEW_CODE: return LIST(STACK);
    case K_VIEW_LEAK: return LIST(LEAK);
    case K_VIEW_PROBES: return LIST(PROBES);
    case K_VIEW_PRECISION: return LIST(PRECISION);
    case K_VIEW_ROW:
    case K_VIEW_COLUMN: return LIST(GROUP);
    case K_REPLACE:
    case K_COUNT: break;
    }
    *count = 0;
    return NULL;
}

enum entries entries_of(enum construct_kind kind)
{
    switch (kind) {
    case K_LESSON:
    case K_NUMBER:
    case K_TENSOR:
    case K_SHAPE:
    case K_CHOICE:
    case K_ORDER:
    case K_CODE: return ENTRIES_PARTS;
    case K_OPTION:
    case K_PIECE:
    case K_VIEW_TOKENS:
    case K_VIEW_PIPELINE:
    case K_VIEW_AXES:
    case K_VIEW_HEAT:
    case K_VIEW_BLOCK:
    case K_VIEW_STACK:
    case K_VIEW_LEAK:
    case K_VIEW_PROBES:
    case K_VIEW_PRECISION:
    case K_VIEW_CODE:
    case K_VIEW_BARS: return ENTRIES_ONE;
    case K_KNOB_LOG:
    case K_KNOB_LINEAR:
    case K_KNOB_INT:
    case K_KNOB_PICK:
    case K_REPLACE:
    case K_VIEW_COMPARE:
    case K_VIEW_TABLE: return ENTRIES_LIST;
    case K_VIEW_ROW:
    case K_VIEW_COLUMN: return ENTRIES_VIEWS;
    default: return ENTRIES_NONE;
    }
}

const char *const *quantities_of(enum construct_kind kind)
{
    static const char *const none[] = { NULL }, *const cells[] = { "cells", NULL };
    static const char *const tokens[] = { "before", "mean", "var", "rstd", "after", "mean_after", "std_after", NULL };
    static const char *const pipeline[] = { "x", "centred", "squared", "var", "rstd", "normalized", "scaled", "shifted", NULL };
    static const char *const axes[] = { "shape", "statistic", NULL }, *const compare[] = { "a", "b", "difference", NULL };
    static const char *const stack[] = { "stream", "update", "share", "gradient", NULL }, *const probes[] = { "yours", NULL };
    static const char *const precision[] = { "value", "error", NULL };
    switch (kind) {
    case K_VIEW_TOKENS: return tokens;
    case K_VIEW_PIPELINE: return pipeline;
    case K_VIEW_AXES: return axes;
    case K_VIEW_COMPARE: return compare;
    case K_VIEW_BLOCK: return block_stages;
    case K_VIEW_STACK: return stack;
    case K_VIEW_PROBES: return probes;
    case K_VIEW_PRECISION: return precision;
    case K_VIEW_LEAK:
    case K_VIEW_HEAT:
    case K_VIEW_BARS:
    case K_VIEW_TABLE: return cells;
    default: return none;
    }
}
