#include "app/turn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STOPS_DEFAULT = 48 };

const struct scene_knob *knob_named(const struct scene_step *step, const char *name)
{
    for (size_t i = 0; i < step->knob_count; i++)
        if (strcmp(step->knobs[i].name, name) == 0)
            return &step->knobs[i];
    return NULL;
}

static double pick_index(const struct scene_knob *knob, const char *word)
{
    for (size_t i = 0; word && i < knob->options.count; i++)
        if (strcmp(knob->options.item[i], word) == 0)
            return (double)i;
    return knob->at;
}

double knob_setting_value(const struct scene_knob *knob, const struct setting *setting)
{
    switch (knob->kind) {
    case KNOB_SWITCH: return setting->on ? 1 : 0;
    case KNOB_PICK: return pick_index(knob, setting->word);
    default: return setting->number;
    }
}

double knob_value(const struct scene_knob *knob, const struct inputs *inputs)
{
    const struct setting *setting = inputs_setting(inputs, knob->name);
    return setting ? knob_setting_value(knob, setting) : knob->value;
}

/* The number as a person would write it, so that the knob stands at what it shows. */
static double written(double value, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

/* A value as it is written may lie beside its stop by this part of the way to the next one. */
#define BESIDE 0.02

/* The fewest digits, but three, that keep a value that near to its stop. */
static int digits_for(double stops, double from, double to)
{
    double apart = log(to / from) / stops;
    int digits = 3;
    while (digits < 15 && 5 * pow(10, -digits) > apart * BESIDE / 2)
        digits++;
    return digits;
}

static double at_stop(const struct scene_knob *knob, double stops, double stop)
{
    if (stop <= 0)
        return knob->from;
    if (stop >= stops)
        return knob->to;
    if (knob->kind != KNOB_LOG)
        return written(knob->from + (knob->to - knob->from) * stop / stops, 12);
    return written(knob->from * pow(knob->to / knob->from, stop / stops), digits_for(stops, knob->from, knob->to));
}

static double stop_of(const struct scene_knob *knob, double stops, double value)
{
    if (knob->kind == KNOB_LOG)
        return value > 0 ? stops * log(value / knob->from) / log(knob->to / knob->from) : 0;
    return stops * (value - knob->from) / (knob->to - knob->from);
}

static double least_value(const struct scene_knob *knob)
{
    return knob->kind == KNOB_SWITCH || knob->kind == KNOB_PICK ? 0 : knob->from;
}

static double most_value(const struct scene_knob *knob)
{
    if (knob->kind == KNOB_SWITCH)
        return 1;
    if (knob->kind == KNOB_PICK)
        return knob->options.count > 0 ? (double)(knob->options.count - 1) : 0;
    return knob->to;
}

double knob_turned(const struct scene_knob *knob, double value, int by)
{
    double least = least_value(knob), most = most_value(knob);
    if (by == -2 || by == 2)
        return by < 0 ? least : most;
    if (knob->kind != KNOB_LOG && knob->kind != KNOB_LINEAR)
        return fmin(fmax(value + by, least), most);
    double stops = knob->stops > 0 ? knob->stops : STOPS_DEFAULT;
    double stop = stop_of(knob, stops, value);
    return at_stop(knob, stops, by > 0 ? floor(stop + BESIDE) + 1 : ceil(stop - BESIDE) - 1);
}

double knob_between(const struct scene_knob *knob, double from, double to, double part)
{
    if (part <= 0)
        return from;
    if (part >= 1)
        return to;
    switch (knob->kind) {
    case KNOB_LOG:
        if (from > 0 && to > 0)
            return written(from * pow(to / from, part), 3);
        return part < 0.5 ? from : to;
    case KNOB_LINEAR: return from + (to - from) * part;
    case KNOB_INT: return nearbyint(from + (to - from) * part);
    default: return part < 0.5 ? from : to;
    }
}

int knob_put(struct inputs *inputs, struct words *words, const struct scene_knob *knob, double value, struct error *err)
{
    struct setting setting = {.name = words_keep(words, knob->name)};
    if (!setting.name)
        return error_set(err, "out of memory");
    switch (knob->kind) {
    case KNOB_SWITCH:
        setting.kind = SETTING_SWITCH;
        setting.on = value >= 0.5;
        break;
    case KNOB_PICK: {
        size_t i = (size_t)fmin(fmax(value, 0), most_value(knob));
        setting.kind = SETTING_WORD;
        setting.word = i < knob->options.count ? words_keep(words, knob->options.item[i]) : NULL;
        if (!setting.word)
            return error_set(err, "the knob %s has no such option", knob->label);
        break;
    }
    default:
        setting.kind = SETTING_NUMBER;
        setting.number = value;
    }
    return inputs_set(inputs, setting, err);
}
