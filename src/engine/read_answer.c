/* What a learner types, read as numbers: a small calculator of its own, so that any line ends in numbers or in words. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "engine/answer_line.h"
#include "engine/internal.h"

enum { TYPED_MAX = 4096, NESTING_MAX = 40, ELEMENTS_MAX = 1024, DECIMALS_MAX = 400, LARGE = 4 /* digits before the point */ };

struct reader {
    const char *start, *at;
    struct arena *arena;
    const struct named_quantity *names;
    size_t name_count;
    bool list;      /* blanks part numbers here */
    int nesting;
    struct error *err;
};

/* ---- values ---- */

static double *values_new(struct reader *r, size_t count)
{
    double *values = arena_zero(r->arena, count ? count : 1, sizeof *values);
    if (!values)
        error_set(r->err, "out of memory");
    return values;
}

static int number(struct reader *r, struct quantity *out, double value)
{
    *out = (struct quantity){ .count = 1, .values = values_new(r, 1) };
    if (!out->values)
        return -1;
    out->values[0] = value;
    return 0;
}

static double apply(char op, double a, double b)
{
    switch (op) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return a / b;
    default: return pow(a, b);
    }
}

/* a op b, element by element; a single number goes with every element. */
static int combine(struct reader *r, char op, struct quantity *a, const struct quantity *b)
{
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++)
        same = a->extents[i] == b->extents[i];
    if (!same && a->rank && b->rank)
        return error_set(r->err, "rows of %zu and %zu numbers cannot be combined", a->count, b->count);
    const struct quantity *shape = a->rank >= b->rank ? a : b;
    double *values = values_new(r, shape->count);
    if (!values)
        return -1;
    for (size_t i = 0; i < shape->count; i++)
        values[i] = apply(op, a->values[a->rank ? i : 0], b->values[b->rank ? i : 0]);
    struct quantity result = *shape;
    result.values = values;
    *a = result;
    return 0;
}

/* ---- expressions ---- */

static size_t skip(struct reader *r)
{
    size_t n = strspn(r->at, r->list ? " " : " \n");
    r->at += n;
    return n;
}

static int expression(struct reader *r, struct quantity *out);

static int expected(struct reader *r, const char *what)
{
    if (!*r->at)
        return error_set(r->err, "the line ends where %s should follow", what);
    return error_set(r->err, "%s should stand before `%.12s`", what, r->at);
}

/* Inside parentheses blanks part nothing. */
static int inside(struct reader *r, struct quantity *out)
{
    bool list = r->list;
    r->list = false;
    int status = expression(r, out);
    skip(r);
    r->list = list;
    return status;
}

static double reduced(const char *name, const struct quantity *x)
{
    double result = !strcmp(name, "min") || !strcmp(name, "max") ? x->values[0] : 0;
    for (size_t i = 0; i < x->count; i++) {
        if (!strcmp(name, "min"))
            result = fmin(result, x->values[i]);
        else if (!strcmp(name, "max"))
            result = fmax(result, x->values[i]);
        else
            result += x->values[i];
    }
    return !strcmp(name, "mean") ? result / (double)x->count : result;
}

static int call(struct reader *r, struct quantity *out, const char *name)
{
    static const struct { const char *name; double (*of)(double); } functions[] = {
        { "sqrt", sqrt }, { "exp", exp }, { "log", log }, { "ln", log }, { "tanh", tanh }, { "abs", fabs },
    };
    static const char *const reductions[] = { "sum", "mean", "min", "max" };
    double (*of)(double) = NULL;
    bool known = false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, name))
            of = functions[i].of;
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        known = known || !strcmp(reductions[i], name);
    if (!of && !known)
        return error_set(r->err, "`%s` is no function here; there are sqrt, exp, log, tanh, abs, sum, mean, min, max", name);
    if (inside(r, out))
        return -1;
    struct quantity more;
    while (!of && *r->at == ',') { /* max(1, 2) */
        r->at++;
        if (inside(r, &more))
            return -1;
        double both[2] = { reduced(name, out), reduced(name, &more) };
        if (!strcmp(name, "mean"))
            return error_set(r->err, "mean takes one row: mean(x)");
        struct quantity pair = { .rank = 1, .count = 2, .values = both };
        if (number(r, out, reduced(name, &pair)))
            return -1;
    }
    if (*r->at != ')')
        return expected(r, "`)`");
    r->at++;
    if (!of)
        return number(r, out, reduced(name, out));
    double *values = values_new(r, out->count);
    if (!values)
        return -1;
    for (size_t i = 0; i < out->count; i++)
        values[i] = of(out->values[i]);
    out->values = values;
    return 0;
}

