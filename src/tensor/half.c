/* Halves out of doubles and back. Both types are a sign, an exponent and a fraction as IEEE 754 lays them
   out; only how many bits each gets differs. */
#include "tensor/half.h"

#include <string.h>

enum { DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023, DOUBLE_SPECIAL = 0x7FF };

static int fraction_bits(enum tensor_type type)
{
    return type == TENSOR_FLOAT16 ? 10 : 7;
}

static int bias_of(enum tensor_type type)
{
    return type == TENSOR_FLOAT16 ? 15 : 127;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double half_value(enum tensor_type type, uint16_t bits)
{
    const int width = fraction_bits(type), special = 2 * bias_of(type) + 1;
    const uint64_t sign = (uint64_t)(bits >> 15) << 63;
    const int exponent = bits >> width & special;
    const uint64_t fraction = bits & ((1u << width) - 1);
    if (exponent == special) {
        const uint64_t quiet = fraction ? (uint64_t)1 << (DOUBLE_FRACTION - 1) : 0;
        return double_of(sign | (uint64_t)DOUBLE_SPECIAL << DOUBLE_FRACTION | quiet |
                         fraction << (DOUBLE_FRACTION - width));
    }
    if (exponent == 0) { /* fraction * the smallest subnormal, both exact in double */
        const int least = DOUBLE_BIAS + 1 - bias_of(type) - width;
        const double magnitude = (double)fraction * double_of((uint64_t)least << DOUBLE_FRACTION);
        return sign ? -magnitude : magnitude;
    }
    return double_of(sign | (uint64_t)(exponent - bias_of(type) + DOUBLE_BIAS) << DOUBLE_FRACTION |
                     fraction << (DOUBLE_FRACTION - width));
}

/* bits / 2^drop to the nearest, ties to even. */
static uint64_t shift_nearest(uint64_t bits, int drop)
{
    const uint64_t kept = bits >> drop, half = (uint64_t)1 << (drop - 1), rest = bits & (2 * half - 1);
    return kept + (rest > half || (rest == half && (kept & 1)));
}

uint16_t half_nearest(enum tensor_type type, double value)
{
    const int width = fraction_bits(type), special = 2 * bias_of(type) + 1, drop = DOUBLE_FRACTION - width;
    const uint64_t one = (uint64_t)1 << DOUBLE_FRACTION, infinity = (uint64_t)special << width;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t sign = bits >> 63 << 15, fraction = bits & (one - 1);
    const int from = (int)(bits >> DOUBLE_FRACTION & DOUBLE_SPECIAL);
    const int exponent = from - DOUBLE_BIAS + bias_of(type); /* of the result, if it is normal */
    uint64_t magnitude;
    if (from == DOUBLE_SPECIAL && fraction)
        magnitude = infinity | (uint64_t)1 << (width - 1) | fraction >> drop;
    else if (exponent >= special)
        magnitude = infinity;
    else if (exponent > 0) /* rounding may carry into the exponent, and so to infinity */
        magnitude = shift_nearest((uint64_t)exponent << DOUBLE_FRACTION | fraction, drop);
    else if (exponent > -width - 1)
        magnitude = shift_nearest(one | fraction, drop + 1 - exponent);
    else
        magnitude = 0;
    return (uint16_t)(sign | magnitude);
}

double tensor_round(double value, enum tensor_type type)
{
    if (type == TENSOR_FLOAT64)
        return value;
    if (type == TENSOR_FLOAT32)
        return (double)(float)value;
    return half_value(type, half_nearest(type, value));
}
