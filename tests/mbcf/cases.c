/*
 * mbcf-cases NAME: what docs/mbcf.md promises, case by case. Node 0 requests and
 * checks, node 1 is the target.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "cases.h"
#include "check.h"
#include "glaze-calls.h"

uint8_t memory[PAGES * GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
uint8_t local[PAGES * GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));

static volatile uint32_t word[8];       /* targets of commands */

uint32_t now(struct mbcf_request request)
{
    volatile uint32_t status = MBCF_PENDING;

    request.options |= MBCF_STATUS;
    request.status = (uintptr_t)&status;
    mbcf_request(&request, 1);
    return mbcf_await(&status);
}

uint32_t write_to(uint32_t task, uint32_t address, uint32_t bytes)
{
    return mbcf_write_now(task, address, local, bytes);
}

uint32_t read_from(uint32_t task, uint32_t address, uint32_t bytes)
{
    return mbcf_read_now(task, local, address, bytes);
}

uint32_t add_to(uint32_t task, uint32_t address)
{
    return now((struct mbcf_request) {
        .command = MBCF_FETCH_ADD,
        .task = task,
        .address = address,
        .operand = { 1 },
    });
}

uint32_t send_bytes(uint32_t command, struct mbcf_fifo *to, const void *from,
                    uint32_t bytes)
{
    volatile uint32_t status = MBCF_PENDING;

    mbcf_send(command, 1, (uintptr_t)to, from, bytes, MBCF_STATUS, &status);
    return mbcf_await(&status);
}

uint32_t send_signal(struct mbcf_signal *to, uint32_t program, const void *from,
                     uint32_t bytes)
{
    volatile uint32_t status = MBCF_PENDING;

    mbcf_signal(1, (uintptr_t)to, program, from, bytes, MBCF_STATUS, &status);
    return mbcf_await(&status);
}

/* ---- Words --------------------------------------------------------------- */

static uint32_t on(uint32_t command, uint32_t a, uint32_t b, uint32_t *old)
{
    return now((struct mbcf_request) {
        .command = command,
        .task = 1,
        .address = (uintptr_t)&word[0],
        .local = (uintptr_t)old,
        .operand = { a, b },
    });
}

static uint32_t get(uint32_t k)
{
    uint32_t value = 0;

    mbcf_read_now(1, &value, (uintptr_t)&word[k], sizeof(value));
    return value;
}

static void case_words(void)
{
    uint32_t old = 1;

    if (udm_node() == 0) {
        check("swap", on(MBCF_SWAP, 7, 0, &old), MBCF_DONE);
        check("swap: old", old, 0);
        check("swap: new", get(0), 7);
        check("add", on(MBCF_FETCH_ADD, 5, 0, &old), MBCF_DONE);
        check("add: old", old, 7);
        check("add: new", get(0), 12);
        check("compare: equal", on(MBCF_COMP_SWAP, 12, 30, &old), MBCF_DONE);
        check("compare: equal: old", old, 12);
        check("compare: equal: new", get(0), 30);
        check("compare: other", on(MBCF_COMP_SWAP, 12, 40, &old), MBCF_DONE);
        check("compare: other: old", old, 30);
        check("compare: other: new", get(0), 30);
        check("no place for the old value", on(MBCF_FETCH_ADD, 1, 0, NULL),
              MBCF_DONE);
        check("add once more", get(0), 31);
        check("itself", mbcf_fetch_add_now(0, (uintptr_t)&word[1], 3), 0);
        check("itself: new", word[1], 3);
    }
}

/* All nodes add to one word at once. */
static void case_atomic(void)
{
    uint32_t sum = 0;

    for (uint32_t k = 0; k < 50; k++) {
        sum += mbcf_fetch_add_now(0, (uintptr_t)&word[0], 1);
    }
    sum = udm_reduce_int(0, UDM_SUM, sum);
    if (udm_node() == 0) {
        uint32_t all = 50 * udm_nodes();

        check("count", word[0], all);
        check("each value once", sum, all * (all - 1) / 2);
    }
}

