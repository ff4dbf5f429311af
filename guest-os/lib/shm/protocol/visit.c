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
 * Visits may take a twentieth of a process's time. A visit costs its own cycles, and a
 * fault for each page that the process had and no longer has, or may no longer write.
 * A process saves for its visits, up to SAVED cycles, or what the next visit will
 * cost. A visit that costs more than was expected is paid later.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "carry.h"

/* A process that writes pages of other homes is visited every WRITER cycles, any
 * other one every READER, as far as their share allows. */
#define WRITER          40000
#define READER          60000
#define RETRY           20000   /* cycles, if the thread cannot be visited now */
#define FAULTS_MOST     3       /* alarms in faults. The next fault gets its access
                                   after the visit */
#define SECTIONS_MOST   3       /* the same in sections of locks */
#define USUAL           20000   /* cycles that a fault takes at most, if its home
                                   has nothing else to do */
#define SHARE           20      /* cycles for each one that visits may cost */
#define SAVED           100000  /* cycles */
#define FAULT_COST      12000   /* cycles for a page to be fetched or written anew */
#define PAGE_COST       12000   /* cycles for a page to be sent to its home */
#define ALARM_COST      2500    /* cycles that the kernel takes for an alarm */
#define LOOK_COST       3500    /* cycles that homes take to answer */
#define WAIT_MOST       50000   /* cycles that count of those that they take longer:
                                   a home may create processes meanwhile */
#define RELIEF          3       /* the next visit comes so many times later than a
                                   home is late. If it is late because it serves
                                   the faults of many visited processes, one
                                   after the other, it serves them for a third of
                                   its time at most, and computes for the rest */
#define LATER_MOST      400000  /* but no later than this */
#define COMPACT         16      /* visits after which the list of copies is
                                   compacted */

static bool visits;             /* the user has not switched them off */
static uint64_t last;           /* when the process last saw all writes */
static uint32_t period = READER;        /* till the next visit */
static uint32_t later;          /* by which the next visit is put off */
static uint64_t paid;           /* all cycles before this one have been spent: the
                                   process has a twentieth of those since then */
static uint32_t pages_lost;     /* by this visit */
static uint32_t in_faults;      /* alarms that have come in faults since `last` */
static uint32_t in_sections;    /* alarms that have come in sections since `last` */
static bool put_off;            /* the last alarm was one of those */
static bool waits;              /* the last alarm has come while the process waited for
                                   a lock, and the next one has been set */
static bool away;               /* the process has written pages of other homes
                                   since `last` */
volatile bool visit_due, visit_again;

/* Returns what a visit will cost, if it finds nothing. */
static uint64_t expected_cost(void)
{
    const uint32_t *dirty;
    uint32_t written = written_away ? interval_dirty(&dirty) : 0;

    return ALARM_COST + LOOK_COST + (uint64_t)written * (PAGE_COST + FAULT_COST);
}

/* Returns the cycle of the next visit, if the process writes no more pages. */
static uint64_t next_visit(void)
{
    uint64_t at = last + period + later, saved = paid + SHARE * expected_cost();

    return at > saved ? at : saved;
}

/* Sets the alarm of the next visit. A process that is alone is not visited: it looks
 * again whether it is. */
static void arm(void)
{
    uint64_t now = udm_cycles();

    if (visits) {
        glaze_alarm(alone ? now + period : next_visit());
    }
}

void visit_write(void)
{
    away = true;
    if (period == READER) {
        period = WRITER;
        arm();
    }
}

void visit_waited(uint32_t cycles)
{
    if (cycles > USUAL) {
        later += RELIEF * (cycles - USUAL);
        later = later < LATER_MOST ? later : LATER_MOST;
    }
}

void visit_after_section(void)
{
    if (put_off) {
        put_off = false;
        visit_due = true;
    }
}

bool visit_put_off(void)
{
    if (!waits || !carry_in_section() || ++in_sections > SECTIONS_MOST) {
        return false;
    }
    waits = visit_due = false;
    put_off = true;
    return true;
}

