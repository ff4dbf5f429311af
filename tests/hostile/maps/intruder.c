/*
 * A hostile job, with SHRIMP's interface: attacks on maps over the network.
 *
 *      intruder CASE UNTIL
 *
 * Does what the case says on all nodes, again and again until the cycle UNTIL; some cases
 * end the job. A call that must be refused and is not is said in a line, and so is what a
 * page shows that it must not show. `nothing` does nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "shrimp.h"
#include "udm.h"
#include "witness.h"

#define PAGE    GLAZE_PAGE
#define WORDS   (PAGE / 4)
#define ALIGNED __attribute__((aligned(PAGE)))

enum { MINE = 1, MANY = 8, WITNESS_JOB = 2 };

/* `automatic` and `deliberate` are mapped to the next node's `in` and `in + WORDS`. */
static volatile uint32_t automatic[WORDS] ALIGNED, deliberate[WORDS] ALIGNED;
static volatile uint32_t in[2 * WORDS] ALIGNED;
static volatile uint32_t page[MANY][WORDS] ALIGNED;
static uint32_t node, nodes, next;
static int32_t maps[2];
static const char *name;
static uint64_t until;

static void refused(int32_t result)
{
    if (result >= 0) {
        printf("intruder: %s: a call that must be refused is not\n", name);
        exit(2);
    }
}

static uint32_t number_of(uint32_t k)
{
    return k * 0x9e3779b1 ^ k >> 7;
}

static bool goes_on(void)
{
    return udm_cycles() < until;
}

/* ---- Calls ---------------------------------------------------------------- */

static struct shrimp_map to_own(uint32_t k)
{
    return (struct shrimp_map){
        .address = (uintptr_t)page[k % MANY], .bytes = PAGE, .node = next,
        .number = MINE, .mode = SHRIMP_DELIBERATE,
    };
}

static struct shrimp_map to_witness(uint32_t number)
{
    struct shrimp_map map = to_own(0);

    map.job = WITNESS_JOB;
    map.number = number;
    return map;
}

static int32_t export_of(uint32_t address, uint32_t bytes)
{
    struct shrimp_export e = { address, bytes, SHRIMP_OWN_JOB, 0, { 0, 0 } };
    int32_t result = shrimp_export_to(MINE + 5, &e);

    return result;
}

static void export_kernel(uint32_t k)
{
    refused(export_of(0x40000000 + k % 64 * PAGE, PAGE));
    refused(export_of(k % 64 * PAGE, PAGE));
}

static void export_reserved(uint32_t k)
{
    static const uint32_t places[] = { GLAZE_INFO, GLAZE_VIEWS, SHRIMP_COMMANDS,
                                       FUGU_COMMAND_BASE, 0xfffff000 };

    refused(export_of(places[k % 5] & -PAGE, PAGE));
    refused(export_of((uintptr_t)shrimp_command(page), PAGE));
}

static void export_odd(uint32_t k)
{
    refused(export_of((uintptr_t)in + 4, 8));
    refused(export_of((uintptr_t)in, 0));
    refused(export_of((uintptr_t)in, 12));
    refused(export_of((uintptr_t)in, -8 - 8 * (k % 64)));
    refused(export_of((uintptr_t)in, SHRIMP_EXPORT_MOST + 8));
    refused(export_of(GLAZE_PROGRAM_END - 8, 16));
}

static void export_numbers(uint32_t k)
{
    uint32_t first = number_of(k);

    for (uint32_t n = 0; n < 2 * SHRIMP_EXPORTS; n++) {
        shrimp_export(first + n, page, PAGE);
    }
    for (uint32_t n = 0; n < 2 * SHRIMP_EXPORTS; n++) {
        shrimp_unexport(first + n);
    }
}

static void export_storm(uint32_t k)
{
    static volatile char *heap;

    if (!heap) {
        heap = (void *)(GLAZE_PROGRAM_END - SHRIMP_EXPORT_MOST);
        glaze_map((uintptr_t)heap, SHRIMP_EXPORT_MOST);
    }
    shrimp_export(MINE + 1, heap, k % 2 ? SHRIMP_EXPORT_MOST : PAGE);
    shrimp_unexport(MINE + 1);
}

static void structures(uint32_t k)
{
    static const uint32_t places[] = { 0, 4, 0x40000000, SHRIMP_COMMANDS, GLAZE_VIEWS,
                                       0xfffffff8, 0x90000000 };
    uint32_t at = places[k % 7];

    refused(glaze_call(GLAZE_SHRIMP, SHRIMP_EXPORT, k, at));
    refused(glaze_call(GLAZE_SHRIMP, SHRIMP_MAP, at, 0));
    refused(glaze_call(GLAZE_SHRIMP, SHRIMP_OPERATIONS + k, at, k));
    refused(glaze_call(GLAZE_SHRIMP, SHRIMP_UNMAP, 2 + number_of(k) % 0xffff0000, 0));
    refused(glaze_call(GLAZE_SHRIMP, SHRIMP_UNEXPORT, 100 + k, 0));
}