/* q[2], counted from 1 */
static int element(struct reader *r, struct quantity *out, const char *name)
{
    while (*r->at == '[') {
        char *end;
        long i = strtol(r->at + 1, &end, 10);
        if (end == r->at + 1 || *end != ']')
            return error_set(r->err, "after `%s[` a whole number and `]` should follow", name);
        if (!out->rank || i < 1 || (size_t)i > out->extents[0])
            return error_set(r->err, out->rank ? N_("`%s` has elements 1 to %zu") : N_("`%s` is one number and has no elements"), name, out->rank ? out->extents[0] : 0);
        r->at = end + 1;
        size_t each = out->count / out->extents[0];
        out->values += (size_t)(i - 1) * each;
        out->count = each;
        out->rank--;
        memmove(out->extents, out->extents + 1, (size_t)out->rank * sizeof *out->extents);
    }
    return 0;
}

static int unknown_name(struct reader *r, const char *name)
{
    struct strbuf list = { 0 };
    for (size_t i = 0; i < r->name_count; i++)
        strbuf_addf(&list, "%s%s", i ? ", " : "", r->names[i].name);
    int status = r->name_count ? error_set(r->err, "`%s` is no name here; you may use %s", name, strbuf_string(&list))
                               : error_set(r->err, "`%s` is no number; names cannot be used here", name);
    strbuf_free(&list);
    return status;
}

static int name(struct reader *r, struct quantity *out)
{
    char word[32];
    size_t n = 0;
    while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_')
        n++;
    if (n >= sizeof word)
        return error_set(r->err, "`%.20s…` is no number", r->at);
    memcpy(word, r->at, n);
    word[n] = '\0';
    r->at += n;
    for (size_t i = 0; i < r->name_count; i++)
        if (!strcmp(r->names[i].name, word)) {
            *out = r->names[i].value;
            return element(r, out, word);
        }
    if (*r->at == '(' || (r->at[0] == ' ' && r->at[1] == '(' && !r->list)) {
        r->at += 1 + (*r->at == ' ');
        return call(r, out, word);
    }
    for (char *c = word; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (!strcmp(word, "nan"))
        return number(r, out, (double)NAN);
    if (!strcmp(word, "inf") || !strcmp(word, "infinity"))
        return number(r, out, (double)INFINITY);
    if (!strcmp(word, "pi"))
        return number(r, out, 3.14159265358979323846);
    if (!strncmp(word, "sqrt", 4) && strspn(word + 4, "0123456789") == strlen(word + 4)) /* √2 */
        return error_set(r->err, "write sqrt(…) with parentheses");
    return unknown_name(r, word);
}

static int primary(struct reader *r, struct quantity *out)
{
    skip(r);
    char c = *r->at;
    if (c == '(') {
        r->at++;
        if (inside(r, out))
            return -1;
        if (*r->at != ')')
            return expected(r, "`)`");
        r->at++;
        return 0;
    }
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)r->at[1]))) {
        char *end;
        if (c == '0' && (r->at[1] == 'x' || r->at[1] == 'X'))
            return error_set(r->err, "`%.12s` is no decimal number", r->at);
        double value = strtod(r->at, &end);
        r->at = end;
        if (isalpha((unsigned char)*end) || *end == '_')
            return error_set(r->err, "between the number and `%.12s` an operator is missing", end);
        return number(r, out, value);
    }
    if (isalpha((unsigned char)c) || c == '_')
        return name(r, out);
    return expected(r, "a number");
}

static int signed_power(struct reader *r, struct quantity *out)
{
    if (++r->nesting > NESTING_MAX)
        return error_set(r->err, "this is nested too deep");
    skip(r);
    int status;
    if (*r->at == '-' || *r->at == '+') {
        bool negative = *r->at++ == '-';
        status = signed_power(r, out);
        struct quantity minus_one;
        if (!status && negative)
            status = number(r, &minus_one, -1) ? -1 : combine(r, '*', out, &minus_one);
    } else {
        status = primary(r, out);
        const char *before = r->at;
        skip(r);
        bool power = *r->at == '^' || (r->at[0] == '*' && r->at[1] == '*');
        if (!status && power) {
            r->at += *r->at == '^' ? 1 : 2;
            struct quantity exponent;
            status = signed_power(r, &exponent) ? -1 : combine(r, '^', out, &exponent);
        } else {
            r->at = before;
        }
    }
    r->nesting--;
    return status;
}

static int product(struct reader *r, struct quantity *out)
{
    if (signed_power(r, out))
        return -1;
    for (;;) {
        const char *before = r->at;
        skip(r);
        char op = *r->at;
        if (op != '*' && op != '/') {
            r->at = before;
            return 0;
        }
        r->at++;
        struct quantity right;
        if (signed_power(r, &right) || combine(r, op, out, &right))
            return -1;
    }
}

