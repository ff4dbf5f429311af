/*
 * Part of `backpressure`: node 1, after its sleep. It disposes of one message,
 * then receives all others.
 */
#include "backpressure.h"
#include "check.h"
#include "contract.h"
#include "message.h"
#include "stamp.h"

/* Messages of sixteen words that each sender sends: enough to fill queue
 * and network, and one more from node 0. */
#define FROM_FIRST      (INPUT_QUEUE / FUGU_MSG_WORDS + \
                         SOURCE_SPACE / FUGU_MSG_WORDS + 1)
#define FROM_SECOND     (SOURCE_SPACE / FUGU_MSG_WORDS)

static uint32_t next_tag[4] = { 1, 1, 1, 1 };
static unsigned reloaded;

static void check_words(uint32_t tag, uint32_t words)
{
    check_quietly("length", ni_length(), words);
    for (uint32_t k = 1; k < words; k++) {
        check_quietly("word", ni_in(k), message_word(tag, k));
    }
}

static void receive(void)
{
    uint32_t source;

    while (!ni_available()) {
        /* messages that wait in the network arrive one after the other */
    }
    source = header_node(ni_in(0));
    if (ni_length() == RELOADED_WORDS) {
        check_words(RELOADED_TAG, RELOADED_WORDS);
        reloaded++;
    } else {
        check_words(next_tag[source]++, FUGU_MSG_WORDS);
    }
}

void sleeper_wakes(void)
{
    uint32_t disposed;

    receive();
    disposed = stamp_dispose();
    ni_kernel_out(0, 0);
    ni_kernel_out(1, 0);
    ni_kernel_out(2, disposed);
    ni_launch(3);
    settle();                   /* the sender gets this answer, and continues */

    for (unsigned n = 1; n < FROM_FIRST + FROM_SECOND + 1; n++) {
        receive();
        ni_dispose();
    }
    check_sum("every word arrives, in order for each sender");
    check("all from the first", next_tag[0] - 1, FROM_FIRST);
    check("all from the second", next_tag[2] - 1, FROM_SECOND);
    check("and the one that was reloaded", reloaded, 1);
}
