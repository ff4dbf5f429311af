/*
 * A process in many states at once, for tests of the debugger's tables. It has
 * messages in its buffer, a blocked thread, a ready one and an ended one. Node 0
 * tells the other nodes when it is diverted, and they send. Node 0 calls look(),
 * then prints how many messages came.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>

#include "glaze-calls.h"
#include "udm.h"
#include "udm-thread.h"

enum { MESSAGES = 3 };          /* messages from each other node */

static uint32_t data[16];
static uint32_t storage[16];
static uint32_t seen;
static volatile bool told;

static void go(void)
{
    udm_dispose();
    told = true;
}

static void plain(void)
{
    udm_dispose();
    seen++;
}

static void with_body(void)
{
    udm_storeback(storage, 0, udm_body_length());
    udm_dispose();
    seen++;
}

/* A place for breakpoints. */
static void __attribute__((noinline)) look(void)
{
    asm volatile ("" : : : "memory");
}

static void *block(void *argument)
{
    udm_thread_block();
    return argument;
}

static void *nothing(void *argument)
{
    return argument;
}

static void send(void)
{
    udm_inject(0, plain, 0x11, 0x22);
    look();
    udm_inject_body(0, with_body, data, sizeof(data), 0x33);
    udm_inject(0, plain);
}

static void receive(void)
{
    uint32_t messages = MESSAGES * (udm_nodes() - 1);
    udm_thread_t *blocked = udm_thread_create(block, NULL, UDM_HIGH);
    udm_thread_t *ended = udm_thread_create(nothing, NULL, UDM_NORMAL);
    udm_thread_t *ready;

    udm_thread_yield();         /* both run before messages come */
    ready = udm_thread_create(nothing, NULL, UDM_NORMAL);
    udm_beginatom();
    glaze_divert();
    for (uint32_t node = 1; node < udm_nodes(); node++) {
        udm_inject(node, go);
    }
    while (glaze_info(GLAZE_I_INSERTED) < messages) {
    }
    look();
    while (udm_poll()) {
    }
    udm_endatom();
    udm_thread_wake(blocked);
    udm_thread_join(blocked);
    udm_thread_join(ended);
    udm_thread_join(ready);
    printf("%u of %u\n", (unsigned)seen, (unsigned)messages);
}

int main(void)
{
    if (udm_node() > 0) {
        while (!told) {
        }
        send();
        return 0;
    }
    receive();
    return 0;
}