static int expression(struct reader *r, struct quantity *out)
{
    if (product(r, out))
        return -1;
    for (;;) {
        const char *before = r->at;
        size_t blanks = skip(r);
        char op = *r->at;
        bool next_number = r->list && blanks && !isspace((unsigned char)r->at[1]); /* 1 -2: two numbers */
        if ((op != '+' && op != '-') || next_number) {
            r->at = before;
            return 0;
        }
        r->at++;
        struct quantity right;
        if (product(r, &right) || combine(r, op, out, &right))
            return -1;
    }
}

/* ---- rows ---- */

/* Digits after the point of a plain number, less than 0 where zeros end a large whole one; DECIMALS_ALL for anything else. */
static int typed_decimals(const char *from, const char *to)
{
    from += from < to && (*from == '-' || *from == '+');
    int after = 0, seen_point = 0, digits = 0, told = 0, zeros = 0; /* told: from the first that is not 0 */
    for (; from < to && (isdigit((unsigned char)*from) || *from == '.'); from++) {
        after += seen_point && *from != '.';
        digits += *from != '.';
        told += *from != '.' && (told || *from != '0');
        zeros = *from == '0' ? zeros + 1 : *from == '.' ? zeros : 0;
        seen_point = seen_point || *from == '.';
    }
    if (!digits)
        return DECIMALS_ALL;
    char *end = (char *)from;
    long exponent = from < to && (*from == 'e' || *from == 'E') ? strtol(from + 1, &end, 10) : 0;
    if (end != to)
        return DECIMALS_ALL;
    exponent = exponent < -DECIMALS_MAX ? -DECIMALS_MAX : exponent > DECIMALS_MAX ? DECIMALS_MAX : exponent;
    long decimals = after - exponent;
    if (!seen_point && told > 2) /* two digits at the least count as meant */
        decimals -= zeros < told - 2 ? zeros : told - 2;
    if (decimals < 0 && (told < 2 || told - after + exponent < LARGE))
        decimals = 0;
    return (int)(decimals < DECIMALS_MAX ? decimals : DECIMALS_MAX);
}

/* Items side by side, or rows below each other. */
struct row {
    struct quantity *items;
    int *decimals;
    size_t count, capacity;
};

static int row_add(struct reader *r, struct row *row, const struct quantity *item, int decimals)
{
    if (row->count == ELEMENTS_MAX)
        return error_set(r->err, "these are too many numbers");
    if (row->count == row->capacity) {
        size_t capacity = row->capacity ? 4 * row->capacity : 4;
        struct quantity *items = arena_zero(r->arena, capacity, sizeof *items);
        int *places = arena_zero(r->arena, capacity, sizeof *places);
        if (!items || !places)
            return error_set(r->err, "out of memory");
        if (row->count) {
            memcpy(items, row->items, row->count * sizeof *items);
            memcpy(places, row->decimals, row->count * sizeof *places);
        }
        *row = (struct row){ items, places, row->count, capacity };
    }
    row->items[row->count] = *item;
    row->decimals[row->count++] = decimals;
    return 0;
}

/* Joins items of one shape under a new first axis. */
static int join(struct reader *r, const struct quantity *items, const int *decimals, size_t count, struct quantity *out)
{
    const struct quantity *first = &items[0];
    for (size_t i = 1; i < count; i++)
        if (items[i].rank != first->rank || items[i].count != first->count)
            return error_set(r->err, "the rows have %zu and %zu numbers", first->count, items[i].count);
    if (first->rank >= TENSOR_RANK_MAX)
        return error_set(r->err, "this is nested too deep");
    *out = (struct quantity){ .rank = first->rank + 1, .count = count * first->count };
    out->extents[0] = count;
    memcpy(out->extents + 1, first->extents, (size_t)first->rank * sizeof *first->extents);
    out->values = values_new(r, out->count);
    out->decimals = arena_zero(r->arena, out->count ? out->count : 1, sizeof *out->decimals);
    if (!out->values || !out->decimals)
        return error_set(r->err, "out of memory");
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < first->count; j++) {
            out->values[i * first->count + j] = items[i].values[j];
            out->decimals[i * first->count + j] = items[i].decimals ? items[i].decimals[j] : decimals[i];
        }
    return 0;
}

static bool parentheses_hold_list(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        if (*at == '(' || *at == '[' || *at == '{')
            depth++;
        else if (*at == ')' || *at == ']' || *at == '}')
            depth--;
        if (depth == 0)
            return false;
        if (depth == 1 && (*at == ',' || *at == ';'))
            return true;
    }
    return false;
}

