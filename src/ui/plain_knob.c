/* Knobs, in words. */
#include <string.h>

#include "base/language.h"
#include "ui/knobs.h"
#include "ui/plain_say.h"

/* "norm, also over": as the screen names it, then as it may be typed in any case. */
static void say_names(struct strbuf *out, const struct scene_knob *knob)
{
    struct strbuf label = {0}; /* as it is said: ε is eps */
    say_text(&label, knob->label);
    bool two = label.length && strcmp(strbuf_string(&label), knob->name) != 0;
    strbuf_addf(out, "%s%s", two ? strbuf_string(&label) : "", two ? _(", also ") : "");
    say_text(out, knob->name);
    strbuf_free(&label);
}

/* Where it can go from here: where the lesson puts it, or an end. */
static double elsewhere(const struct scene_knob *knob)
{
    if (knob->kind == KNOB_PICK)
        return knob->value == 0 && knob->options.count > 1 ? 1 : 0;
    return knob->at != knob->value ? knob->at : knob->to != knob->value ? knob->to : knob->from;
}

static void say_how(struct strbuf *out, const struct scene_knob *knob)
{
    char number[32];
    strbuf_add(out, _(". Type \""));
    say_text(out, knob->name);
    strbuf_add(out, " ");
    if (knob->kind == KNOB_PICK && knob->option_names.count) {
        say_text(out, knob->option_names.item[(size_t)elsewhere(knob)]);
    } else {
        knobs_number(number, elsewhere(knob));
        strbuf_add(out, number);
    }
    strbuf_add(out, _("\" to set it.\n"));
}

static bool with_commas(const struct scene_knob *knob)
{
    for (size_t i = 0; i < knob->option_names.count; i++)
        if (strchr(knob->option_names.item[i], ','))
            return true;
    return false;
}

void say_knob(struct strbuf *out, const struct scene_step *step, const struct scene_knob *knob)
{
    strbuf_add(out, _("Knob "));
    say_names(out, knob);
    strbuf_add(out, " = ");
    say_text(out, knob->value_text);
    if (step->locked) {
        strbuf_add(out, scene_travels(step, knob) ? _(". It moves after your answer.\n") : _(". It can be turned after your answer.\n"));
        return;
    }
    char from[32], to[32];
    knobs_number(from, knob->from);
    knobs_number(to, knob->to);
    switch (knob->kind) {
    case KNOB_SWITCH:
        strbuf_add(out, _(". Type \""));
        say_text(out, knob->name);
        strbuf_add(out, knob->value > 0 ? _(" off\" to switch it off.\n") : _(" on\" to switch it on.\n"));
        return;
    case KNOB_PICK:
        strbuf_add(out, _(" (one of"));
        for (size_t i = 0; i < knob->option_names.count; i++) {
            strbuf_add(out, i == 0 ? " " : with_commas(knob) ? "; " : ", ");
            say_text(out, knob->option_names.item[i]);
        }
        strbuf_add(out, ")");
        break;
    default:
        strbuf_addf(out, _(" (%s to %s)"), from, to);
    }
    say_how(out, knob);
}

void say_knobs(struct strbuf *out, const struct scene_step *step)
{
    for (size_t i = 0; i < step->knob_count; i++)
        say_knob(out, step, &step->knobs[i]);
}
