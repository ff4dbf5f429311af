/*
 * Calls of maps whose results wait, or whose mappings end, while an alarm's handler
 * makes other calls (docs/shrimp.md, the system call).
 *
 *      mapresults number   UNMAP is left when it is over: its number is not given again
 *      mapresults places   calls that are over have all places, and another one comes
 *      mapresults failed   MAP has failed, and the mapping of its number ends
 *      mapresults wakes    a wait that an alarm has ended: no update ends another one
 *
 * In the others the debugger wakes node 0 while it waits in MAP:
 *
 *      mapresults died     the mapping has died: UNMAP knows none of that number yet
 *      mapresults parked   each waits for an export, and is left
 *      mapresults taken    some of its pages are granted: the others are taken, too
 *
 *      mapresults ended    UNMAP waits for an answer, and the target ends its export
 *      mapresults beyond   MAP asks for what is not in the export: the debugger changes
 *                          its question
 *
 * Node 0 maps to node 1. The alarm's stub is that of tests/glaze/rights/code.S.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <setjmp.h>
#include <string.h>

#include "check.h"
#include "glaze-calls.h"
#include "shrimp.h"
#include "udm.h"

#define UPCALL  ((volatile struct glaze_upcall_page *)GLAZE_UPCALL)
#define PAGE    GLAZE_PAGE
#define WORDS   (PAGE / 4)

/* A call takes longer than the alarm, where the second network is slow. All pages of a
 * long mapping are pinned before the late one. */
enum { PAGES = 40, PLACES = 4, SHORT = 1, LONG, FLAG, MISSING, ALARM = 5000,
       LATE_ALARM = 50000, LATE = 4000000 };

extern const char alarm_stub[];
void rings(uint32_t, uint32_t, uint32_t pc);

