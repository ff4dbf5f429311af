/*
 * Busy flags: what makes a program see words that other processes write
 * without a release.
 *
 * An alarm visits each process every now and then. If the process has written
 * pages of other homes, its interval ends, so that the homes have its writes.
 * (Pages of its own home need not wait for the alarm: the interval ends when
 * another node asks for one of them.) And the process asks the homes of its
 * copies which of them are old. Those it forgets.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "shm-state.h"

/* A process that writes pages of other homes is visited every WRITER cycles, any
 * other one every READER: a write is seen after the sum at the latest. */
#define WRITER          (SHM_VISIBLE / 5 * 2)
#define READER          (SHM_VISIBLE - WRITER)
#define RETRY           20000   /* cycles, if the thread cannot be visited now */
#define USUAL           20000   /* cycles that a fault takes at most, if its home
                                   has nothing else to do */
#define RELIEF          3       /* the next visit comes so many times later than a
                                   home is late. If it is late because it serves
                                   the faults of many visited processes, one
                                   after the other, it serves them for a third of
                                   its time at most, and computes for the rest */
#define COMPACT         16      /* visits after which the list of copies is
                                   compacted */

static uint64_t last;           /* when the process last saw all writes */
static uint32_t period = READER;        /* till the next visit */
static uint32_t later;          /* by which the next visit is put off */
static bool away;               /* the process has written pages of other homes
                                   since `last` */
volatile bool visit_due, visit_again;

void visit_write(void)
{
    uint64_t now = udm_cycles();

    away = true;
    if (period == READER) {
        period = WRITER;
        if (now + WRITER < last + READER) {
            glaze_alarm(now + WRITER);
        }
    }
}

void visit_waited(uint32_t cycles)
{
    if (cycles > USUAL) {
        later += RELIEF * (cycles - USUAL);
    }
}

void visit_not_needed(void)
{
    last = udm_cycles();
    period = away ? WRITER : READER;
    later = 0;
    away = false;
    visit_again = false;
    if (visit_due) {            /* the alarm has come and is gone */
        visit_due = false;
        glaze_alarm(last + period);
    }
}

/* ---- The home's side ---------------------------------------------------- */

#define CHANGES         512
#define NOT_FRESH       0xffffffff      /* a count that no copy has */

static uint32_t changed[CHANGES];       /* the last pages that have changed */
static uint32_t changes;                /* changes of pages, ever */

void visit_changed(uint32_t number)
{
    changed[changes++ % CHANGES] = number;
}

static void post_pair(uint32_t number, uint32_t count)
{
    post_word(number);
    post_word(count);
}

/*
 * Words: the asker's last answer. The answer: the number of changes, whether
 * all pages may have changed, and pairs: pages that have changed and their
 * counts of changes. Pages that the open interval has written are among them.
 */
void shm_on_check(uint32_t source, const uint32_t *words, uint32_t count)
{
    const uint32_t *dirty;
    uint32_t dirty_count = interval_dirty(&dirty);
    bool all = changes - words[0] > CHANGES || dirty_count > CHANGES;

    (void)count;
    post_begin(source, OP_CHANGES);
    post_word(changes);
    post_word(all);
    for (uint32_t k = words[0]; !all && k != changes; k++) {
        const struct page *page = &pages[changed[k % CHANGES]];

        post_pair(page - pages, is_home(page) ? page->changes : NOT_FRESH);
    }
    for (uint32_t k = 0; !all && k < dirty_count; k++) {
        if (is_home(&pages[dirty[k]])) {
            post_pair(dirty[k], NOT_FRESH);
        }
    }
    post_end();
}

/* ---- The visitor's side -------------------------------------------------- */

/* By home. */
static struct {
    uint32_t known;             /* its number of changes at the last visit */
    bool asked;                 /* there may be copies of its pages */
    bool all_old;               /* all of them may be old */
} *homes;

static volatile uint32_t answers;       /* of homes, ever */
static bool some_all_old;               /* all_old of some home */
static uint32_t *old, old_count;        /* copies that are old */

void visit_copy(uint32_t home)
{
    homes[home].asked = true;
}

