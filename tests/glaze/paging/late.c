/*
 * A call is told that there is no frame, and finds one after all.
 *
 *   late
 *
 * Beside "taker all", which takes its memory from the cycle TAKEN on. The program first
 * takes all memory, and tables (MAP) until the kernel has no frame for the next one. The
 * same call again waits, and is told so again; but an alarm comes first, which gives the
 * pages back, so the call goes on. Then the taker has the memory. It holds more than this
 * program, so it ends when this one needs tables; no call fails.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "check.h"
#include "glaze-calls.h"
#include "udm.h"

#define HEAP            0x12000000
#define PAGES           256                     /* more than there are */
#define TABLES          0x14000000
#define TABLE_SPAN      (64 * GLAZE_PAGE)       /* addresses of one table */
#define TABLES_LATER    64                      /* some frames full of them */
#define BEGUN           4000000                 /* cycle: both jobs have begun */
#define TAKEN           10000000
#define UPCALL  ((volatile struct glaze_upcall_page *)GLAZE_UPCALL)

extern const char alarm_stub[];
void rings(uint32_t, uint32_t, uint32_t pc);

static uint32_t next = TABLES;
static volatile uint32_t rung;

void rings(uint32_t unused0, uint32_t unused1, uint32_t pc)
{
    (void)unused0;
    (void)unused1;
    (void)pc;
    glaze_unmap(HEAP, PAGES * GLAZE_PAGE);
    rung++;
}

static uint32_t frames_free(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.frames_free;
}

static void take_pages(void)
{
    volatile uint8_t *page = (volatile uint8_t *)HEAP;

    glaze_map(HEAP, PAGES * GLAZE_PAGE);
    for (; frames_free(); page += GLAZE_PAGE) {
        *page = 1;
    }
}

/* Takes tables until there is no frame for the next one. Returns their number. */
static uint32_t take_tables(uint32_t most)
{
    uint32_t taken = 0;

    for (; taken < most && glaze_map(next, GLAZE_PAGE) == 0; next += TABLE_SPAN) {
        taken++;
    }
    return taken;
}

int main(void)
{
    uint64_t start, refused_after;

    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)alarm_stub;
    glaze_alarm(udm_cycles());      /* the program has the pages that it needs now */
    check("an alarm", rung, 1);
    while (udm_cycles() < BEGUN) {
    }
    take_pages();
    take_tables(UINT32_MAX);
    start = udm_cycles();
    check("no frame", glaze_map(next, GLAZE_PAGE), -ENOMEM);
    refused_after = udm_cycles() - start;
    glaze_alarm(udm_cycles() + refused_after / 2);
    check("pages are given back while it waits", glaze_map(next, GLAZE_PAGE), 0);
    check("the alarm has come", rung, 2);
    next += TABLE_SPAN;
    while (udm_cycles() < TAKEN || frames_free()) {
    }
    check("a larger job ends for tables", take_tables(TABLES_LATER), TABLES_LATER);
    return 0;
}
