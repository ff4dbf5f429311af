/*
 * Atomic sections, with a look at whether they are: whoever opens one finds
 * nobody else in one, and no handler starts while one is suspended.
 *
 * Also how buffered mode is left. The kernel counts how often it begins, so
 * what is not seen here has been left in the library.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "stress.h"

enum owner { NOBODY, SECTION, HANDLER, POLLING };

static volatile enum owner owner;
static volatile unsigned suspended;
static volatile uint32_t handlers;      /* that have begun */
static volatile uint32_t ended;         /* the last one's number, in buffered
                                           mode; 0: in fast mode */
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

static bool opened_fast;        /* the open section began in fast mode */

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
 * Buffered mode that began in the section ends with it, if there is nothing
 * to handle: what has begun it since has brought a message, and a handler.
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
    if (seen) {                 /* what it has seen nobody else extracts */
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

/* A handler that goes on as those that poll do. */
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
