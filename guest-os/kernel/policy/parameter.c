/*
 * The kernel's parameters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "machine/latency.h"
#include "delivery/upcall.h"
#include "policy/call.h"
#include "machine/ni.h"
#include "memory/water.h"
#include "policy/parameter.h"
#include "machine/print.h"
#include "machine/process.h"
#include "policy/skew.h"
#include "services/shrimp/state.h"

static const char prefix[] = "glaze.";

static const struct {
    const char *name;
    uint32_t *value;
    uint32_t least, most;
} parameters[] = {
    { "timeslice=", &timeslice, GLAZE_SLOT_LEAST, UINT32_MAX },
    { "timeout=", &atomicity_timeout, 1, UINT32_MAX },
    { "low-water=", &water_low, 0, 100 },
    { "high-water=", &water_high, 0, 100 },
    { "skew=", &skew_percent, 0, SKEW_MAX },
    { "seed=", &seed, 0, UINT32_MAX },
    { "shm-order=", &shm_order, GLAZE_ORDER_KEEP, GLAZE_ORDER_DROP },
    { "shm-visits=", &shm_visits, 0, 1 },
    { "buffer-latency=", &buffer_latency, 0, LATENCY_MAX },
    { "shrimp-paging=", &shrimp_paging, SHRIMP_PIN, SHRIMP_SHOOT_DOWN },
    { "ping=", &ping_allowed, 0, UINT32_MAX },
};

/*
 * Reads a decimal number up to a space or the end. Returns false if the text
 * is not one.
 */
static bool number(const char *text, uint32_t *value)
{
    uint32_t sum = 0;

    if (*text == ' ' || !*text) {
        return false;
    }
    for (; *text && *text != ' '; text++) {
        uint32_t digit = *text - '0';

        if (digit > 9 || sum > (UINT32_MAX - digit) / 10) {
            return false;
        }
        sum = 10 * sum + digit;
    }
    *value = sum;
    return true;
}

static bool set(const char *word)
{
    for (unsigned i = 0; i < sizeof(parameters) / sizeof(*parameters); i++) {
        unsigned length = strlen(parameters[i].name);
        uint32_t value;

        if (!strncmp(word, parameters[i].name, length) &&
            number(word + length, &value) && value >= parameters[i].least &&
            value <= parameters[i].most) {
            *parameters[i].value = value;
            return true;
        }
    }
    return false;
}

const char *parameters_take(const char *words)
{
    while (!strncmp(words, prefix, sizeof(prefix) - 1)) {
        const char *word = words + sizeof(prefix) - 1;
        unsigned length = strcspn(words, " ");

        if (!set(word)) {
            if (ni_node() == 0) {
                print("glaze: there is no such parameter, or not with such a "
                      "value: ");
                console_write(words, length);
                print("\n");
            }
            return NULL;
        }
        words += length;
        words += strspn(words, " ");
    }
    return words;
}