static void forget(uint32_t number)
{
    const struct page *page = &pages[number];

    if (page->rights && !is_home(page) && !(page->flags & PAGE_DIRTY)) {
        rights_put(number, GLAZE_VIEW_NONE);
    }
}

/* Words: as in shm_on_check(). The thread forgets the copies. */
void shm_on_changes(uint32_t source, const uint32_t *words, uint32_t count)
{
    homes[source].known = words[0];
    homes[source].all_old = words[1];
    some_all_old |= words[1];
    for (uint32_t k = 2; k < count; k += 2) {
        if (old_count == PAGES) {
            homes[source].all_old = some_all_old = true;
        } else if (words[k] < PAGES && pages[words[k]].changes != words[k + 1]) {
            old[old_count++] = words[k];
        }
    }
    answers++;
    wake();
}

/* Keeps those of the copies that are still there, and their homes. */
static void compact(void)
{
    uint32_t kept = 0;

    udm_beginatom();
    for (uint32_t k = 0; k < shm_count; k++) {
        homes[k].asked = false;
    }
    for (uint32_t k = 0; k < copies_count; k++) {
        struct page *page = &pages[copies[k]];

        if (page->rights && !is_home(page)) {
            copies[kept++] = copies[k];
            homes[page->home].asked = true;
        } else {
            page->flags &= ~PAGE_COPY;
        }
    }
    copies_count = kept;
    udm_endatom();
}

/* Asks the homes of all copies at once, and waits for their answers. */
static void ask_homes(void)
{
    static uint32_t asked;      /* homes, ever */

    for (uint32_t home = 0; home < shm_count; home++) {
        if (homes[home].asked && home != shm_self) {
            asked++;
            udm_beginatom();
            post(home, OP_CHECK, &homes[home].known, 1);
            udm_endatom();
        }
    }
    wait_for(&answers, asked);
}

/* Forgets all copies of homes that say so. */
static void forget_all_old(void)
{
    for (uint32_t k = 0; k < copies_count; k++) {
        if (homes[pages[copies[k]].home].all_old) {
            forget(copies[k]);
        }
    }
    for (uint32_t k = 0; k < shm_count; k++) {
        homes[k].all_old = false;
    }
    some_all_old = false;
}

static void visit(void)
{
    if (counts.visits % COMPACT == 0) {
        compact();
    }
    ask_homes();
    if (some_all_old) {
        forget_all_old();
    }
    for (uint32_t k = 0; k < old_count; k++) {
        forget(old[k]);
    }
    old_count = 0;
    rights_flush();
}

/*
 * Called by the stub of alarms, in an atomic section. If another thread than the
 * first one runs, the visit is made in that: the first one is in no call, and does
 * not run before the visit's end.
 */
void shm_alarm(uint32_t unused0, uint32_t unused1, uint32_t pc, uint32_t psr)
{
    uint64_t now = udm_cycles();
    bool late = !alone && now - last >= period + later;

    (void)unused0;
    (void)unused1;
    if (!late && !pages_wanted) {
        glaze_alarm((alone ? now : last) + period + later);
    } else if (shm_now.call && shm_now.call != CALL_FAULT) {
        visit_due = true;               /* call_leave() sets the alarm */
    } else if (shm_now.call || in_handler() || half_described()) {
        glaze_alarm(now + RETRY);       /* a fault first gets its access */
    } else {
        call_enter(CALL_VISIT, 0, pc);
        fpu_interrupted = psr & PSR_EF;
        udm_endatom();
        if (written_away || pages_wanted) {
            interval_close();
        }
        if (late) {
            uint32_t start = udm_cycles32();

            visit();
            visit_not_needed();
            counts.visits++;
            counts.visit_cycles += udm_cycles32() - start;
        }
        udm_beginatom();
        glaze_alarm(last + period);
        call_leave();
    }
}

void visit_start(void)
{
    visit_not_needed();
    glaze_alarm(last + period);
}

void visit_init(void)
{
    homes = private_take(shm_count * sizeof(*homes));
    old = private_take(PAGES * sizeof(uint32_t));
    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)shm_alarm_stub;
}
