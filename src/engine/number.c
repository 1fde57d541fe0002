/* How numbers are written: one style in texts, views and messages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/internal.h"

enum { SIGNIFICANT = 4, PLACES_MAX = 9 };

static int special(char out[NUMBER_TEXT], double value)
{
    if (isnan(value))
        strcpy(out, "nan");
    else if (isinf(value))
        strcpy(out, value > 0 ? "inf" : "-inf");
    else
        return 0;
    return 1;
}

/* 3.650e-07 -> 3.65e-7, -0 -> 0 */
static void tidy(char *text)
{
    char *e = strchr(text, 'e');
    char exponent[16] = "";
    if (e) {
        snprintf(exponent, sizeof exponent, "e%d", atoi(e + 1));
        *e = '\0';
    }
    if (strchr(text, '.')) {
        char *end = text + strlen(text);
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.')
            *--end = '\0';
    }
    if (!strcmp(text, "-0"))
        strcpy(text, "0");
    strcat(text, exponent);
}

void number_digits(char out[NUMBER_TEXT], double value, int digits)
{
    if (special(out, value))
        return;
    double size = fabs(value);
    if (size >= pow(10, digits) - 0.5 && size < 1e7)
        snprintf(out, NUMBER_TEXT, "%.0f", value);
    else if (size != 0 && size < 1e-4)
        snprintf(out, NUMBER_TEXT, "%.*e", digits - 1, value);
    else
        snprintf(out, NUMBER_TEXT, "%.*g", digits, value);
    if (strpbrk(out, ".e") || !strcmp(out, "-0"))
        tidy(out);
}

void number_text(char out[NUMBER_TEXT], double value)
{
    number_digits(out, value, SIGNIFICANT);
}

void number_places(char out[NUMBER_TEXT], double value, int places)
{
    if (special(out, value))
        return;
    if (fabs(value) >= 1e15) {
        number_text(out, value);
        return;
    }
    snprintf(out, NUMBER_TEXT, "%.*f", places, value);
    if (out[0] == '-' && !strpbrk(out, "123456789"))
        memmove(out, out + 1, strlen(out));
}

int number_common_places(const double *values, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]) && fabs(values[i]) > largest)
            largest = fabs(values[i]);
    if (largest == 0)
        return 0;
    if (largest >= 1e7 || largest < 1e-5)
        return -1;
    int places = SIGNIFICANT - 1 - (int)floor(log10(largest));
    places = places < 0 ? 0 : places > PLACES_MAX ? PLACES_MAX : places;
    char text[NUMBER_TEXT];
    int needed = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            continue;
        number_places(text, values[i], places);
        if (values[i] != 0 && fabs(values[i]) > 1e-6 * largest && !strpbrk(text, "123456789"))
            return -1;
        int own = places;
        for (size_t n = strlen(text); own > 0 && text[n - 1] == '0'; n--)
            own--;
        needed = own > needed ? own : needed;
    }
    return needed;
}
