/*
 * Cases of maps.c: for whom exports are, and how mappings end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "glaze-calls.h"
#include "maps.h"
#include "udm.h"

/* ---- ends ----------------------------------------------------------------- */

/* Each node ends its export while the one before it has mapped to it. */
void ends(void)
{
    uint32_t before_it;
    int32_t map;

    make_flags();
    for (uint32_t turn = 0; turn < 3; turn++) {
        check("an export", shrimp_export(DATA, in, PAGE), 0);
        map = shrimp_map(out, PAGE, next, DATA, 0, SHRIMP_DELIBERATE);
        check_true("is mapped", map >= 0);
        out[turn] = value(node, turn, 1);
        shrimp_send(&out[turn], 4);
        shrimp_fence();
        ring_barrier();
        check("what was sent is there", in[turn], value(before, turn, 1));
        check("the export ends", shrimp_unexport(DATA), 0);
        ring_barrier();
        before_it = dropped();
        out[turn] = 0;
        shrimp_send(&out[turn], 4);
        shrimp_fence();
        ring_barrier();
        check("what is sent then is dropped", in[turn], value(before, turn, 1));
        check("and counted", dropped() - before_it, 1);
        check("the mapping is there until it is ended", shrimp_unmap(map), 0);
        check("once", shrimp_unmap(map), -EINVAL);
        ring_barrier();
    }
}

/* ---- lets, uses ----------------------------------------------------------- */

static const uint32_t key[2] = { 0x12345678, 0x9abcdef0 };

void lets(void)
{
    struct shrimp_export for_job = { address_of(in), PAGE, SHRIMP_A_JOB, 2, { 0, 0 } };
    struct shrimp_export keyed = {
        address_of(in) + PAGE, PAGE, SHRIMP_KEY, 0, { key[0], key[1] },
    };

    check("one for job 2", shrimp_export_to(DATA, &for_job), 0);
    check("one with a key", shrimp_export_to(DATA + 1, &keyed), 0);
    shrimp_wait(&in[5], value(before, 1, 5));
    shrimp_wait(&in[WORDS + 6], value(before, 2, 6));
}

/* Maps a page of `out`, when job 1 has exported what it is to be mapped to. */
static int32_t map_to_job(uint32_t number, volatile uint32_t *from, uint32_t wrong)
{
    int32_t result = -ENOENT;

    for (uint32_t k = 0; k < 10000 && result == -ENOENT; k++) {
        struct shrimp_map wanted = {
            .address = address_of(from), .bytes = PAGE, .node = next, .job = 1,
            .number = number, .mode = SHRIMP_SINGLE, .key = { key[0] ^ wrong, key[1] },
        };

        result = shrimp_map_to(&wanted);
    }
    return result;
}

void uses(void)
{
    int32_t map;

    map = map_to_job(DATA, out, 0);
    check_true("to what is for this job", map >= 0);
    check("not by a wrong key", map_to_job(DATA + 1, out + WORDS, 1), -EACCES);
    check_true("by the right one", map_to_job(DATA + 1, out + WORDS, 0) >= 0);
    check("no such export of another job", map_to_job(DATA + 2, out + 2 * WORDS, 0),
          -ENOENT);
    out[5] = value(node, 1, 5);
    shrimp_fence();
    check("one mapping ends", shrimp_unmap(map), 0);
    out[WORDS + 6] = value(node, 2, 6);
}

/* ---- grants --------------------------------------------------------------- */

/* Returns the sum of a number over all nodes on node 0, by a token in a ring. */
static uint32_t sum(uint32_t mine)
{
    if (node) {
        mine += shrimp_wait_change(&flag_in[2], 0);
    }
    tell(2, mine);
    return node ? 0 : shrimp_wait_change(&flag_in[2], 0);
}