static volatile uint32_t out[PAGES][WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t in[PAGES][WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t short_in[WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t flag_out[WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t flag_in[WORDS] __attribute__((aligned(PAGE)));

static jmp_buf place;
static int32_t (*handler)(void);        /* NULL: the alarm leaves the call */
static volatile int32_t handler_result;

void rings(uint32_t unused0, uint32_t unused1, uint32_t pc)
{
    (void)unused0;
    (void)unused1;
    (void)pc;
    if (!handler) {
        longjmp(place, 1);
    }
    handler_result = handler();
}

/* The alarm comes while the call that follows waits: when that is over, or when the
 * debugger wakes the process. */
static void alarm_with(int32_t does(void), uint32_t cycles)
{
    handler = does;
    handler_result = 1;
    glaze_alarm(udm_cycles() + cycles);
}

static int32_t map_page(unsigned page, uint32_t number)
{
    return shrimp_map(out[page], PAGE, 1, number, 0, SHRIMP_SINGLE);
}

static int32_t map_long(void)
{
    return shrimp_map(out, sizeof(out), 1, LONG, 0, SHRIMP_SINGLE);
}

/* Returns whether a word that is stored in a page comes to the one of SHORT: node 1
 * sends back what it finds there. */
static bool comes(unsigned page)
{
    static uint32_t number;
    uint32_t from = udm_cycles32();

    out[page][9] = ++number;
    while (flag_in[9] != number) {
        if (udm_cycles32() - from > 100000) {
            return false;
        }
    }
    return true;
}

/* ---- Places of calls ------------------------------------------------------- */

/* Maps a page from a place of the stack that no other depth has. */
static __attribute__((noinline)) int32_t map_at(unsigned depth, unsigned page)
{
    volatile char room[1000];
    int32_t result;

    room[depth] = depth;
    result = depth ? map_at(depth - 1, page) : map_page(page, SHORT);
    return room[depth] == (char)depth ? result : -EFAULT;
}

static __attribute__((noinline)) int32_t unmap_here(int32_t mapping)
{
    return shrimp_unmap(mapping);
}

/* Maps a page, or leaves the call when it is over: its code does not come for its
 * result. */
static __attribute__((noinline)) int32_t map_or_leave(unsigned k, bool leaves)
{
    volatile int32_t result = 0;

    if (!setjmp(place)) {
        if (leaves) {
            alarm_with(NULL, ALARM);
        }
        result = map_at(2 * k, k);
        check("the alarm comes first", leaves, false);
    } else {
        udm_endatom();
    }
    return result;
}

static void number(void)
{
    volatile int32_t first = map_page(0, SHORT), second;

    check("a mapping", first >= 0, true);
    if (!setjmp(place)) {
        alarm_with(NULL, ALARM);
        unmap_here(first);
        check("the alarm comes first", false, true);
    } else {
        udm_endatom();
    }
    second = map_at(3, 0);
    check("another one", second >= 0, true);
    check("of another number", second != first, true);
    check("its stores come", comes(0), true);
    check("it ends, from the same place", unmap_here(second), 0);
    check("no store comes any more", comes(0), false);
}

static int32_t map_two(void)
{
    int32_t one = map_page(20, SHORT);

    return one < 0 ? one : map_page(21, SHORT);
}

static void places(void)
{
    int32_t first = map_page(0, SHORT);

    check("a mapping", first >= 0, true);
    for (unsigned k = 1; k <= PLACES; k++) {
        map_or_leave(k, true);
    }
    /* Its code comes for its result after all. So the place that is looked at first is
     * that of the next call. */
    check("the first one has its result", map_or_leave(1, false) > 0, true);
    alarm_with(map_two, ALARM);
    check("the mapping ends", unmap_here(first), 0);
    check("two were made meanwhile", handler_result >= 0, true);
    check("whose stores come", comes(20), true);
    check("also if its place was taken", comes(21), true);
    check("what has ended does not end again", unmap_here(first), -EINVAL);
}

static int32_t taken_by;        /* mapping of the page that MAP wants */

static int32_t end_second(void)
{
    check("the page is free now", shrimp_unmap(taken_by), 0);
    check("its number is given again", map_page(20, SHORT), taken_by);
    check("and that of the mapping that failed", map_page(21, SHORT), taken_by + 1);
    return shrimp_unmap(taken_by + 1);
}

static void failed(void)
{
    taken_by = map_page(0, SHORT);
    check("a mapping", taken_by >= 0, true);
    alarm_with(end_second, ALARM);
    check("its page is taken", map_page(0, SHORT), -EBUSY);
    check("the alarm came before that was known", handler_result, 0);
}

/* ---- Wakes ----------------------------------------------------------------- */

static int32_t wait_twice(void)
{
    uint64_t from = udm_cycles();

    glaze_alarm(from + 10);
    while (udm_cycles() - from < 200) {
    }
    /* An alarm is due, so none of them waits. The first takes notice of a mapping. */
    glaze_call(GLAZE_SHRIMP, SHRIMP_WAIT, (uintptr_t)&short_in[0], 0);
    glaze_call(GLAZE_SHRIMP, SHRIMP_WAIT, (uintptr_t)&short_in[0], 0);
    handler = NULL;
    return 0;
}

static void wakes(void)
{
    volatile bool left = false;

    while (!flag_in[1]) {
        /* node 1 has mapped the page */
    }
    if (!setjmp(place)) {
        alarm_with(wait_twice, ALARM);
        while (!left) {
            /* the second alarm leaves this */
        }
    }
    udm_endatom();
    check("no update has come yet", short_in[0], 0);
    glaze_call(GLAZE_WAIT, 0, 0, 0);
    check("nothing ends this wait", false, true);
}

/* ---- The debugger wakes the process ------------------------------------------ */

static int32_t unmap_first(void)
{
    return shrimp_unmap(0);
}

static void died(void)
{
    alarm_with(unmap_first, LATE_ALARM);
    check("the export ends meanwhile", map_long(), -ESRCH);
    check("the alarm came while MAP waited", handler_result, -EINVAL);
    check("all places are free", map_page(0, SHORT), 0);
    check("its stores come", comes(0), true);
}

static __attribute__((noinline)) void leave_missing(volatile unsigned k)
{
    if (!setjmp(place)) {
        alarm_with(NULL, ALARM);
        map_page(k, MISSING + k);
        check("the alarm comes first", false, true);
    }
    udm_endatom();
}

static void parked(void)
{
    for (unsigned k = 0; k < PLACES; k++) {
        leave_missing(k);
    }
    check("a mapping is made all the same", map_at(3, 20) >= 0, true);
    check("its stores come", comes(20), true);
}

static int32_t map_last(void)
{
    check("a mapping of a lower number ends", shrimp_unmap(0), 0);
    return map_page(PAGES - 1, SHORT);
}

static void taken(void)
{
    check("a mapping", map_page(0, SHORT), 0);
    alarm_with(map_last, LATE_ALARM);
    check("one of many pages ends half made", shrimp_map(out[1], sizeof(out) - PAGE, 1,
                                                         LONG, 0, SHRIMP_SINGLE),
          -ESRCH);
    check("its last page is taken, or what is stored there comes",
          handler_result == -EBUSY || comes(PAGES - 1), true);
    check("now it is not taken", map_page(PAGES - 1, SHORT) >= 0, true);
    check("and what is stored there comes", comes(PAGES - 1), true);
}

static void ended(void)
{
    int32_t mapping = map_page(0, LONG);

    check("a mapping", mapping, 0);
    check("it ends", shrimp_unmap(mapping), 0);
    check("once", shrimp_unmap(mapping), -EINVAL);
}

static void beyond(void)
{
    check("refused", map_long(), -ERANGE);
    check("what is in an export is not", map_page(0, SHORT), 0);
}

/* ---- Node 1 ---------------------------------------------------------------- */

/* Sends back what comes, until node 0 says that it has ended. */
static void answer(void)
{
    while (!short_in[1]) {
        flag_out[9] = short_in[9];
    }
}

static void other(const char *name)
{
    check("flags", shrimp_map(flag_out, PAGE, 0, FLAG, 0, SHRIMP_SINGLE) >= 0, true);
    if (!strcmp(name, "wakes")) {
        check("a page", shrimp_map(out[0], PAGE, 0, SHORT, 0, SHRIMP_SINGLE) >= 0,
              true);
        flag_out[1] = 1;
        while (udm_cycles() < LATE) {
        }
        out[0][0] = 1;
        return;
    }
    if (!strcmp(name, "died")) {
        glaze_call(GLAZE_SHRIMP, SHRIMP_WAIT, (uintptr_t)&in[0][0], 0);
        check("the export ends", shrimp_unexport(LONG), 0);
    }
    if (!strcmp(name, "ended")) {
        while (udm_cycles() < LATE) {
        }
        check("the export ends", shrimp_unexport(LONG), 0);
    }
    answer();
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    { "number", number }, { "places", places }, { "failed", failed },
    { "wakes", wakes }, { "died", died }, { "parked", parked }, { "taken", taken },
    { "ended", ended }, { "beyond", beyond },
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)alarm_stub;
    for (unsigned k = 0; k < PAGES; k++) {
        out[k][0] = in[k][0] = 0;       /* all pages are in memory */
    }
    check("short", shrimp_export(SHORT, short_in, sizeof(short_in)), 0);
    check("long", shrimp_export(LONG, in, sizeof(in)), 0);
    check("flag", shrimp_export(FLAG, flag_in, sizeof(flag_in)), 0);
    if (udm_node()) {
        other(name);
        return check_end();
    }
    for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        if (!strcmp(name, cases[k].name)) {
            cases[k].run();
        }
    }
    check("the end", shrimp_map(flag_out, PAGE, 1, SHORT, 0, SHRIMP_SINGLE) >= 0, true);
    flag_out[1] = 1;
    return check_end();
}