static void map_kernel(uint32_t k)
{
    struct shrimp_map map = to_own(k);

    map.address = 0x40000000 + k % 64 * PAGE;
    refused(shrimp_map_to(&map));
    map.address = GLAZE_INFO & -PAGE;
    refused(shrimp_map_to(&map));
    map.address = (uintptr_t)shrimp_command(page);
    refused(shrimp_map_to(&map));
}

static void map_odd(uint32_t k)
{
    struct shrimp_map map = to_own(k), sound = map;

    map.offset = 2 * PAGE - 8;
    refused(shrimp_map_to(&map));
    map.offset = -8;
    refused(shrimp_map_to(&map));
    map = sound;
    map.bytes = -8 - k % 64 * 8;
    refused(shrimp_map_to(&map));
    map = sound;
    map.node = nodes + number_of(k) % 1000;
    refused(shrimp_map_to(&map));
    map = sound;
    map.mode = 77 + k;
    refused(shrimp_map_to(&map));
    map = sound;
    map.address += 4;
    refused(shrimp_map_to(&map));
}

static void map_twice(uint32_t k)
{
    struct shrimp_map map = to_own(k);

    map.address = (uintptr_t)(k % 2 ? automatic : deliberate);
    refused(shrimp_map_to(&map));
    map.bytes = 8;
    refused(shrimp_map_to(&map));
}

static void map_witness(uint32_t k)
{
    struct shrimp_map map = to_witness(k % 2 ? WITNESS_DATA : WITNESS_FLAGS);

    map.node = k % nodes;
    refused(shrimp_map_to(&map));
}

static void map_foreign(uint32_t k)
{
    struct shrimp_map map = to_witness(WITNESS_FOREIGN);

    map.node = k % nodes;
    refused(shrimp_map_to(&map));
}

static void guess_keys(uint32_t k)
{
    struct shrimp_map map = to_witness(WITNESS_KEYED);

    map.node = k % nodes;
    map.key[0] = number_of(2 * k);
    map.key[1] = number_of(2 * k + 1);
    refused(shrimp_map_to(&map));
}

static void map_jobs(uint32_t k)
{
    struct shrimp_map map = to_own(k);

    map.job = 3 + number_of(k) % 1000;
    refused(shrimp_map_to(&map));
}

static void map_many(uint32_t k)
{
    static int32_t made[SHRIMP_MAPS];
    uint32_t count = 0, at = GLAZE_PROGRAM_END - SHRIMP_MAPS * PAGE;

    glaze_map(at, SHRIMP_MAPS * PAGE);
    while (count < SHRIMP_MAPS) {
        struct shrimp_map map = to_own(k);

        map.address = at + count * PAGE;
        map.mode = SHRIMP_BLOCKED;
        made[count] = shrimp_map_to(&map);
        if (made[count] < 0) {
            break;
        }
        count++;
    }
    while (count--) {
        shrimp_unmap(made[count]);
    }
}

static void map_storm(uint32_t k)
{
    struct shrimp_map map = to_own(k);
    int32_t number = shrimp_map_to(&map);

    if (number >= 0) {
        page[k % MANY][k % WORDS] = k;
        shrimp_send(&page[k % MANY][k % WORDS], 4);
        shrimp_unmap(number);
    }
}

static void pin_all(uint32_t k)
{
    static uint32_t at;

    if (!at) {
        at = GLAZE_PROGRAM_END - 16 * SHRIMP_EXPORT_MOST;
    }
    for (uint32_t n = 0; n < SHRIMP_EXPORTS - 2; n++) {
        glaze_map(at + n * SHRIMP_EXPORT_MOST, SHRIMP_EXPORT_MOST);
        shrimp_export(MINE + 1 + n, (void *)(at + n * SHRIMP_EXPORT_MOST),
                      SHRIMP_EXPORT_MOST);
    }
    for (uint32_t n = 0; k % 4 == 3 && n < SHRIMP_EXPORTS - 2; n++) {
        shrimp_unexport(MINE + 1 + n);
    }
}

static void free_mapped(uint32_t k)
{
    refused(glaze_unmap((uintptr_t)in, PAGE));
    refused(glaze_unmap((uintptr_t)(k % 2 ? automatic : deliberate), PAGE));
    refused(glaze_call(GLAZE_COUNT, (uintptr_t)shrimp_command(deliberate), 0, 0));
}

