/*
 * Atomic sections, with checks that they are atomic: when a section opens, no
 * other one is open, and no handler starts while a section is suspended.
 *
 * Also counts how buffered mode ends. The kernel counts how often it begins;
 * the ends that are not counted here happen in the library.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "section.h"
#include "stress.h"

enum owner { NOBODY, SECTION, HANDLER, POLLING };

static volatile enum owner owner;
static volatile unsigned suspended;
static volatile uint32_t handlers;      /* number of handlers that have begun */
/* Number of the last handler if it ended in buffered mode; 0 if in fast
 * mode. */
static volatile uint32_t ended;
struct exits exits;

static bool buffered(void)
{
    return glaze_info(GLAZE_I_MODE) == GLAZE_BUFFERED;
}

void exits_note(void)
{
    if (ended && ended == handlers && !buffered()) {
        exits.handler++;
        ended = 0;
    }
}

void dispose(void)
{
    bool before = buffered();

    if (chance(2)) {
        udm_dispose();
    } else {
        do_dispose();
    }
    CHECK(!(udm_uac() & FUGU_UAC_DISPOSE_PENDING));
    if (before && !buffered()) {
        exits.dispose++;
    }
}

void endatom(void)
{
    bool before = buffered();
    uint32_t number = handlers;

    udm_endatom();
    if (before && !buffered() && number == handlers) {
        exits.endatom++;
    }
}

static bool opened_fast;       /* whether the open section began in fast mode */

void section_open(void)
{
    exits_note();
    ended = 0;
    CHECK(!udm_atomic());
    udm_beginatom();
    opened_fast = !buffered();
    CHECK(udm_atomic());
    CHECK(owner == NOBODY);
    owner = SECTION;
}

/*
 * If buffered mode began in the section, it must end with the section when no
 * message is left. If the mode is still buffered, a message has started
 * buffered mode again since then, and has started a handler.
 */
void section_close(void)
{
    bool fast = opened_fast;
    uint32_t number = handlers;

    CHECK(udm_atomic());
    CHECK(owner == SECTION);
    owner = NOBODY;
    endatom();
    CHECK(!fast || !buffered() || suspended || handlers != number);
}

/*
 * A section by a store, where atomicity is soft: no handler begins in it, although
 * it may take a page fault, and last longer than atomicity-timeout.
 */
void section_quick(void)
{
    volatile uint32_t *page = chance(8) ? NULL : fresh_page();
    uint32_t loops = chance(16) ? chance(64) : chance(1024), number;

    CHECK(!udm_atomic());
    quick_section_open();
    CHECK(owner == NOBODY);
    owner = SECTION;
    number = handlers;
    for (volatile uint32_t i = 0; i < loops; i++) {
        /* messages arrive here */
    }
    if (page) {
        CHECK(*page == 0);
    }
    CHECK(number == handlers);
    CHECK(owner == SECTION);
    owner = NOBODY;
    quick_section_close();
    exits_note();
}

void section_suspend(void (*wait)(void))
{
    uint32_t number = handlers, header, handler;
    bool seen;

    if (!udm_atomic()) {
        wait();
        return;
    }
    CHECK(owner == SECTION);
    seen = udm_available();
    header = udm_peek(0);
    handler = udm_peek(1);
    owner = NOBODY;
    suspended++;
    wait();
    suspended--;
    CHECK(udm_atomic());
    CHECK(owner == NOBODY);
    CHECK(number == handlers);
    if (seen) { /* no other thread may extract the seen message */
        CHECK(udm_available());
        CHECK(udm_peek(0) == header && udm_peek(1) == handler);
    }
    owner = SECTION;
    opened_fast = false;
}

unsigned section_poll(unsigned most)
{
    unsigned done = 0;

    CHECK(owner == SECTION);
    while (done < most && udm_available()) {
        owner = POLLING;
        udm_poll();
        CHECK(owner == POLLING);
        owner = SECTION;
        done++;
    }
    return done;
}

/* Extracts in a handler, as code in a section does by polling. */
void handler_poll(unsigned most, uint32_t wait)
{
    CHECK(owner == HANDLER);
    owner = POLLING;
    while (most--) {
        if (!udm_poll()) {
            spin(wait);
        }
    }
    owner = HANDLER;
}

bool handler_enter(void)
{
    const uint32_t bits = FUGU_UAC_USER | FUGU_UAC_DISPOSE_PENDING;

    begin();
    CHECK(udm_atomic());
    if (owner == POLLING) {
        return true;
    }
    CHECK(owner == NOBODY);
    CHECK(!suspended);
    CHECK((udm_uac() & bits) == bits);
    owner = HANDLER;
    handlers++;
    return false;
}

void handler_leave(bool polled)
{
    if (!polled) {
        CHECK(owner == HANDLER);
        owner = NOBODY;
        ended = buffered() ? handlers : 0;
    }
}