/* ---- Options ------------------------------------------------------------- */

static void write_word(uint32_t address, uint32_t options,
                       volatile uint32_t *status)
{
    static const uint32_t value = 1;

    mbcf_write(1, address, &value, sizeof(value), options, status);
}

/* No bytes, with each function: nothing is sent, and the status is there. */
static void case_nothing(void)
{
    volatile uint32_t status = MBCF_PENDING, failure = 77;

    if (udm_node()) {
        return;
    }
    mbcf_write(1, in_memory(0), local, 0, MBCF_STATUS | MBCF_COLOUR(1), &status);
    check("write", status, MBCF_DONE);
    status = MBCF_PENDING;
    mbcf_read(1, local, in_memory(0), 0, MBCF_STATUS, &status);
    check("read", status, MBCF_DONE);
    mbcf_write(1, in_memory(0), local, 0, MBCF_ON_FAILURE, &failure);
    check("on failure", failure, 77);
    mbcf_write(1, in_memory(0), local, 0, 0, NULL);
    mbcf_barrier(1);
    check("colour", mbcf_page()->colour[1].requests, 0);
    check("write now", mbcf_write_now(1, in_memory(0), local, 0), MBCF_DONE);
    check("read now", mbcf_read_now(1, local, in_memory(0), 0), MBCF_DONE);
    check("slots", mbcf_page()->free, MBCF_SLOTS);
}

static void case_options(void)
{
    volatile uint32_t status = 77;
    uint32_t target = (uintptr_t)&word[0], wakes;
    uint64_t start;

    if (udm_node()) {
        return;
    }
    write_word(target, 0, &status);
    write_word(4, 0, &status);
    mbcf_read_now(1, local, target, 4);
    check("no status", status, 77);
    check("a reply frees the slots of silent commands", mbcf_page()->free,
          MBCF_SLOTS);
    write_word(target, MBCF_ON_FAILURE, &status);
    mbcf_read_now(1, local, target, 4);
    check("no failure", status, 77);
    write_word(4, MBCF_ON_FAILURE, &status);
    mbcf_read_now(1, local, target, 4);
    check("failure", status, MBCF_BAD_ADDRESS);
    for (unsigned k = 0; k < MBCF_SILENT_MAX; k++) {
        status = MBCF_PENDING;
        write_word(4, MBCF_ON_FAILURE, &status);
        mbcf_await(&status);
    }
    write_word(target, 0, NULL);
    start = udm_cycles();
    while (udm_cycles() - start < 20000) {
    }
    check("after refusals a command is silent as before", mbcf_page()->free,
          MBCF_SLOTS - 1);
    for (unsigned k = 0; k < 100; k++) {
        write_word(target, 0, NULL);
    }
    start = udm_cycles();
    while (udm_cycles() - start < 100000) {     /* until the others are done */
    }
    check("silent commands leave slots", mbcf_page()->free >= MBCF_SLOTS -
          MBCF_SILENT_MAX, 1);
    mbcf_read_now(1, local, target, 4);
    check("all slots are free again", mbcf_page()->free, MBCF_SLOTS);
    for (unsigned k = 0; k < 5; k++) {
        write_word(target, MBCF_COLOUR(3), NULL);
        write_word(4, MBCF_COLOUR(2), NULL);
    }
    mbcf_barrier(3);
    mbcf_barrier(2);
    check("colour: requests", mbcf_page()->colour[3].requests, 5);
    check("colour: replies", mbcf_page()->colour[3].replies, 5);
    check("colour: refused ones count", mbcf_page()->colour[2].replies, 5);
    check("other colour", mbcf_page()->colour[4].requests, 0);
    wakes = mbcf_page()->wakes;
    mbcf_fetch_add_now(0, target, 1);
    check("a reply counts a wake", mbcf_page()->wakes - wakes, 1);
}