/* ---- Updates -------------------------------------------------------------- */

static void flood_single(uint32_t k)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        automatic[i] = k;
    }
}

static void flood_blocked(uint32_t k)
{
    if (!k) {
        shrimp_set_mode(automatic, SHRIMP_BLOCKED);
    }
    for (uint32_t i = 0; i < WORDS; i += 2) {
        automatic[i] = k;
    }
}

static void flood_commands(uint32_t k)
{
    deliberate[0] = k;
    shrimp_send(deliberate, PAGE);
}

static void flood_words(uint32_t k)
{
    shrimp_send(&deliberate[k % WORDS], 4);
}

static void flood_node_0(uint32_t k)
{
    static int32_t map = -1;

    if (map < 0) {
        shrimp_unmap(maps[0]);
        map = shrimp_map(automatic, PAGE, 0, MINE, 0, SHRIMP_SINGLE);
    }
    flood_single(k);
}

/* Only looks whether the engine is free, and gives it the longest command. */
static void hold_engine(uint32_t k)
{
    volatile uint32_t *command = shrimp_command(deliberate);

    (void)k;
    if (!*command) {
        *command = WORDS;
    }
}

static void look_at_engine(uint32_t k)
{
    (void)k;
    (void)*shrimp_command(deliberate);
}

static void modes(uint32_t k)
{
    shrimp_set_mode(automatic, k % 2 ? SHRIMP_SINGLE : SHRIMP_BLOCKED);
    automatic[k % WORDS] = k;
}

static void fences(uint32_t k)
{
    automatic[k % WORDS] = k;
    shrimp_fence();
}

/* Each update of an armed page interrupts. */
static void arms(uint32_t k)
{
    *shrimp_command(in) = FUGU_COMMAND_ARM;
    automatic[k % WORDS] = k;
}

/* Waits for what it sends to itself: others may have ended. */
static void waits(uint32_t k)
{
    if (!k) {
        shrimp_unmap(maps[0]);
        shrimp_map(automatic, PAGE, node, MINE, 0, SHRIMP_SINGLE);
    }
    automatic[1] = k + 1;
    shrimp_wait(&in[1], k + 1);
}

/* Two nodes' pages are mapped to each other: what comes is not sent on. */
static void circle(uint32_t k)
{
    static int32_t map = -1;

    if (map < 0) {
        map = shrimp_map(in, PAGE, next, MINE, 0, SHRIMP_SINGLE);
    }
    in[k % WORDS] = k;
}

static void end_under_way(uint32_t k)
{
    deliberate[k % WORDS] = k;
    shrimp_send(deliberate, PAGE);
    shrimp_unmap(maps[1]);
    maps[1] = shrimp_map(deliberate, PAGE, next, MINE, PAGE, SHRIMP_DELIBERATE);
    if (maps[1] < 0 && goes_on()) {
        printf("intruder: %s: not mapped again\n", name);
        exit(2);
    }
}

/* Odd nodes end the export that others send to, and make it anew. */
static void take_away(uint32_t k)
{
    static int32_t map = -1;

    if (node % 2) {
        if (k < 2) {
            shrimp_export(MINE + 1, page[0], PAGE);
        }
        for (uint64_t start = udm_cycles(); udm_cycles() - start < 30000; ) {
        }
        shrimp_unexport(MINE + 1);
        shrimp_export(MINE + 1, page[k % MANY], PAGE);
    } else if (nodes > 1) {
        if (map >= 0 && k % 64 == 0) {
            shrimp_unmap(map);
            map = -1;
        }
        if (map < 0) {
            map = shrimp_map(page[1], PAGE, next, MINE + 1, 0, SHRIMP_SINGLE);
        }
        if (map >= 0) {
            page[1][k % WORDS] = k;
        }
    }
}

static void yields(uint32_t k)
{
    flood_single(k);
    glaze_yield();
}

/* ---- What ends the job ---------------------------------------------------- */

static void on_node_1(uint32_t k, void (*act)(void))
{
    flood_commands(k);
    if (k == 50 && node == 1 % nodes) {
        act();
    }
}

static void store_null(void)
{
    *(volatile uint32_t *)4 = 1;
}

static void stale_command(void)
{
    shrimp_unmap(maps[1]);
    *shrimp_command(deliberate) = 1;
}

static void stale_arm(void)
{
    shrimp_export(MINE + 1, page[3], PAGE);
    shrimp_unexport(MINE + 1);
    *shrimp_command(page[3]) = FUGU_COMMAND_ARM;
}