void visit_not_needed(void)
{
    last = udm_cycles();
    period = away ? WRITER : READER;
    later = in_faults = in_sections = 0;
    away = put_off = waits = false;
    visit_again = false;
    if (visit_due) {            /* the alarm has come and is gone */
        visit_due = false;
        glaze_alarm(next_visit());
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

/*
 * Words: pairs of pages and counts: copies that the asker has. The answer, as that of
 * shm_on_check(), has those that are old.
 */
void shm_on_copies(uint32_t source, const uint32_t *words, uint32_t count)
{
    post_begin(source, OP_CHANGES);
    post_word(changes);
    post_word(false);
    for (uint32_t k = 0; k < count; k += 2) {
        const struct page *page = &pages[words[k]];

        if (words[k] < PAGES && (!is_home(page) || page->flags & PAGE_DIRTY ||
                                 page->changes != words[k + 1])) {
            post_pair(words[k], NOT_FRESH);
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

/* Old copies that this visit has kept, for the next one to look at: their homes do not
 * name them again. */
#define KEPT            16
static uint32_t kept[KEPT], kept_count;

/* Returns whether an old copy stays. */
static bool keep(uint32_t number)
{
    for (uint32_t k = 0; k < kept_count; k++) {
        if (kept[k] == number) {
            return true;
        }
    }
    if (kept_count == KEPT || !lasts_keep(number)) {
        return false;
    }
    kept[kept_count++] = number;
    return true;
}

static void forget(uint32_t number)
{
    const struct page *page = &pages[number];

    if (page->rights && !is_home(page) && !(page->flags & PAGE_DIRTY) &&
        !keep(number)) {
        rights_put(number, GLAZE_VIEW_NONE);
        pages_lost++;
    }
}

static void forget_kept(void)
{
    uint32_t count = kept_count;

    kept_count = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (lasts_kept(kept[k])) {
            forget(kept[k]);
        }
    }
}

/* Words: as in shm_on_check(). The thread forgets the copies. */
void shm_on_changes(uint32_t source, const uint32_t *words, uint32_t count)
{
    homes[source].known = words[0];
    homes[source].all_old |= words[1];
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

static uint32_t asked;          /* homes, ever */

/* Asks the homes of all copies at once, and waits for their answers. */
static void ask_homes(void)
{
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

/* Copies that one message lists. The home looks at them in one handler. */
#define COPIES_MOST     256

/* Posts some of a home's copies, from a place of the list on; returns the next one. */
static uint32_t post_copies(uint32_t home, uint32_t from)
{
    uint32_t sent = 0;

    asked++;
    udm_beginatom();
    post_begin(home, OP_COPIES);
    for (; from < copies_count && sent < COPIES_MOST; from++) {
        const struct page *page = &pages[copies[from]];

        if (page->home == home && page->rights && !(page->flags & PAGE_DIRTY)) {
            post_pair(copies[from], page->changes);
            sent++;
        }
    }
    post_end();
    udm_endatom();
    return from;
}

/* Homes where too much has changed are told which copies there are. */
static void ask_about_copies(void)
{
    for (uint32_t home = 0; home < shm_count; home++) {
        if (homes[home].all_old) {
            homes[home].all_old = false;
            for (uint32_t at = 0; at < copies_count;) {
                at = post_copies(home, at);
            }
        }
    }
    some_all_old = false;
    wait_for(&answers, asked);
}

static void forget_old(void)
{
    for (uint32_t k = 0; k < old_count; k++) {
        forget(old[k]);
    }
    old_count = 0;
}

static void look_at_copies(void)
{
    if (counts.visits % COMPACT == 0) {
        compact();
    }
    forget_kept();
    ask_homes();
    forget_old();
    if (some_all_old) {
        ask_about_copies();
        forget_old();
    }
    rights_flush();
}

/* Counts what a visit has cost, from `start`, with so many pages to be written anew,
 * and takes that from what the process has saved. */
static void charge(uint32_t start, uint64_t expected, uint32_t pages)
{
    uint32_t took = udm_cycles32() - start;
    uint64_t counted = took < expected + WAIT_MOST ? took : expected + WAIT_MOST;
    uint64_t cost = ALARM_COST + counted +
                    (uint64_t)FAULT_COST * (pages + pages_lost);
    uint64_t kept = SHARE * (expected > SAVED ? expected : SAVED);
    uint64_t now = udm_cycles();

    counts.visits++;
    counts.visit_cycles += took;
    pages_lost = 0;
    paid = (now - paid > kept ? now - kept : paid) + SHARE * cost;
}

/* Visits the process, or ends its interval for others that wait for that. */
static void visit(bool late)
{
    uint32_t start = udm_cycles32(), written = 0;
    uint64_t expected = expected_cost();
    const uint32_t *dirty;

    if (written_away || carry_is_open() || pages_wanted) {
        written = interval_dirty(&dirty);
        interval_show();
    }
    if (late) {
        look_at_copies();
        visit_not_needed();
        charge(start, expected, written);
    }
}

/*
 * Called by the stub of alarms, in an atomic section. If another thread than the
 * first one runs, the visit is made in that: the first one is in no call, and does
 * not run before the visit's end.
 */
void shm_alarm(uint32_t unused0, uint32_t unused1, uint32_t pc, uint32_t psr)
{
    uint64_t now = udm_cycles();
    bool late = visits && !alone && now >= next_visit();

    (void)unused0;
    (void)unused1;
    if (!late && !pages_wanted) {
        arm();
    } else if (shm_now.call && (shm_now.call != CALL_FAULT ||
                                ++in_faults > FAULTS_MOST)) {
        visit_due = true;               /* call_leave() sets the alarm */
        waits = shm_now.call == CALL_LOCK && !order_kept;
        if (waits) {                    /* not in the section that begins then */
            glaze_alarm(now + SECTIONS_MOST * RETRY);
        }
    } else if (shm_now.call || in_handler() || half_described()) {
        glaze_alarm(now + RETRY);       /* a fault first gets its access */
    } else if (carry_in_section() && !pages_wanted && ++in_sections <= SECTIONS_MOST) {
        put_off = true;
        glaze_alarm(now + RETRY);
    } else {
        call_enter(CALL_VISIT, 0, pc);
        fpu_interrupted = psr & PSR_EF;
        udm_endatom();
        COST_BEGIN("visit", pc);
        visit(late);
        COST_END();
        udm_beginatom();
        arm();
        call_leave();
    }
}

void visit_start(void)
{
    visit_not_needed();
    paid = last > SHARE * SAVED ? last - SHARE * SAVED : 0;
    arm();
}

void visit_init(void)
{
    visits = glaze_info(GLAZE_I_SHM_VISITS);
    homes = private_take(shm_count * sizeof(*homes));
    old = private_take(PAGES * sizeof(uint32_t));
    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)shm_alarm_stub;
}
