/*
 * Messages between kernels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "backing.h"
#include "buffer.h"
#include "chores.h"
#include "hardware.h"
#include "job.h"
#include "message.h"
#include "overflow.h"
#include "print.h"
#include "server.h"

#define WORDS_MAX       (FUGU_MSG_WORDS - 2)

static void send_now(uint32_t node, enum operation operation,
                     const uint32_t *words, unsigned count)
{
    write32(NI_K(SECOND_OUT), node);
    write32(NI_K(SECOND_OUT) + 4, operation);
    for (unsigned i = 0; i < count; i++) {
        write32(NI_K(SECOND_OUT) + 8 + 4 * i, words[i]);
    }
    write32(NI_K(SECOND_LAUNCH), count + 2);
}

/* Whoever waits for space serves in the meantime, which sends nothing. */
void message_send(uint32_t node, enum operation operation,
                  const uint32_t *words, unsigned count)
{
    while (read32(NI_K(SECOND_SPACE)) < count + 2) {
        message_serve();
    }
    send_now(node, operation, words, count);
}

static void take(uint32_t source, uint32_t operation, const uint32_t *words)
{
    switch (operation) {
    case OPERATION_OVERFLOWS ... OPERATION_RESUME:
        overflow_message(operation, words);
        chores_wait |= CHORE_OVERFLOW;
        break;
    case OPERATION_WHO ... OPERATION_MORE:
        server_message(source, operation, words);
        chores_wait |= CHORE_SERVER;
        break;
    case OPERATION_SERVES ... OPERATION_DONE:
        backing_message(operation, words);
        chores_wait |= CHORE_BACKING;
        break;
    default:
        job_message(operation, words);
        chores_wait |= CHORE_JOBS;
        break;
    }
}

void message_serve(void)
{
    while (read32(NI_SECOND(PRESENT))) {
        uint32_t source = read32(NI_SECOND(WORDS)) & FUGU_HDR_NODE_MASK;
        uint32_t words[WORDS_MAX], count = read32(NI_SECOND(LENGTH)) - 2;
        uint32_t operation = read32(NI_SECOND(WORDS) + 4);

        for (unsigned i = 0; i < count && i < WORDS_MAX; i++) {
            words[i] = read32(NI_SECOND(WORDS) + 8 + 4 * i);
        }
        write32(NI_K(SECOND_DISPOSE), 0);
        take(source, operation, words);
    }
}

void message_null(void);

/*
 * Describes and launches a null message. A function of its own, with all that
 * it needs in registers, because ./run.sh paper measures it.
 */
__attribute__((noipa))
static void message_launch(uint32_t out, uint32_t header, uint32_t handler)
{
    write32(out, header);
    write32(out + 4, handler);
    ni_launch_null();
}

bool message_ping(uint32_t node)
{
    if (read32(NI_K(SPACE)) < 2) {
        return false;
    }
    message_launch(NI_K(OUT), FUGU_HDR_KERNEL | node, (uint32_t)message_null);
    return true;
}
