/*
 * Messages of the M-Machine's interface: waits for a word.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze-calls.h"
#include "library.h"
#include "mm.h"
#include "note.h"
#include "udm-thread.h"

/*
 * Looks, of 7 cycles each, before a wait without the processor: they take as long as
 * such a wait and its end, some 2,900 cycles. So a wait takes at most twice as many
 * cycles as the better of both ways would (Karlin, Manasse, McGeoch and Owicki,
 * Competitive Randomized Algorithms for Non-Uniform Problems, SODA 1990).
 */
#define LOOKS           400

static void sleep(const volatile uint32_t *word, uint32_t same)
{
    int32_t result;

    asm volatile (NOTE_NEEDS_SLOTS(""));
    result = glaze_call(GLAZE_MM, MM_WAIT, (uintptr_t)word, same);
    if (result < 0) {
        library_abort("mm_wait() for a word that is not shared: use mm_share()");
    }
}

uint32_t mm_wait_(const volatile uint32_t *word, uint32_t same)
{
    for (;;) {
        for (unsigned looks = 0; looks < LOOKS; looks++) {
            uint32_t found = *word;

            if (found != same) {
                return found;
            }
        }
        if (ready_any(LIBRARY->current)) {
            udm_thread_yield();
        } else {
            sleep(word, same);
        }
    }
}
