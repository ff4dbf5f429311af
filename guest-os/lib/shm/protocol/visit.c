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
#define RETRY           20000   /* cycles, if the thread cannot be visited now */

static uint64_t last;           /* when the process last synchronised */

void visit_not_needed(void)
{
    last = udm_cycles();
}

/* ---- The home's side ---------------------------------------------------- */

#define CHANGES         512

static uint32_t changed[CHANGES];       /* the last pages that have changed */
static uint32_t changes;                /* changes of pages, ever */

void visit_changed(uint32_t number)
{
    changed[changes++ % CHANGES] = number;
}

/*
 * Words: the asker's last answer. The answer: the number of changes, whether
 * all pages may have changed, and those that have.
 */
void shm_on_check(uint32_t source, const uint32_t *words, uint32_t count)
{
    bool all = changes - words[0] > CHANGES;

    (void)count;
    post_begin(source, OP_ANSWER);
    post_word(changes);
    post_word(all);
    for (uint32_t k = words[0]; !all && k != changes; k++) {
        post_word(changed[k % CHANGES]);
    }
    post_end();
}

/* ---- The visitor's side -------------------------------------------------- */

static uint32_t *known;         /* by home: its changes at the last visit */
static bool *asks;              /* by home: there are copies of its pages */

static void forget_copies(uint32_t home)
{
    for (uint32_t k = 0; k < copies_count; k++) {
        if (pages[copies[k]].home == home && pages[copies[k]].rights) {
            rights_put(copies[k], GLAZE_VIEW_NONE);
        }
    }
}

/* Asks a home which copies are old, and forgets them. */
static void check(uint32_t home)
{
    ask(home, OP_CHECK, &known[home], 1);
    known[home] = answer_words[0];
    if (answer_words[1]) {
        forget_copies(home);
    }
    for (uint32_t k = 2; k < answer_count; k++) {
        const struct page *page = &pages[answer_words[k]];

        if (page->rights && !is_home(page)) {
            rights_put(answer_words[k], GLAZE_VIEW_NONE);
        }
    }
    rights_flush();
}

/* Keeps those of the copies that are still there. */
static void compact(void)
{
    uint32_t kept = 0;

    udm_beginatom();
    for (uint32_t k = 0; k < copies_count; k++) {
        struct page *page = &pages[copies[k]];

        if (page->rights && !is_home(page)) {
            copies[kept++] = copies[k];
        } else {
            page->flags &= ~PAGE_COPY;
        }
    }
    copies_count = kept;
    udm_endatom();
}

static void visit(void)
{
    compact();
    for (uint32_t k = 0; k < copies_count; k++) {
        asks[pages[copies[k]].home] = true;
    }
    for (uint32_t home = 0; home < shm_count; home++) {
        if (asks[home] && home != shm_self) {
            check(home);
        }
        asks[home] = false;
    }
}

/*
 * Sets the next alarm. A process in a call needs no visit: the call ends its
 * interval. A process that could not be visited now is tried again soon.
 */
static void set_alarm(bool in_call)
{
    uint64_t now = udm_cycles();
    bool late = !alone && now - last >= PERIOD;

    if (!in_call && (late || pages_wanted)) {
        glaze_alarm(now + RETRY);
    } else {
        glaze_alarm((now - last >= PERIOD ? now : last) + PERIOD);
    }
}

/* Called by the stub of alarms, in an atomic section. */
void shm_alarm(uint32_t unused0, uint32_t unused1, uint32_t pc, uint32_t psr)
{
    uint64_t now = udm_cycles();
    bool late = now - last >= PERIOD;
    bool in_call = shm_now.call && shm_now.call != CALL_FAULT;

    (void)unused0;
    (void)unused1;
    if (((!alone && late) || pages_wanted) && !shm_now.call && !in_handler() &&
        LIBRARY->current == &first_thread && !half_described()) {
        call_enter(CALL_VISIT, 0, pc);
        fpu_interrupted = psr & PSR_EF;
        udm_endatom();
        interval_close();
        if (late) {
            uint32_t start = udm_cycles32();

            visit();
            counts.visits++;
            counts.visit_cycles += udm_cycles32() - start;
        }
        udm_beginatom();
        call_leave();
    }
    set_alarm(in_call);
}

void visit_start(void)
{
    visit_not_needed();
    glaze_alarm(last + PERIOD);
}

void visit_init(void)
{
    known = private_take(shm_count * sizeof(*known));
    asks = private_take(shm_count * sizeof(*asks));
    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)shm_alarm_stub;
}
