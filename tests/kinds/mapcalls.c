/*
 * Calls of maps over the network that an alarm interrupts, at each moment of them.
 *
 *      mapcalls left | inside | fence
 *
 * left: the alarm's handler leaves MAP and UNMAP by longjmp(). The next call is another
 *   one, from the same place: it gets its own result, and no mapping stays half made.
 * inside: the handler makes calls itself, while the ones that it has interrupted wait, or
 *   are over. Each gets its own result.
 * fence: the handler leaves FENCE. The next one waits for what was sent in between.
 *
 * A node maps its memory to itself. The alarm's stub is that of
 * tests/glaze/rights/code.S.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <setjmp.h>
#include <string.h>

#include "check.h"
#include "glaze-calls.h"
#include "shrimp.h"
#include "udm.h"

#define UPCALL  ((volatile struct glaze_upcall_page *)GLAZE_UPCALL)
#define WORDS   (GLAZE_PAGE / 4)

enum { PAGES = 40, LONG = 1, SHORT, STEP = 2477, MOST = 400 };

extern const char alarm_stub[];
void rings(uint32_t, uint32_t, uint32_t pc);

static volatile uint32_t long_out[PAGES][WORDS] __attribute__((aligned(GLAZE_PAGE)));
static volatile uint32_t long_in[PAGES][WORDS] __attribute__((aligned(GLAZE_PAGE)));
static volatile uint32_t short_out[WORDS] __attribute__((aligned(GLAZE_PAGE)));
static volatile uint32_t short_in[WORDS] __attribute__((aligned(GLAZE_PAGE)));

static jmp_buf place;
static bool leaves;
static volatile bool rung;
static volatile uint32_t wrong;
static uint32_t number;         /* that is sent next */

static int32_t map_long(void)
{
    return shrimp_map(long_out, sizeof(long_out), udm_node(), LONG, 0, SHRIMP_SINGLE);
}

static int32_t map_short(void)
{
    return shrimp_map(short_out, sizeof(short_out), udm_node(), SHORT, 0,
                      SHRIMP_BLOCKED);
}

/* Returns whether a word that is stored comes. */
static bool comes(volatile uint32_t *out, const volatile uint32_t *in)
{
    uint32_t from = udm_cycles32();

    *out = ++number;
    while (*in != number) {
        if (udm_cycles32() - from > 100000) {
            return false;
        }
    }
    return true;
}

/* Makes both calls with another range. */
static void use_short(void)
{
    int32_t mapping = map_short();

    wrong += mapping < 0 || !comes(&short_out[9], &short_in[9]);
    wrong += shrimp_unmap(mapping) != 0;
}

void rings(uint32_t unused0, uint32_t unused1, uint32_t pc)
{
    (void)unused0;
    (void)unused1;
    (void)pc;
    rung = true;
    if (leaves) {
        longjmp(place, 1);
    }
    use_short();
}

static void alarm_after(uint32_t cycles)
{
    rung = false;
    glaze_alarm(udm_cycles() + cycles);
}

static void no_alarm(void)
{
    glaze_alarm(UINT64_MAX);
}

/* Ends each mapping that the process has. */
static void unmap_all(void)
{
    for (int32_t mapping = 0; mapping < SHRIMP_MAPS; mapping++) {
        shrimp_unmap(mapping);
    }
}

/* ---- Calls that are left --------------------------------------------------- */

/* Leaves MAP, or UNMAP of a mapping, after some cycles. Returns whether it was left. */
static bool leave(bool unmaps, uint32_t cycles)
{
    int32_t mapping = unmaps ? map_long() : 0;
    bool left = true;

    wrong += mapping < 0;
    if (!setjmp(place)) {
        alarm_after(cycles);
        if (unmaps) {
            shrimp_unmap(mapping);
        } else {
            map_long();
        }
        no_alarm();
        left = rung;
    } else {
        udm_endatom();
    }
    use_short();
    unmap_all();
    mapping = map_long();
    wrong += mapping < 0 || !comes(&long_out[PAGES - 1][5], &long_in[PAGES - 1][5]);
    wrong += shrimp_unmap(mapping) != 0;
    return left;
}

static void left(void)
{
    leaves = true;
    for (unsigned unmaps = 0; unmaps < 2; unmaps++) {
        uint32_t times = 0, k = 1;

        for (; k < MOST && leave(unmaps, k * STEP); k++) {
            times++;
        }
        check("a call was left", times > 4, true);
        check("until it came before the alarm", k < MOST, true);
    }
    check("each call had its own result", wrong, 0);
    unmap_all();
    for (int32_t k = 0; k < SHRIMP_MAPS; k++) {
        wrong += shrimp_map(&short_out[2 * k], 8, udm_node(), SHORT, 8 * k,
                            SHRIMP_SINGLE) != (k ? -EINVAL : 0);
    }
    check("all places are free", wrong, 0);
}

/* ---- Calls inside of others ------------------------------------------------ */

static void inside(void)
{
    uint32_t k, times = 0;

    for (k = 1; k < MOST; k++) {
        int32_t mapping;
        bool maps;

        alarm_after(k * STEP);
        mapping = map_long();
        maps = rung;
        no_alarm();
        wrong += mapping < 0 || !comes(&long_out[3][8], &long_in[3][8]);
        alarm_after(k * STEP);
        wrong += shrimp_unmap(mapping) != 0;
        wrong += shrimp_unmap(mapping) != -EINVAL;
        times += rung;
        no_alarm();
        if (!maps && !rung) {
            break;
        }
    }
    check("the alarm came before both had ended", times > 4, true);
    check("and at last behind", k < MOST, true);
    check("each call had its own result", wrong, 0);
}

/* ---- Fences ---------------------------------------------------------------- */

/* The user's numbers of packets (docs/machine.md). */
static bool all_are_credited(void)
{
    uint32_t sent = *(volatile uint32_t *)(FUGU_NI_USER_BASE + FUGU_U_SENT);

    return *(volatile uint32_t *)(FUGU_NI_USER_BASE + FUGU_U_CREDITED) == sent;
}

static void store_many(void)
{
    for (uint32_t k = 0; k < 100; k++) {
        short_out[k] = ++number;
    }
}

static void fence(void)
{
    volatile uint32_t times = 0;

    leaves = true;
    wrong += shrimp_map(short_out, sizeof(short_out), (udm_node() + 1) % udm_nodes(),
                        SHORT, 0, SHRIMP_SINGLE) < 0;
    for (volatile uint32_t k = 1; k < MOST; k++) {
        if (!setjmp(place)) {
            store_many();
            alarm_after(k * STEP / 20);
            shrimp_fence();
            no_alarm();
        } else {
            udm_endatom();
            times++;
            store_many();
        }
        shrimp_fence();
        wrong += !all_are_credited();
    }
    check("fences were left", times > 4, true);
    check("the next one waits for all", wrong, 0);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)alarm_stub;
    check("long", shrimp_export(LONG, long_in, sizeof(long_in)), 0);
    check("short", shrimp_export(SHORT, short_in, sizeof(short_in)), 0);
    if (!strcmp(name, "left")) {
        left();
    } else if (!strcmp(name, "inside")) {
        inside();
    } else {
        fence();
    }
    return check_end();
}