/* A command on the slow path counts a wake as others do: its task may be about to look
 * at the count. */
static void case_wakes(void)
{
    const volatile struct mbcf_page *page = mbcf_page();
    uint32_t longs = page->long_commands, wakes = page->wakes;
    volatile uint32_t status = MBCF_PENDING;

    udm_barrier();
    for (unsigned k = 0; k < 3 && udm_node() == 0; k++) {
        mbcf_write(1, in_memory(1), local, 100, k < 2 ? MBCF_STATUS | MBCF_WAKES
                                                      : MBCF_STATUS, &status);
        check("wakes", mbcf_await(&status), MBCF_DONE);
    }
    udm_barrier();
    if (udm_node() == 1) {
        check("the slow path", page->long_commands - longs, 3);
        check("counts two wakes", page->wakes - wakes, 2);
    }
}

/* A reply on the slow path counts as one on the fast path does. */
static void case_slow_reply(void)
{
    const volatile struct mbcf_page *page = mbcf_page();
    volatile uint32_t status;

    local[0] = 1;                       /* the page is there */
    for (uint32_t odd = 0; odd < 2 && udm_node() == 0; odd++) {
        uint32_t longs = page->long_replies, wakes = page->wakes;
        uint32_t replies = page->colour[5].replies;

        status = MBCF_PENDING;
        mbcf_read(1, local + odd, in_memory(0), 100, MBCF_STATUS | MBCF_COLOUR(5),
                  &status);
        check("a read", mbcf_await(&status), MBCF_DONE);
        check("takes the slow path to an odd address", page->long_replies - longs,
              odd);
        check("counts a wake", page->wakes - wakes, 1);
        check("counts for its colour", page->colour[5].replies - replies, 1);
        check("frees its slot", page->free, MBCF_SLOTS);
        status = 77;
        mbcf_read(1, local + odd, in_memory(0), 100, MBCF_ON_FAILURE | MBCF_COLOUR(5),
                  &status);
        mbcf_barrier(5);
        check("no failure", status, 77);
    }
}

/* ---- Targets that do not run --------------------------------------------- */

static void case_sleep(void)
{
    if (udm_node() == 1) {
        mbcf_sleep_while(&word[0], 0);
        check("woken", word[0], 1);
        mbcf_sleep_while(&word[0], 1);
        check("woken again", word[0], 2);
    } else if (udm_node() == 0) {
        uint64_t start = udm_cycles();

        while (udm_cycles() - start < 100000) {
        }
        mbcf_fetch_add(1, (uintptr_t)&word[0], 1, NULL, MBCF_WAKES, NULL);
        start = udm_cycles();
        while (udm_cycles() - start < 100000) {
        }
        mbcf_fetch_add(1, (uintptr_t)&word[0], 1, NULL, MBCF_WAKES, NULL);
    }
}

/* The target is in an atomic section, in which no message could interrupt. */
static void case_section(void)
{
    if (udm_node() == 1) {
        udm_beginatom();
        mbcf_fetch_add(0, (uintptr_t)&word[1], 1, NULL, 0, NULL);
        while (word[0] == 0) {
        }
        udm_endatom();
        check("in a section", word[0], 1);
    } else if (udm_node() == 0) {
        while (word[1] == 0) {
        }
        mbcf_fetch_add_now(1, (uintptr_t)&word[0], 1);
    }
}

/* ---- Combined packets ---------------------------------------------------- */

