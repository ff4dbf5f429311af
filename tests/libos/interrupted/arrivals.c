/*
 * Pages arrive for a thread of high priority, while another thread takes
 * message after message. The handlers end their atomic sections early, so a
 * page can arrive at any instant of a handler or its stub. In each case the
 * thread that waited for the page must run before the interrupted one.
 *
 *      arrivals PAGES + arrivals hog PAGES
 *
 * The hog takes memory once, so that half of the other job's pages go to
 * backing store, and ends. PAGES must fill most of the node's memory. Runs on
 * one node; all messages go from it to itself. The program uses the FPU, so its
 * handlers end by TRAP_RETURN: the end without the kernel lets no page in.
 *
 * Prints one line per check and the number of pages; the exit status is 1 if a
 * check failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "../check.h"
#include "glaze-calls.h"
#include "udm-thread.h"

#define WORDS   (GLAZE_PAGE / 4)
#define DELAYS  61              /* cycles; a prime, so that all times occur */

/* Defined in ends_code.S. */
void float_use(uint32_t value);
void spend(uint32_t cycles);

static volatile uint32_t *page;
static uint32_t pages;
static volatile uint32_t handled, seen, wrong;
static volatile bool done;

/* ---- How pages go out ---------------------------------------------------- */

static uint32_t *take(uint32_t count)
{
    uint32_t *memory = malloc(count * GLAZE_PAGE);

    for (uint32_t k = 0; k < count; k++) {
        memory[k * WORDS] = k;
    }
    return memory;
}

/* Takes `count` pages, when the other job has taken as many. */
static void hog(uint32_t count)
{
    struct glaze_count now;

    do {
        glaze_yield();
        glaze_count(&now);
    } while (now.frames - now.frames_free < count);
    take(count);
}

static void wait_for_hog(void)
{
    struct glaze_count now;

    do {
        glaze_yield();
        glaze_count(&now);
    } while (now.processes > 1);
}

/* ---- The thread that waits for pages, and the one that runs meanwhile ---- */

static uint32_t arrivals(void)
{
    return glaze_info(GLAZE_I_ARRIVALS);
}

static void *reads(void *unused)
{
    (void)unused;
    for (uint32_t k = 0; k < pages; k++) {
        wrong += page[k * WORDS] != k;
        seen = arrivals();
    }
    done = true;
    return NULL;
}

static void ends_early(void)
{
    udm_dispose();
    udm_endatom();
    handled++;
    spend(handled % DELAYS);
}

/* Returns how often pages had arrived and their reader had not run. */
static uint32_t send_until_done(void)
{
    uint32_t late = 0;

    while (!done) {
        uint32_t before = handled, came;

        float_use(0);           /* the FPU may be off after another thread */
        udm_inject(udm_node(), ends_early);
        while (handled == before) {
        }
        came = arrivals();     /* read this first: the reader runs in between */
        late += came != seen;
    }
    return late;
}

int main(int argc, char **argv)
{
    udm_thread_t *reader;

    if (argc > 2) {
        hog(atoi(argv[2]));
        return 0;
    }
    pages = atoi(argv[1]);
    page = take(pages);
    wait_for_hog();
    udm_thread_switch_on_fault(true);
    reader = udm_thread_create(reads, NULL, UDM_HIGH);
    check("pages that came and whose reader did not run", send_until_done(), 0);
    udm_thread_join(reader);
    check("words", wrong, 0);
    printf("%lu pages have come\n", (unsigned long)arrivals());
    return check_failures ? 1 : 0;
}