static int rows(struct reader *r, char closing, struct quantity *out);

static int item(struct reader *r, struct quantity *out, int *decimals)
{
    char c = *r->at;
    if (c == '[' || c == '{' || (c == '(' && parentheses_hold_list(r->at))) {
        r->at++;
        *decimals = DECIMALS_ALL;
        if (++r->nesting > NESTING_MAX)
            return error_set(r->err, "this is nested too deep");
        int status = rows(r, c == '[' ? ']' : c == '{' ? '}' : ')', out);
        r->nesting--;
        return status;
    }
    const char *from = r->at;
    if (expression(r, out))
        return -1;
    *decimals = typed_decimals(from, r->at);
    if (*r->at && !strchr(" ,;\n)]}", *r->at))
        return error_set(r->err, "a comma or a blank is missing before `%.12s`", r->at);
    return 0;
}

/* Numbers or rows up to the closing sign (0: the end of the line); newlines and semicolons begin a new row. */
static int rows(struct reader *r, char closing, struct quantity *out)
{
    struct row row = { 0 }, lines = { 0 };
    bool comma = false, lone = false; /* lone: the line was one row, not yet under an axis of its own */
    for (;;) {
        r->at += strspn(r->at, comma ? " \n" : " ");
        char c = *r->at;
        bool end = c == closing;
        struct quantity made;
        if (end || c == ';' || c == '\n') {
            if (row.count) {
                lone = row.count == 1 && row.items[0].rank;
                if (lone)
                    made = row.items[0];
                else if (join(r, row.items, row.decimals, row.count, &made))
                    return -1;
                if (row_add(r, &lines, &made, DECIMALS_ALL))
                    return -1;
                row.count = 0;
            }
            comma = false;
            if (!end) {
                r->at++;
                continue;
            }
            r->at += closing != 0;
            if (!lines.count)
                return error_set(r->err, closing ? N_("there are no numbers between the brackets") : N_("there are no numbers here"));
            if (lines.count == 1 && !(lone && closing)) {
                *out = lines.items[0];
                return 0;
            }
            return join(r, lines.items, lines.decimals, lines.count, out);
        }
        if (c == ',') {
            if (comma || !row.count)
                return error_set(r->err, "a number is missing before a comma");
            comma = true;
            r->at++;
            continue;
        }
        if (c == '\0' || c == ')' || c == ']' || c == '}')
            return c ? error_set(r->err, "`%c` closes what was not opened", c) : error_set(r->err, "a `%c` is missing at the end", closing);
        int decimals;
        if (item(r, &made, &decimals) || row_add(r, &row, &made, decimals))
            return -1;
        comma = false;
    }
}

static int read_line(struct reader *r, const char *line, bool many, struct quantity *out)
{
    const char *comma = answer_comma(line);
    r->start = r->at = line;
    if (!line[strspn(line, " \n")])
        return error_set(r->err, "nothing is typed yet");
    if (comma && (!many || answer_parted(line)) && !strpbrk(line, "abcdfghijklmnopqrstuvwxyz"))
        return answer_ask_comma(line, comma, many, r->err);
    if (many) {
        r->list = true;
        r->at += strspn(r->at, " \n");
        return rows(r, '\0', out);
    }
    if (expression(r, out))
        return comma ? answer_ask_comma(line, comma, many, r->err) : -1;
    skip(r);
    if (*r->at == ',' || *r->at == ';' || *r->at == '=')
        return error_set(r->err, "one number is asked for, and after it stands `%.12s`", r->at);
    if (*r->at)
        return error_set(r->err, "`%.12s` is left over at the end", r->at);
    if (out->count != 1)
        return error_set(r->err, "one number is asked for, and this is a row of %zu", out->count);
    const char *from = line + strspn(line, " \n"), *to = r->at;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    out->rank = 0;
    out->decimals = arena_zero(r->arena, 1, sizeof *out->decimals);
    if (!out->decimals)
        return error_set(r->err, "out of memory");
    out->decimals[0] = typed_decimals(from, to);
    return 0;
}

int answer_read(struct quantity *out, struct arena *arena, const char *text, bool many,
                const struct named_quantity *names, size_t name_count, struct error *err)
{
    struct strbuf line = { 0 };
    struct reader reader = { .arena = arena, .names = names, .name_count = name_count, .err = err };
    int status = strlen(text) > TYPED_MAX ? error_set(err, "this is longer than %d bytes", TYPED_MAX) : answer_line(&line, text, err);
    if (!status)
        status = read_line(&reader, strbuf_string(&line), many, out);
    strbuf_free(&line);
    return status;
}