static void case_combined(void)
{
    struct mbcf_request r[MBCF_COMBINED_MAX] = { 0 };
    volatile uint32_t status[MBCF_COMBINED_MAX], old[MBCF_COMBINED_MAX];
    uint32_t value = 100;

    if (udm_node()) {
        return;
    }
    for (unsigned k = 0; k < MBCF_COMBINED_MAX; k++) {
        status[k] = MBCF_PENDING;
        r[k] = (struct mbcf_request) {
            .command = k == 0 ? MBCF_WRITE : MBCF_FETCH_ADD,
            .options = MBCF_STATUS,
            .task = 1,
            .address = k == 7 ? 4 : (uintptr_t)&word[0],
            .bytes = sizeof(value),
            .local = k == 0 ? (uintptr_t)&value : (uintptr_t)&old[k],
            .operand = { k },
            .status = (uintptr_t)&status[k],
        };
    }
    mbcf_write_now(1, (uintptr_t)&word[0], &value, sizeof(value));
    mbcf_request(r, MBCF_COMBINED_MAX);
    for (unsigned k = 0; k < MBCF_COMBINED_MAX; k++) {
        check("status", mbcf_await(&status[k]),
              k == 7 ? MBCF_BAD_ADDRESS : MBCF_DONE);
    }
    check("in order", old[6], 100 + 1 + 2 + 3 + 4 + 5);
    check("one refused", old[8], old[6] + 6);
    check("all", get(0), 100 + 120 - 7);
}

/* Requests a list of node 1 that needs all slots: each command adds 1 to word[0]. */
static void request_all_slots(volatile uint32_t status[MBCF_COMBINED_MAX])
{
    struct mbcf_request r[MBCF_COMBINED_MAX];

    for (unsigned k = 0; k < MBCF_COMBINED_MAX; k++) {
        status[k] = MBCF_PENDING;
        r[k] = (struct mbcf_request) {
            .command = MBCF_FETCH_ADD,
            .options = MBCF_STATUS,
            .task = 1,
            .address = (uintptr_t)&word[0],
            .operand = { 1 },
            .status = (uintptr_t)&status[k],
        };
    }
    mbcf_request(r, MBCF_COMBINED_MAX);
}

/*
 * A list that needs more slots than silent commands have left: to another task than
 * theirs, and to theirs.
 */
static void case_all_slots(void)
{
    volatile uint32_t status[MBCF_COMBINED_MAX];
    uint32_t value = 1;

    word[0] = word[1] = 0;              /* no command waits for the page */
    udm_barrier();
    for (unsigned turn = 0; turn < 3 && udm_node() == 0; turn++) {
        for (unsigned k = 0; k < 1 + 3 * turn; k++) {
            mbcf_write(turn % 2, (uintptr_t)&word[1 + k], &value, sizeof(value), 0, NULL);
        }
        request_all_slots(status);
        for (unsigned k = 0; k < MBCF_COMBINED_MAX; k++) {
            check("all slots", mbcf_await(&status[k]), MBCF_DONE);
        }
        check("free", mbcf_page()->free, MBCF_SLOTS);
    }
    if (udm_node() == 0) {
        check("all", get(0), 3 * MBCF_COMBINED_MAX);
    }
}

/* ---- The task's page ------------------------------------------------------ */

/*
 * What commands bring is in no part of the page that the task can read: node
 * 1 gets bytes, and then a reply, both on the slow path, and looks for the bytes
 * in the page.
 */
static void case_page(void)
{
    static const uint32_t secret[8] = {
        1, 2, 3, 4, 5, 0x5ec2e75e, 0x5ec2e75f, 0x5ec2e760,
    };
    const volatile uint32_t *page = (void *)mbcf_page();
    uint32_t found = 0;

    memory[0] = local[0] = 0;           /* no command waits for a page */
    udm_barrier();
    if (udm_node() == 0) {
        check("write", mbcf_write_now(1, in_memory(2), secret, sizeof(secret)),
              MBCF_DONE);
    }
    udm_barrier();
    if (udm_node() == 1) {
        mbcf_read_now(0, &local[1], in_memory(0), 4);
        for (uint32_t k = 0; k < GLAZE_PAGE / 4; k++) {
            found += page[k] - secret[5] < 3;
        }
        check("bytes of others in the page", found, 0);
    }
}

