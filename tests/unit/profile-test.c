/*
 * Unit tests of how a profile counts cycles, without QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include <glib.h>
#include "observe/profile.h"

enum { FIRST = 0x1000, SECOND = 0x2000, SPACE = 3 };

/* All code of a page is one function. */
uint32_t fugu_plan_function(const FuguPlan *plan, uint32_t gid, uint32_t pc)
{
    (void)plan, (void)gid;
    return pc & ~0xfffu;
}

static void enter(FuguProfile *p, int64_t now, uint32_t pc, int64_t waited)
{
    fugu_profile_block(p, now, &(FuguProfileBlock) {
        .pc = pc,
        .sp = 0x100000,
        .gid = 1,
        .user = true,
        .waited = waited,
        .why = SPACE,
    });
}

/* The cycles that were written for a kind and code, of all callers. */
static uint64_t sum_of(const char *text, unsigned kind, uint32_t code)
{
    uint64_t sum = 0;

    for (const char *line = text; line; line = strchr(line, '\n')) {
        unsigned found_kind, found_code;
        uint64_t cycles;

        line += *line == '\n';
        if (sscanf(line, "frame %*u %*u %*u %u %*u %u %" SCNu64, &found_kind,
                   &found_code, &cycles) == 3 &&
            found_kind == kind && found_code == code) {
            sum += cycles;
        }
    }
    return sum;
}

static void check(FuguProfile *p, int64_t end, int64_t waited, uint64_t first,
                  uint64_t second, uint64_t space)
{
    char text[2000] = "";
    FILE *file = fmemopen(text, sizeof(text), "w");

    fugu_profile_write(p, end, waited, SPACE, 0, file);
    fclose(file);
    g_assert_cmpuint(sum_of(text, FUGU_FRAME_FUNCTION, FIRST), ==, first);
    g_assert_cmpuint(sum_of(text, FUGU_FRAME_FUNCTION, SECOND), ==, second);
    g_assert_cmpuint(sum_of(text, FUGU_FRAME_WAIT, SPACE), ==, space);
    g_array_free(p->frames, true);
    g_hash_table_unref(p->stacks);
    g_free(p);
}

static FuguProfile *started(const FuguPlan *plan)
{
    return fugu_profile_new(plan, 1, 0);
}

static void test_sum(void)
{
    FuguPlan plan = { .stack_size = 1 };
    FuguProfile *p = started(&plan);

    enter(p, 0, FIRST, 0);
    enter(p, 100, SECOND, 40);          /* 40 of the first one's were a wait */
    check(p, 150, 40, 60, 50, 40);
}

/* A wait that was counted becomes shorter: later waits make up for it. */
static void test_shorter_wait(void)
{
    FuguPlan plan = { .stack_size = 1 };
    FuguProfile *p = started(&plan);

    enter(p, 0, FIRST, 0);
    enter(p, 100, SECOND, 40);
    enter(p, 150, FIRST, 35);
    check(p, 250, 45, 60 + 95, 50, 45);
}

/* A block is entered at a time before the last one's: its cycles count once. */
static void test_time_goes_back(void)
{
    FuguPlan plan = { .stack_size = 1 };
    FuguProfile *p = started(&plan);

    enter(p, 0, FIRST, 0);
    enter(p, 100, SECOND, 0);
    enter(p, 90, FIRST, 0);
    check(p, 120, 0, 120, 0, 0);
}

/* A wait is longer than what has passed since the last block. */
static void test_longer_wait(void)
{
    FuguPlan plan = { .stack_size = 1 };
    FuguProfile *p = started(&plan);

    enter(p, 0, FIRST, 0);
    enter(p, 100, SECOND, 130);
    check(p, 200, 130, 0, 70, 130);
}

int main(int argc, char *argv[])
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/profile/sum", test_sum);
    g_test_add_func("/profile/shorter-wait", test_shorter_wait);
    g_test_add_func("/profile/time-goes-back", test_time_goes_back);
    g_test_add_func("/profile/longer-wait", test_longer_wait);
    return g_test_run();
}