static void other_command(void)
{
    *shrimp_command((void *)(uintptr_t)(GLAZE_PROGRAM_END - PAGE)) = 1;
}

static void kernel_command(void)
{
    *(volatile uint32_t *)(SHRIMP_COMMANDS + 0x40000000) = WORDS;
}

static void read_command(void)
{
    (void)*shrimp_command(page[2]);
}

static void physical(void)
{
    *(volatile uint32_t *)FUGU_COMMAND_BASE = WORDS;
}

static void mode_of_nothing(void)
{
    shrimp_set_mode(page[2], SHRIMP_SINGLE);
}

static void stop(void)
{
    exit(0);
}

static void crash_under_way(uint32_t k) { on_node_1(k, store_null); }
static void stale(uint32_t k) { on_node_1(k, stale_command); }
static void stale_in(uint32_t k) { on_node_1(k, stale_arm); }
static void commands_of_none(uint32_t k) { on_node_1(k, other_command); }
static void commands_of_kernel(uint32_t k) { on_node_1(k, kernel_command); }
static void reads_commands(uint32_t k) { on_node_1(k, read_command); }
static void physical_command(uint32_t k) { on_node_1(k, physical); }
static void mode_unmapped(uint32_t k) { on_node_1(k, mode_of_nothing); }
static void exit_under_way(uint32_t k) { on_node_1(k, stop); }

static void crash_full(uint32_t k)
{
    flood_single(k);
    if (k == 20 && node == 1 % nodes) {
        store_null();
    }
}

static void exit_full(uint32_t k)
{
    flood_single(k);
    if (k == 20 && node == 1 % nodes) {
        exit(0);
    }
}

static void waits_for_ever(uint32_t k)
{
    if (node == 1 % nodes && k == 3) {
        store_null();
    } else if (node != 1 % nodes) {
        shrimp_map(page[0], PAGE, 1 % nodes, 77, 0, SHRIMP_SINGLE);
    }
}

static void nothing(uint32_t k)
{
    (void)k;
}

/* test_maps_hostile.py says how the job ends. */
static const struct {
    const char *name;
    void (*run)(uint32_t k);
} cases[] = {
    { "nothing", nothing },
    { "export-kernel", export_kernel },
    { "export-reserved", export_reserved },
    { "export-odd", export_odd },
    { "export-numbers", export_numbers },
    { "export-storm", export_storm },
    { "structures", structures },
    { "map-kernel", map_kernel },
    { "map-odd", map_odd },
    { "map-twice", map_twice },
    { "map-witness", map_witness },
    { "map-foreign", map_foreign },
    { "guess-keys", guess_keys },
    { "map-jobs", map_jobs },
    { "map-many", map_many },
    { "map-storm", map_storm },
    { "pin-all", pin_all },
    { "free-mapped", free_mapped },
    { "flood-single", flood_single },
    { "flood-blocked", flood_blocked },
    { "flood-commands", flood_commands },
    { "flood-words", flood_words },
    { "flood-node-0", flood_node_0 },
    { "hold-engine", hold_engine },
    { "look-at-engine", look_at_engine },
    { "modes", modes },
    { "fences", fences },
    { "arms", arms },
    { "waits", waits },
    { "circle", circle },
    { "end-under-way", end_under_way },
    { "take-away", take_away },
    { "yields", yields },
    { "crash-under-way", crash_under_way },
    { "exit-under-way", exit_under_way },
    { "crash-full", crash_full },
    { "exit-full", exit_full },
    { "stale-command", stale },
    { "stale-arm", stale_in },
    { "commands-of-none", commands_of_none },
    { "commands-of-kernel", commands_of_kernel },
    { "reads-commands", reads_commands },
    { "physical-command", physical_command },
    { "mode-unmapped", mode_unmapped },
    { "waits-for-ever", waits_for_ever },
};

int main(int argc, char **argv)
{
    name = argc > 2 ? argv[1] : "nothing";
    until = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    node = udm_node();
    nodes = udm_nodes();
    next = (node + 1) % nodes;
    shrimp_export(MINE, in, 2 * PAGE);
    maps[0] = shrimp_map(automatic, PAGE, next, MINE, 0, SHRIMP_SINGLE);
    maps[1] = shrimp_map(deliberate, PAGE, next, MINE, PAGE, SHRIMP_DELIBERATE);
    for (uint32_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        if (!strcmp(name, cases[c].name)) {
            for (uint32_t k = 0; goes_on(); k++) {
                cases[c].run(k);
            }
            return 0;
        }
    }
    printf("intruder: no case %s\n", name);
    return 2;
}
