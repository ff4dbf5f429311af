/*
 * contract CASE: the table of cases, and what they share.
 *
 * Each check prints "ok NAME" or "FAIL NAME: got ..., want ...". The exit
 * status is 0, 1 if a check failed, or 2 if the program waited too long. The
 * misuse cases end with a fault instead.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "contract.h"

/* ---- State --------------------------------------------------------------- */

static const char *record_name(const struct state *s)
{
    if (s->g6 == FUGU_NI_USER_BASE + FUGU_U_RECORD) {
        return "ni";
    }
    if (s->g6 == GLAZE_INFO + GLAZE_I_EMPTY) {
        return "empty";
    }
    return s->g6 == s->head && s->g6 - GLAZE_BUFFER <
           GLAZE_BUFFER_END - GLAZE_BUFFER ? "head" : "nowhere";
}

static void check_text(const char *name, const char *got, const char *want)
{
    if (strcmp(got, want)) {
        printf("FAIL %s: got %s, want %s\n", name, got, want);
        check_failures++;
    } else {
        printf("ok %s\n", name);
    }
}

void expect(const char *name, const struct state *s, const char *want)
{
    static const char letters[] = "itde";
    char uac[5] = "", got[64], hold[16] = "";

    for (unsigned bit = 0; bit < 4; bit++) {
        if (s->uac >> bit & 1) {
            uac[strlen(uac)] = letters[bit];
        }
    }
    if (s->hold) {
        snprintf(hold, sizeof(hold), " %lu", (unsigned long)s->hold);
    }
    snprintf(got, sizeof(got), "%s %s %s%s", *uac ? uac : "-", record_name(s),
             s->mode == GLAZE_FAST ? "fast" :
             s->mode == GLAZE_BUFFERED ? "buffered" : "no mode", hold);
    check_text(name, got, want);
}

static const char *const causes[GLAZE_IN_CAUSES] = {
    [GLAZE_IN_FAULT] = "fault",
    [GLAZE_IN_TIMEOUT] = "timeout",
    [GLAZE_IN_QUANTUM] = "quantum",
    [GLAZE_IN_MISMATCH] = "mismatch",
    [GLAZE_IN_REQUEST] = "request",
    [GLAZE_IN_HOLD] = "hold",
};

static struct {
    uint32_t inserted, entries, causes[GLAZE_IN_CAUSES];
} counted;

void counts_begin(void)
{
    counted.inserted = inserted();
    counted.entries = glaze_info(GLAZE_I_ENTRIES);
    for (unsigned i = 0; i < GLAZE_IN_CAUSES; i++) {
        counted.causes[i] = glaze_info(GLAZE_I_CAUSES + 4 * i);
    }
}

uint32_t inserted_since(void)
{
    return inserted() - counted.inserted;
}

static void add_count(char *text, const char *name, uint32_t count)
{
    if (count) {
        sprintf(text + strlen(text), "%s%s %lu", *text ? " " : "", name,
                (unsigned long)count);
    }
}

void expect_counts(const char *name, const char *want)
{
    char got[160] = "";
    uint32_t entries = glaze_info(GLAZE_I_ENTRIES) - counted.entries;

    for (unsigned i = 0; i < GLAZE_IN_CAUSES; i++) {
        uint32_t count = glaze_info(GLAZE_I_CAUSES + 4 * i) -
                         counted.causes[i];

        add_count(got, causes[i], count);
        entries -= count;
    }
    add_count(got, "without cause", entries);
    add_count(got, "inserted", inserted() - counted.inserted);
    check_text(name, got, want);
    counts_begin();
}

/* ---- Things to do -------------------------------------------------------- */

void too_long(const char *condition)
{
    fprintf(stderr, "contract: node %lu waited too long for %s\n",
            (unsigned long)udm_node(), condition);
    exit(2);
}

#define FRESH 24

volatile uint8_t *fresh_page(void)
{
    static uint8_t pages[FRESH + 1][GLAZE_PAGE]
        __attribute__((aligned(GLAZE_PAGE)));
    static unsigned used;

    return pages[used < FRESH ? used++ : FRESH];
}

void fill(udm_handler_t handler, uint32_t count)
{
    uint32_t start = inserted();

    for (uint32_t i = 0; i < count; i++) {
        udm_inject(udm_node(), handler, i);
    }
    UNTIL(inserted() - start == count);
}

struct state before[STATES], behind[STATES];
uint32_t argument[STATES];
volatile uint32_t calls;

void looks(void)
{
    if (calls < STATES) {
        argument[calls] = udm_arg(0);
        look(&before[calls]);
        udm_dispose();
        look(&behind[calls]);
    } else {
        udm_dispose();
    }
    calls++;
}

void calls_begin(void)
{
    memset(before, 0xff, sizeof(before));
    memset(behind, 0xff, sizeof(behind));
    memset(argument, 0xff, sizeof(argument));
    calls = 0;
    counts_begin();
}

/* ---- Cases --------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    { "start", start_cases },
    { "record", record_cases },
    { "enter", enter_cases },
    { "force", force_cases },
    { "during", during_cases },
    { "out", out_cases },
    { "hold", hold_cases },
    { "quick", quick_cases },
    { "pages", pages_cases },
    { "bodies", bodies_cases },
    { "parts", parts_cases },
    { "uac", uac_cases },
};

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    volatile uint8_t stack[8192];

    /* Touches the stack, so that later page faults are only those that a
     * case causes. */
    for (unsigned i = 0; i < sizeof(stack); i += 64) {
        stack[i] = 0;
    }
    calls_begin();
    notes[0] = 0;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        if (!strcmp(what, cases[i].name)) {
            cases[i].run();
            return check_failures ? 1 : 0;
        }
    }
    if (!strncmp(what, "jobs-", 5)) {
        return two_jobs(what + 5);
    }
    if (!strncmp(what, "nodes-", 6)) {
        return nodes_cases(what + 6);
    }
    misuse(what);
    printf("nothing has happened\n");
    return 0;
}
