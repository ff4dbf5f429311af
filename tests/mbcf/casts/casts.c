/*
 * mbcf-casts CASE: multicasts, case by case. Here is what they do.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "casts.h"
#include "check.h"
#include "glaze-calls.h"
#include "shown.h"

uint8_t memory[PAGES][GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
uint8_t expected[PAGES][GLAZE_PAGE];
uint32_t local[GLAZE_PAGE / 4 + 1];
volatile uint32_t flag;

uint32_t node_of(uint32_t r)
{
    return (r + 1) % udm_nodes();
}

uint32_t place(uint32_t node)
{
    return 1 + node % 3;
}

uint32_t copy_on(uint32_t node)
{
    return (uintptr_t)memory[place(node)];
}

void plant(void)
{
    uint32_t r = (udm_node() + udm_nodes() - 1) % udm_nodes(), count = 0;
    struct mbcf_copy copy[MBCF_COPIES];

    for (uint32_t child = 2 * r + 1; child <= 2 * r + 2; child++) {
        if (child < udm_nodes()) {
            copy[count].task = node_of(child);
            copy[count++].page = copy_on(node_of(child));
        }
    }
    mbcf_pattern(copy_on(udm_node()), copy, count);
    memory[place(udm_node())][0] = 0;   /* makes the page */
}

uint32_t now(struct mbcf_request r)
{
    volatile uint32_t status = MBCF_PENDING;

    r.options |= MBCF_STATUS;
    r.status = (uintptr_t)&status;
    mbcf_request(&r, 1);
    return mbcf_await(&status);
}

uint32_t update(uint32_t task, uint32_t address, uint32_t bytes)
{
    return now((struct mbcf_request) {
        .command = MBCF_UPDATE, .task = task, .address = address,
        .bytes = bytes, .local = (uintptr_t)local,
    });
}

uint32_t invalidate(uint32_t task, uint32_t page)
{
    return now((struct mbcf_request) {
        .command = MBCF_INVALIDATE, .task = task, .address = page,
    });
}

void wait(uint32_t cycles)
{
    uint64_t start = udm_cycles();

    while (udm_cycles() - start < cycles) {
    }
}

void fill(uint32_t seed)
{
    for (uint32_t k = 0; k < sizeof(local) / 4; k++) {
        local[k] = (k + 1) * 2654435761u ^ seed * 40503u;
    }
}

void compare(const char *name)
{
    int64_t wrong = memcmp(memory, expected, sizeof(memory)) != 0;

    wrong = udm_reduce_int(0, UDM_SUM, wrong);
    if (udm_node() == 0) {
        check(name, wrong, 0);
    }
}

/* ---- What is done -------------------------------------------------------- */

/* Updates of many lengths, at the beginning, the end and the middle of a page. */
static void case_update(void)
{
    static const uint32_t bytes[] = { 1, 4, 31, 32, 33, 64, 1000, 4095, 4096 };

    plant();
    udm_barrier();
    for (unsigned k = 0; k < sizeof(bytes) / sizeof(*bytes); k++) {
        uint32_t rest = GLAZE_PAGE - bytes[k];
        uint32_t at[] = { 0, rest, rest / 2 };

        for (unsigned i = 0; i < 3; i++) {
            fill(3 * k + i);
            memcpy(expected[place(udm_node())] + at[i], local, bytes[k]);
            if (udm_node() == 0) {
                check("update", update(1, copy_on(1) + at[i], bytes[k]),
                      MBCF_DONE);
            }
            udm_barrier();
            compare("all copies");
        }
    }
}

/* As many at once as a task may request, with a colour. */
static void case_colour(void)
{
    plant();
    fill(1);
    udm_barrier();
    for (uint32_t k = 0; k < MBCF_SLOTS; k++) {
        if (udm_node() == 0) {
            mbcf_send(MBCF_UPDATE, 1, copy_on(1) + 200 * k, local, 200,
                      MBCF_COLOUR(1), NULL);
        }
        memcpy(expected[place(udm_node())] + 200 * k, local, 200);
    }
    if (udm_node() == 0) {
        mbcf_barrier(1);
        check("requests", mbcf_page()->colour[1].requests, MBCF_SLOTS);
        check("all slots are free", mbcf_page()->free, MBCF_SLOTS);
    }
    udm_barrier();
    compare("all copies");
}

/* Commands of a list, in one packet. */
static void case_list(void)
{
    struct mbcf_request r[MBCF_COMBINED_MAX] = { 0 };
    volatile uint32_t status[MBCF_COMBINED_MAX] = { 0 };

    plant();
    fill(2);
    udm_barrier();
    for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
        r[k] = (struct mbcf_request) {
            .command = MBCF_UPDATE,
            .options = MBCF_STATUS,
            .task = 1,
            .address = copy_on(1) + 16 * k,
            .bytes = 24,
            .local = (uintptr_t)&local[k],
            .status = (uintptr_t)&status[k],
        };
        memcpy(expected[place(udm_node())] + 16 * k, &local[k], 24);
    }
    if (udm_node() == 0) {
        mbcf_request(r, MBCF_COMBINED_MAX);
        for (uint32_t k = 0; k < MBCF_COMBINED_MAX; k++) {
            check("one of a list", mbcf_await(&status[k]), MBCF_DONE);
        }
    }
    udm_barrier();
    compare("all copies");
}

