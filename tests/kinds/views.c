/*
 * Views, rights upcalls and alarms of messageless.c. The stubs are those of
 * tests/glaze/rights/code.S.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "check.h"
#include "glaze-calls.h"
#include "views.h"

#define WORDS   (GLAZE_PAGE / sizeof(uint32_t))
#define UPCALL  ((volatile struct glaze_upcall_page *)GLAZE_UPCALL)

extern const char rights_stub[], alarm_stub[];
uint32_t denied(uint32_t address, uint32_t word, uint32_t pc);
void rings(uint32_t, uint32_t, uint32_t pc);

static uint32_t page[WORDS] __attribute__((aligned(GLAZE_PAGE)));
static volatile uint32_t *const view = (uint32_t *)GLAZE_VIEWS;

static volatile uint32_t upcalls, last_word, held, rung;

static void set(uint32_t rights)
{
    struct glaze_view one = { GLAZE_VIEWS | rights, (uintptr_t)page };

    check("VIEW", glaze_view(&one, 1), 0);
}

/* Called by the stub: grants what was denied. Returns the word. */
uint32_t denied(uint32_t address, uint32_t word, uint32_t pc)
{
    struct glaze_view one = { GLAZE_VIEWS, (uintptr_t)page };

    (void)pc;
    one.view |= address & GLAZE_RIGHTS_STORE ? GLAZE_VIEW_WRITE
                                             : GLAZE_VIEW_READ;
    glaze_view(&one, 1);
    upcalls++;
    last_word = word;
    held = glaze_info(GLAZE_I_HOLD);
    return word;
}

void rings(uint32_t unused0, uint32_t unused1, uint32_t pc)
{
    (void)unused0;
    (void)unused1;
    (void)pc;
    rung++;
}

static void check_rights(void)
{
    page[0] = 7;
    UPCALL->rights.sp = UPCALL->message.sp;
    UPCALL->rights.entry = (uintptr_t)rights_stub;
    set(GLAZE_VIEW_NONE);
    set(GLAZE_VIEW_READ);
    check("a view shows its page", view[0], 7);
    check("without an upcall", upcalls, 0);
    view[0] = 8;
    check("a store without the right is an upcall", upcalls, 1);
    check("outside of sections", last_word, 0);
    check("and is done then", page[0], 8);
    set(GLAZE_VIEW_READ);
    udm_beginatom();
    view[0] = 9;
    check("in a section as well", upcalls, 2);
    check("which it suspends", held, 1);
    check("and resumes", udm_uac() & FUGU_UAC_USER, FUGU_UAC_INTERRUPT_DISABLE);
    udm_endatom();
    check("none is left suspended", glaze_info(GLAZE_I_HOLD), 0);
    check("the store is done", page[0], 9);
    UPCALL->rights.entry = 0;
}

static void spin(uint32_t cycles)
{
    uint32_t from = udm_cycles32();

    while (udm_cycles32() - from < cycles) {
        /* only time passes */
    }
}

static void check_alarm(void)
{
    UPCALL->alarm.sp = UPCALL->message.sp;
    UPCALL->alarm.entry = (uintptr_t)alarm_stub;
    glaze_alarm(udm_cycles() + 1000);
    spin(5000);
    check("an alarm comes", rung, 1);
    udm_beginatom();
    glaze_alarm(udm_cycles() + 1000);
    spin(5000);
    check("a section holds an alarm off", rung, 1);
    udm_endatom();
    check("until it ends", rung, 2);
    UPCALL->alarm.entry = 0;
}

void check_views(void)
{
    check_rights();
    check_alarm();
}
