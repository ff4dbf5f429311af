/*
 * Handlers: one for each stream and each kind, so that messages without
 * arguments can be told apart too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "stress.h"

enum kind {
    PLAIN,
    MANY,                       /* extracts further messages */
    SOME,                       /* ... and waits a little for them */
    EARLY,                      /* ends its section, and continues */
    EARLY_POLL,                 /* ... and opens another section */
    FAULT_BEFORE,               /* touches a fresh page before its dispose */
    FAULT_BEHIND,               /* ... or after it */
    DEEP_BEFORE,
    DEEP_BEHIND,
    LIBRARY,
    FLOAT,
    THREAD,                     /* becomes a thread */
    MUTEX,                      /* becomes a thread if it has to wait */
    WAKE,
    LONG,                       /* longer than the timeout */
    DIVERT,
};

static void before_it(enum kind kind)
{
    switch (kind) {
    case FAULT_BEFORE:
        do_fresh_page();
        break;
    case DEEP_BEFORE:
        do_recursion();
        break;
    case LONG:
        spin(chance(4) == 0 ? long_time : chance(256));
        break;
    case DIVERT:
        if (chance(4) == 0) {
            glaze_divert();
        }
        break;
    case LIBRARY:
        do_memory();
        break;
    case FLOAT:
        do_float();
        break;
    default:
        break;
    }
}

static void behind_it(enum kind kind)
{
    switch (kind) {
    case FAULT_BEHIND:
        do_fresh_page();
        break;
    case DEEP_BEHIND:
        do_recursion();
        break;
    case DIVERT:
        if (chance(8) == 0) {
            glaze_divert();
        }
        break;
    case FLOAT:
        do_float();
        break;
    case WAKE:
        workers_wake();
        break;
    default:
        break;
    }
}

/* Actions that end the atomic section before the handler ends. */
static void early(enum kind kind)
{
    switch (kind) {
    case EARLY:
        endatom();
        spin(chance(512));
        if (chance(2)) {
            do_recursion();
        }
        break;
    case EARLY_POLL:
        endatom();
        spin(chance(64));
        section_open();
        spin(chance(64));
        section_poll(chance(4));
        section_close();
        do_float();
        break;
    case THREAD:
        udm_thread_yield();
        CHECK(udm_thread_self());
        CHECK(!udm_atomic());
        do_recursion();
        udm_thread_yield();
        do_float();
        break;
    case MUTEX:
        do_mutex();
        break;
    default:
        break;
    }
}

static bool is_early(enum kind kind)
{
    return kind == EARLY || kind == EARLY_POLL || kind == THREAD ||
           kind == MUTEX;
}

static void handle(enum stream stream, enum kind kind)
{
    bool polled = handler_enter();
    uint32_t source;

    before_it(kind);
    CHECK(polled || udm_uac() & FUGU_UAC_DISPOSE_PENDING);
    if (message_receive(stream, kind, &source)) {
        message_send(source, STREAM_ATOMIC);
    }
    behind_it(kind);
    if (!polled && (kind == MANY || kind == SOME)) {
        handler_poll(4, kind == SOME ? chance(128) : 0);
    }
    handler_leave(polled);
    if (!polled && is_early(kind)) {
        early(kind);
    }
}

#define HANDLER(stream, kind) \
    static void handler_##stream##_##kind(void) \
    { \
        handle(stream, kind); \
    }
#define HANDLERS(stream) \
    HANDLER(stream, 0) HANDLER(stream, 1) HANDLER(stream, 2) \
    HANDLER(stream, 3) HANDLER(stream, 4) HANDLER(stream, 5) \
    HANDLER(stream, 6) HANDLER(stream, 7) HANDLER(stream, 8) \
    HANDLER(stream, 9) HANDLER(stream, 10) HANDLER(stream, 11) \
    HANDLER(stream, 12) HANDLER(stream, 13) HANDLER(stream, 14) \
    HANDLER(stream, 15)
#define NAMES(stream) \
    { handler_##stream##_0, handler_##stream##_1, handler_##stream##_2, \
      handler_##stream##_3, handler_##stream##_4, handler_##stream##_5, \
      handler_##stream##_6, handler_##stream##_7, handler_##stream##_8, \
      handler_##stream##_9, handler_##stream##_10, handler_##stream##_11, \
      handler_##stream##_12, handler_##stream##_13, handler_##stream##_14, \
      handler_##stream##_15 }

HANDLERS(0)
HANDLERS(1)
HANDLERS(2)
HANDLERS(3)

udm_handler_t handler_of(enum stream stream, unsigned kind)
{
    static const udm_handler_t handler[STREAMS][KINDS] = {
        NAMES(0), NAMES(1), NAMES(2), NAMES(3),
    };

    return handler[stream][kind];
}