/* Sends 20 updates of the same bytes, and again those that are refused. */
static void send_many(uint32_t seed)
{
    volatile uint32_t status[20];

    for (uint32_t k = 0; k < 20; k++) {
        fill(seed + k);
        status[k] = MBCF_PENDING;
        mbcf_send(MBCF_UPDATE, 1, copy_on(1), local, k % 3 ? 24 : 4000,
                  MBCF_STATUS, &status[k]);
    }
    for (uint32_t k = 0; k < 20; k++) {
        while ((mbcf_await(&status[k]) & ~MBCF_AT_COPY) == MBCF_BUSY) {
            status[k] = update(1, copy_on(1), k % 3 ? 24 : 4000);
        }
        if (status[k] != MBCF_DONE) {
            check("update", status[k], MBCF_DONE);
        }
    }
}

/*
 * An update behind a long READ of its source. Node 2 takes no messages, and the root has
 * sent it as many as the network holds, so the READ's reply waits for the network, and
 * the update waits behind the READ. The kernel's chore does both later, and passes the
 * update on: nothing else comes to the root that would.
 */
static void case_behind(void)
{
    static uint8_t read[GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
    volatile uint32_t status = MBCF_PENDING, update_status = MBCF_PENDING;

    plant();
    fill(3);
    memcpy(expected[place(udm_node())], local, MBCF_INLINE_MAX);
    read[0] = 1;
    udm_barrier();
    if (udm_node() == 2) {
        udm_beginatom();
        tell(1);
        wait(100000);
        udm_endatom();
    } else if (udm_node() == 1) {
        mbcf_sleep_while(&flag, 0);
        tell(0);
        for (uint64_t start = udm_cycles(); udm_cycles() - start < 10000;) {
            udm_injectc(2, ignore, 0, 0, 0, 0, 0, 0, 0, 0);
        }
    } else {
        mbcf_sleep_while(&flag, 0);
        wait(10000);
        mbcf_read(1, read, copy_on(1), GLAZE_PAGE, MBCF_STATUS, &status);
        mbcf_send(MBCF_UPDATE, 1, copy_on(1), local, MBCF_INLINE_MAX, MBCF_STATUS,
                  &update_status);
        wait(30000);
        check("the READ waits", status, MBCF_PENDING);
        check("the update", mbcf_await(&update_status), MBCF_DONE);
        check("the READ was before it", status, MBCF_DONE);
        check("and has the bytes from before", read[0], 0);
    }
    udm_barrier();
    compare("all copies");
}

/*
 * Nodes 0 and 2 update the same bytes, as fast as they can, with long and short
 * commands. All copies end as the root's does.
 */
static void case_order(void)
{
    const uint32_t *words = (const uint32_t *)memory[place(udm_node())];
    struct glaze_count count;
    uint32_t sum, round;

    plant();
    for (round = 0; round < 10; round++) {
        udm_barrier();
        if (udm_node() == 0 || udm_node() == 2) {
            send_many(100 * round + 50 * (udm_node() != 0));
        }
        udm_barrier();
        sum = 0;
        for (uint32_t k = 0; k < GLAZE_PAGE / 4; k++) {
            sum = sum * 31 + words[k];
        }
        if (udm_reduce_all_int(UDM_MIN, sum) !=
            udm_reduce_all_int(UDM_MAX, sum)) {
            break;
        }
    }
    glaze_count(&count);
    printf("node %lu: %lu pages came back\n", (unsigned long)udm_node(),
           (unsigned long)count.ins);
    if (udm_node() == 0) {
        check("rounds in which all copies are the same", round, 10);
    }
}

/* WAKES wakes the tasks of all copies. */
static void case_wakes(void)
{
    volatile uint32_t *word = (uint32_t *)memory[place(udm_node())];
    const uint32_t one = 1;
    uint32_t awake;

    plant();
    udm_barrier();
    if (udm_node() == 0) {
        wait(100000);
        mbcf_send(MBCF_UPDATE, 1, copy_on(1), &one, sizeof(one), MBCF_WAKES,
                  NULL);
    }
    mbcf_sleep_while(word, 0);
    awake = udm_reduce_int(0, UDM_SUM, 1);
    if (udm_node() == 0) {
        check("all have woken", awake, udm_nodes());
    }
}

/* ---- Views --------------------------------------------------------------- */

static void case_invalidate(void)
{
    plant();
    shown_begin(copy_on(udm_node()));
    for (uint32_t round = 1; round <= 3; round++) {
        memory[place(udm_node())][3] = round;
        (void)SHOWN[0];
        check("it can be read", shown_upcalls, round - 1);
        udm_barrier();
        if (udm_node() == 0) {
            check("invalidate", invalidate(1, copy_on(1)), MBCF_DONE);
            check("it may be invalid", invalidate(1, copy_on(1)), MBCF_DONE);
        }
        udm_barrier();
        check("the next access", SHOWN[0], round);
        check("is an upcall", shown_upcalls, round);
        udm_barrier();
    }
}

void tell(uint32_t node)
{
    mbcf_fetch_add(node, (uintptr_t)&flag, 1, NULL, MBCF_WAKES, NULL);
}

void ignore(void)
{
    udm_dispose();
}

static const struct check_case cases[] = {
    { "update", case_update }, { "colour", case_colour },
    { "list", case_list }, { "behind", case_behind },
    { "order", case_order }, { "wakes", case_wakes },
    { "invalidate", case_invalidate }, { "mistakes", case_mistakes },
    { "refusals", case_refusals }, { "first", case_first },
    { "circles", case_circles }, { "ended", case_ended },
    { "leaves", case_leaves }, { "chain", case_chain },
    { "places", case_places }, { "frames", case_frames },
    { "ways", case_ways },
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