/* ---- End ----------------------------------------------------------------- */

/* A list that needs all slots. Silent commands to a task that has ended keep some. */
static void list_to_ended(void)
{
    volatile uint32_t status[MBCF_COMBINED_MAX];
    uint32_t refused = 0;

    request_all_slots(status);
    for (unsigned k = 0; k < MBCF_COMBINED_MAX; k++) {
        refused += mbcf_await(&status[k]) == MBCF_NO_TASK;
    }
    check("ended: all of a list", refused, MBCF_COMBINED_MAX);
    check("ended: all slots are free", mbcf_page()->free, MBCF_SLOTS);
}

/* Node 1 has ended when the commands come, but for two silent ones. */
static void case_ended(void)
{
    uint64_t start = udm_cycles();
    uint32_t value = 1;

    word[0] = word[1] = 0;              /* no command waits for the page */
    udm_barrier();
    for (unsigned k = 0; k < 2 && udm_node() == 0; k++) {
        mbcf_write(1, (uintptr_t)&word[1], &value, sizeof(value), 0, NULL);
    }
    udm_barrier();
    if (udm_node() == 1) {
        glaze_exit(0);
    }
    while (udm_cycles() - start < 1000000) {
    }
    check("ended", mbcf_write_now(1, (uintptr_t)&word[0], local, 4),
          MBCF_NO_TASK);
    check("ended: body", mbcf_write_now(1, in_memory(0), local, GLAZE_PAGE),
          MBCF_NO_TASK);
    check("ended: read", mbcf_read_now(1, local, in_memory(0), GLAZE_PAGE),
          MBCF_NO_TASK);
    list_to_ended();
    glaze_exit(check_failures != 0);
}

static const struct check_case cases[] = {
    { "words", case_words }, { "atomic", case_atomic },
    { "options", case_options }, { "nothing", case_nothing },
    { "wakes", case_wakes }, { "slow-reply", case_slow_reply },
    { "sleep", case_sleep },
    { "section", case_section }, { "combined", case_combined },
    { "all-slots", case_all_slots },
    { "ended", case_ended }, { "lengths", case_lengths },
    { "fresh", case_fresh }, { "scattered", case_scattered },
    { "reads", case_reads }, { "longs", case_longs },
    { "names", case_names }, { "refusals", case_refusals },
    { "agents", case_agents }, { "several", case_several }, { "ranges", case_ranges },
    { "clients", case_clients }, { "errors", case_errors },
    { "fifo", case_fifo }, { "wraps", case_wraps }, { "eager", case_eager },
    { "structures", case_structures }, { "signals", case_signals },
    { "during", case_during }, { "epochs", case_epochs }, { "eagers", case_eagers },
    { "quick", case_quick }, { "longest", case_longest }, { "queue", case_queue },
    { "interrupted", case_interrupted },
    { "busy", case_busy }, { "memory", case_memory }, { "local", case_local },
    { "status", case_status }, { "status-beside", case_status_beside },
    { "refused-late", case_refused_late }, { "asleep", case_asleep },
    { "lost", case_lost }, { "page", case_page },
    { "short", case_short }, { "short-signals", case_short_signals },
    { "short-takes", case_short_takes }, { "short-next", case_short_next },
    { "short-windows", case_short_windows },
    { "behind", case_behind }, { "taken-away", case_taken_away },
    { "overtaken", case_overtaken },
    { "signal-in-parts", case_signal_in_parts },
    { "crossing", case_crossing },
};

int main(int argc, char **argv)
{
    const struct check_case *one = check_case(argc, argv, cases,
                                              sizeof(cases) / sizeof(*cases));

    if (!one) {
        return 2;
    }
    mbcf_open();
    udm_barrier();
    one->run();
    udm_barrier();
    return check_failures != 0;
}