void grants(void)
{
    int32_t map[SHRIMP_MAPS], made = 0, last = 0;
    uint32_t all;

    make_flags();
    check("an export", shrimp_export(DATA, in, PAGE), 0);
    ring_barrier();
    for (uint32_t at = GLAZE_PROGRAM_END - 64 * PAGE; last >= 0; at += PAGE) {
        struct shrimp_map wanted = {
            .address = at, .bytes = 8, .number = DATA, .mode = SHRIMP_DELIBERATE,
        };

        glaze_map(at, PAGE);
        last = shrimp_map_to(&wanted);
        if (last >= 0) {
            map[made++] = last;
        }
    }
    check("no place is left, here or there", last, -ENOSPC);
    all = sum(made);
    check("node 0 has had 96 places, with that for flags", all,
          node ? 0 : SHRIMP_GRANTS - 1);
    ring_barrier();
    while (made) {
        check("each ends", shrimp_unmap(map[--made]), 0);
    }
    ring_barrier();
    check_true("then there are places again",
               shrimp_map(out, PAGE, 0, DATA, 0, SHRIMP_DELIBERATE) >= 0);
    ring_barrier();
}

/* ---- exits ---------------------------------------------------------------- */

/* Node 1 exits while all others send to it, and one waits for an export of it. */
void exits(void)
{
    static volatile uint32_t page[WORDS] __attribute__((aligned(PAGE)));
    int32_t map;

    if (node == 1) {
        check("an export", shrimp_export(DATA, in, sizeof(in)), 0);
        check("flags", shrimp_export(FLAGS, flag_in, PAGE), 0);
        for (uint32_t k = 0; k < nodes; k++) {
            if (k != node) {
                shrimp_wait(&flag_in[k], 1);
            }
        }
        return;
    }
    map = shrimp_map(out, sizeof(out), 1, DATA, 0, SHRIMP_DELIBERATE);
    check_true("is mapped", map >= 0);
    check_true("flags are, too", shrimp_map(flag_out, PAGE, 1, FLAGS, 0,
                                            SHRIMP_DELIBERATE) >= 0);
    tell(node, 1);
    for (uint32_t k = 0; k < 100; k++) {
        shrimp_send(out, sizeof(out));
    }
    shrimp_fence();
    check_true("updates for it were dropped here", dropped() > 0);
    check("its end is told to who waits for an export",
          shrimp_map(page, PAGE, 1, DATA + 1, 0, SHRIMP_DELIBERATE), -ESRCH);
    check("the mapping ends", shrimp_unmap(map), 0);
}

/* ---- halves --------------------------------------------------------------- */

#define HALF    (PAGE / 2)

static int32_t map_upper(uint32_t mode)
{
    int32_t map = shrimp_map(out + WORDS / 2, HALF, next, DATA, HALF, mode);

    check_true("the other half is mapped", map >= 0);
    return map;
}

void halves(void)
{
    int32_t upper = -1;

    make_flags();
    check("data are exported", shrimp_export(DATA, in, PAGE), 0);
    check_true("a half is mapped",
               shrimp_map(out, HALF, next, DATA, 0, SHRIMP_DELIBERATE) >= 0);
    for (uint32_t turn = 0; turn < 6; turn++) {
        uint32_t wrong = 0;

        for (uint32_t i = 0; i < WORDS / 2; i++) {
            out[i] = value(node, turn, i);
        }
        shrimp_send(out, HALF);
        if (turn % 2) {
            check("its mapping ends", shrimp_unmap(upper), 0);
        } else {
            upper = map_upper(turn % 4 ? SHRIMP_SINGLE : SHRIMP_DELIBERATE);
        }
        shrimp_fence();
        tell(0, turn + 1);
        shrimp_wait(&flag_in[0], turn + 1);
        for (uint32_t i = 0; i < WORDS / 2; i++) {
            wrong += in[i] != value(before, turn, i);
        }
        check("all words of the first half have come", wrong, 0);
        ring_barrier();
    }
}
