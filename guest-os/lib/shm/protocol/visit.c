/*
 * Busy flags: what makes a program see words that other processes write
 * without a release.
 *
 * A process that has not synchronised for a while is visited by an alarm: it
 * ends its interval, so that others can see its writes, and asks the homes of
 * its copies which of them are old. Those it forgets.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "shm-state.h"

/* Both the writer and the reader may be visited this late. */
#define PERIOD          (SHM_VISIBLE / 2)

static uint64_t last;           /* when the process last synchronised */
static uint32_t *asked;         /* pairs of page and stamp */

void visit_not_needed(void)
{
    last = udm_cycles();
}

/* Words: pairs of page and stamp. The answer: the pages that are old. */
void shm_on_check(uint32_t source, const uint32_t *words, uint32_t count)
{
    post_begin(source, OP_ANSWER);
    for (uint32_t k = 0; k < count; k += 2) {
        const struct page *page = &pages[words[k]];

        if (!is_home(page) || page->stamp != words[k + 1]) {
            post_word(words[k]);
        }
    }
    post_end();
}

/* Asks a home which copies are old, and forgets them. */
static void check(uint32_t home, uint32_t count)
{
    ask(home, OP_CHECK, asked, count);
    for (uint32_t k = 0; k < answer_count; k++) {
        rights_put(answer_words[k], GLAZE_VIEW_NONE);
    }
    rights_flush();
}

static void visit(void)
{
    for (uint32_t home = 0; home < shm_count; home++) {
        uint32_t count = 0;

        for (uint32_t n = 0; home != shm_self && n < pages_used; n++) {
            if (pages[n].rights && pages[n].home == home) {
                asked[count++] = n;
                asked[count++] = pages[n].stamp;
            }
            if (count == LOG_WORDS) {
                check(home, count);
                count = 0;
            }
        }
        if (count) {
            check(home, count);
        }
    }
}

/* Called by the stub of alarms, in an atomic section. */
void shm_alarm(uint32_t unused0, uint32_t unused1, uint32_t pc)
{
    uint64_t now = udm_cycles();

    (void)unused0;
    (void)unused1;
    if (!alone && now - last >= PERIOD && !shm_now.call && !in_handler() &&
        LIBRARY->current == &first_thread && !half_described()) {
        call_enter(CALL_VISIT, 0, pc);
        udm_endatom();
        interval_close();
        visit();
        counts.visits++;
        udm_beginatom();
        call_leave();
    }
    now = udm_cycles();
    glaze_alarm((now - last >= PERIOD ? now : last) + PERIOD);
}

void visit_start(void)
{
    visit_not_needed();
    glaze_alarm(last + PERIOD);
}

void visit_init(void)
{
    asked = private_take(LOG_WORDS * sizeof(uint32_t));
    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)shm_alarm_stub;
}
