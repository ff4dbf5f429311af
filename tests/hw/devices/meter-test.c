/*
 * qtest of the counters in node control (docs/machine.md, "Counters")
 *
 * No processor runs, so node 0's time passes by fugu_advance() alone, and each
 * test knows to the cycle what it has done in which mode and for which GID.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "../ni/ni-qtest.h"

#define CONTROL(reg)    (FUGU_CONTROL_BASE + FUGU_CONTROL_##reg)
#define COUNTER(k)      (CONTROL(METER) + 8 * (k))

enum { A = 3, B = 5 };          /* GIDs */

static uint64_t counter(QTestState *qts, uint32_t gid, unsigned k)
{
    fugu_store(qts, 0, CONTROL(GID), gid);
    return fugu_load64(qts, 0, COUNTER(k));
}

static void assert_counter(QTestState *qts, uint32_t gid, unsigned k,
                           uint64_t value)
{
    g_assert_cmpuint(counter(qts, gid, k), ==, value);
}

/* Asserts all counters of a GID, in the order of fugu-regs.h. */
#define assert_counters(qts, gid, ...)                                  \
    do {                                                                \
        const uint64_t values[FUGU_METER_COUNTERS] = { __VA_ARGS__ };   \
                                                                        \
        for (unsigned k = 0; k < FUGU_METER_COUNTERS; k++) {            \
            assert_counter(qts, gid, k, values[k]);                     \
        }                                                               \
    } while (0)

static void serve(QTestState *qts, uint32_t gid)
{
    store(qts, 0, K(GID), gid);
}

static void mode(QTestState *qts, FuguMode mode)
{
    fugu_mode(qts, 0, mode);
}

static void upcall(QTestState *qts)
{
    store(qts, 0, K(UAC), FUGU_UAC_INTERRUPT_DISABLE | FUGU_UAC_TIMER_FORCE |
                          FUGU_UAC_DISPOSE_PENDING);
}

/* Every cycle is charged to one GID. */
static void assert_all_charged(QTestState *qts)
{
    uint64_t cycles = 0;

    for (uint32_t gid = 0; gid <= FUGU_METER_GIDS; gid++) {
        cycles += counter(qts, gid, FUGU_METER_CYCLES);
    }
    g_assert_cmpint(cycles, ==, fugu_time(qts, 0));
}

/* ---- Registers ----------------------------------------------------------- */

static void test_registers(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    g_assert_cmpuint(fugu_load(qts, 0, CONTROL(GID)), ==, 0);
    fugu_store(qts, 0, CONTROL(GID), 0xffff1fff);
    g_assert_cmpuint(fugu_load(qts, 0, CONTROL(GID)), ==, FUGU_GID_MAX);
    for (unsigned k = 0; k < FUGU_METER_COUNTERS; k++) {
        g_assert_cmpuint(fugu_load64(qts, 0, COUNTER(k)), ==, 0);
        fugu_assert_bad(qts, 0, COUNTER(k) + 2, 4);
        fugu_assert_bad(qts, 0, COUNTER(k) + 4, 8);
        fugu_assert_bad(qts, 0, COUNTER(k), 1);
        fugu_assert_bad(qts, 0, COUNTER(k), 2);
    }
    fugu_assert_bad(qts, 0, CONTROL(GID), 8);
    fugu_assert_bad(qts, 0, COUNTER(FUGU_METER_COUNTERS), 8);
    fugu_assert_bad(qts, 0, COUNTER(FUGU_METER_COUNTERS), 4);
    fugu_assert_bad(qts, 0, COUNTER(-1), 8);
    g_assert_cmpuint(fugu_load(qts, 0, CONTROL(CLEAR)), ==, 0);
    qtest_quit(qts);
}

/* A load of the high word latches the low word. */
static void test_halves(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    fugu_advance(qts, 100);
    g_assert_cmpuint(fugu_load(qts, 0, COUNTER(FUGU_METER_CYCLES)), ==, 0);
    fugu_advance(qts, 100);
    g_assert_cmpuint(fugu_load(qts, 0, COUNTER(FUGU_METER_CYCLES) + 4), ==,
                     100);
    g_assert_cmpuint(fugu_load64(qts, 0, COUNTER(FUGU_METER_CYCLES)), ==, 200);
    fugu_advance(qts, UINT64_C(0x200000000));
    g_assert_cmpuint(fugu_load(qts, 0, COUNTER(FUGU_METER_CYCLES)), ==, 2);
    qtest_quit(qts);
}

/* ---- Messages ------------------------------------------------------------ */

static void test_sent(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    serve(qts, A);
    send_message(qts, 0, USER, 1, 3);
    send_message(qts, 0, USER, 1, 2);
    send_message(qts, 0, KERNEL, 1, 2);         /* the kernel's do not count */
    serve(qts, B);
    describe(qts, 0, U(OUT), 1, 4);
    store(qts, 0, U(OUT) + 8, FUGU_RAM_BASE);
    store(qts, 0, U(OUT) + 12, 40);
    g_assert_cmpint(fugu_op(qts, 0, USER, "launch", 4, 1), ==, FUGU_DONE);
    describe(qts, 0, U(OUT), 1, 4);             /* waits for that body */
    store(qts, 0, U(OUT) + 8, FUGU_RAM_BASE);
    store(qts, 0, U(OUT) + 12, 40);
    g_assert_cmpint(fugu_op(qts, 0, USER, "launch", 4, 1), ==, FUGU_WAITS);
    g_assert_cmpint(fugu_op(qts, 0, USER, "launch", 9, 0), ==, VIOLATION);
    assert_counters(qts, A, 2);
    assert_counters(qts, B, 1, 1, 40);
    assert_counters(qts, 0, 0);
    qtest_quit(qts);
}

/* Messages come from node 0 itself. */
static void deliver_to(QTestState *qts, uint32_t gid)
{
    send_message(qts, 0, KERNEL, FUGU_HDR_OWN_GID | GID(gid), 2);
    fugu_advance(qts, LONG_TIME);
}

static void test_received(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    serve(qts, A);
    deliver_to(qts, A);
    g_assert_cmpint(dispose(qts, 0, USER), ==, FUGU_DONE);
    g_assert_cmpint(dispose(qts, 0, USER), ==, FUGU_TT_BAD_DISPOSE);
    assert_counter(qts, A, FUGU_METER_RECEIVED, 1);

    /* With divert-mode, the trap counts. */
    store(qts, 0, K(DIVERT), 1);
    g_assert_cmpint(dispose(qts, 0, USER), ==, FUGU_TT_DISPOSE_EXTEND);
    assert_counter(qts, A, FUGU_METER_RECEIVED, 2);
    assert_counter(qts, A, FUGU_METER_HANDLED, 0);
    assert_counter(qts, A, FUGU_METER_INSERTED, 0);

    /* The kernel takes messages for any GID, and those of kernels. */
    deliver_to(qts, A);
    deliver_to(qts, B);
    deliver_to(qts, B);
    deliver_to(qts, FUGU_GID_MAX);
    send_message(qts, 0, KERNEL, FUGU_HDR_KERNEL, 2);
    fugu_advance(qts, LONG_TIME);
    for (int i = 0; i < 5; i++) {
        g_assert_cmpint(dispose(qts, 0, KERNEL), ==, FUGU_DONE);
    }
    assert_counter(qts, A, FUGU_METER_INSERTED, 1);
    assert_counter(qts, B, FUGU_METER_INSERTED, 2);
    assert_counter(qts, FUGU_METER_GIDS, FUGU_METER_INSERTED, 1);
    assert_counter(qts, 1000, FUGU_METER_INSERTED, 1);
    assert_counter(qts, 0, FUGU_METER_INSERTED, 0);
    assert_counter(qts, A, FUGU_METER_RECEIVED, 2);
    qtest_quit(qts);
}

/* ---- Cycles -------------------------------------------------------------- */

static void test_slots(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    fugu_advance(qts, 10);
    serve(qts, A);
    fugu_advance(qts, 100);
    mode(qts, USER);
    fugu_advance(qts, 1000);
    mode(qts, KERNEL);
    fugu_advance(qts, 30);
    serve(qts, B);
    fugu_advance(qts, 7);
    serve(qts, FUGU_GID_MAX);
    fugu_advance(qts, 5);
    assert_counter(qts, 0, FUGU_METER_CYCLES, 10);
    assert_counter(qts, A, FUGU_METER_CYCLES, 1130);
    assert_counter(qts, B, FUGU_METER_CYCLES, 7);
    assert_counter(qts, FUGU_METER_GIDS, FUGU_METER_CYCLES, 5);
    assert_all_charged(qts);

    fugu_store(qts, 0, CONTROL(GID), A);
    fugu_store(qts, 0, CONTROL(CLEAR), 0);
    assert_counters(qts, A, 0);
    assert_counter(qts, B, FUGU_METER_CYCLES, 7);
    serve(qts, A);
    fugu_advance(qts, 9);
    assert_counter(qts, A, FUGU_METER_CYCLES, 9);
    fugu_store(qts, 0, CONTROL(CLEAR), 0);      /* of the one that pays */
    fugu_advance(qts, 2);
    assert_counter(qts, A, FUGU_METER_CYCLES, 2);

    qtest_system_reset(qts);
    assert_counters(qts, A, 0);
    assert_counters(qts, B, 0);
    qtest_quit(qts);
}

/* An insertion for B while A runs. */
static void test_insertion(void)
{
    QTestState *qts = fugu_start("nodes=1", "");
    uint64_t before;

    serve(qts, A);
    deliver_to(qts, B);
    before = counter(qts, A, FUGU_METER_CYCLES);
    mode(qts, USER);
    fugu_advance(qts, 100);
    mode(qts, KERNEL);                  /* the interrupt */
    fugu_advance(qts, 20);
    g_assert_cmpint(dispose(qts, 0, KERNEL), ==, FUGU_DONE);
    fugu_advance(qts, 3);
    mode(qts, USER);
    fugu_advance(qts, 1000);
    assert_counter(qts, A, FUGU_METER_CYCLES, before + 1100);
    assert_counter(qts, B, FUGU_METER_CYCLES, 23);
    assert_all_charged(qts);
    qtest_quit(qts);
}

/* Two insertions without a return between them, then a switch. */
static void test_insertions_follow(void)
{
    QTestState *qts = fugu_start("nodes=1", "");
    uint64_t before;

    serve(qts, A);
    deliver_to(qts, B);
    deliver_to(qts, 7);
    before = counter(qts, A, FUGU_METER_CYCLES);
    mode(qts, USER);
    mode(qts, KERNEL);
    fugu_advance(qts, 20);
    dispose(qts, 0, KERNEL);
    fugu_advance(qts, 300);
    dispose(qts, 0, KERNEL);            /* begins where the first one has
                                           taken its message */
    fugu_advance(qts, 4000);
    serve(qts, A);
    fugu_advance(qts, 5);
    assert_counter(qts, B, FUGU_METER_CYCLES, 20);
    assert_counter(qts, 7, FUGU_METER_CYCLES, 4300);
    assert_counter(qts, A, FUGU_METER_CYCLES, before + 5);
    assert_all_charged(qts);
    qtest_quit(qts);
}

/* After an insertion for B, the kernel waits: A pays again. */
static void test_wait(void)
{
    QTestState *qts = fugu_start("nodes=1", "");
    uint64_t before;

    serve(qts, A);
    deliver_to(qts, B);
    before = counter(qts, A, FUGU_METER_CYCLES);
    mode(qts, USER);
    mode(qts, KERNEL);
    fugu_advance(qts, 10);
    g_assert_false(fugu_idle(qts, 0));          /* the message interrupts */
    fugu_advance(qts, 20);
    dispose(qts, 0, KERNEL);
    fugu_advance(qts, 3);
    g_assert_true(fugu_idle(qts, 0));
    fugu_advance(qts, 1000);
    g_assert_true(fugu_idle(qts, 0));           /* tries again */
    fugu_advance(qts, 7);
    upcall(qts);
    mode(qts, USER);
    assert_counter(qts, B, FUGU_METER_CYCLES, 23);
    assert_counter(qts, A, FUGU_METER_CYCLES, before + 1017);
    assert_counter(qts, A, FUGU_METER_HANDLING, 7);     /* without the wait */
    assert_all_charged(qts);
    qtest_quit(qts);
}

/* The kernel is at work for A when B's message comes. */
static void test_insertion_by_poll(void)
{
    QTestState *qts = fugu_start("nodes=1", "");
    uint64_t cycles;

    serve(qts, A);
    send_message(qts, 0, KERNEL, FUGU_HDR_OWN_GID | GID(B), 2);
    fugu_advance(qts, LONG_TIME);
    dispose(qts, 0, KERNEL);
    cycles = counter(qts, A, FUGU_METER_CYCLES);
    /* Without hops: 64 cycles, and 4 a word. */
    g_assert_cmpuint(cycles, ==, 64 + 8);
    assert_counter(qts, B, FUGU_METER_CYCLES, LONG_TIME - cycles);
    assert_all_charged(qts);
    qtest_quit(qts);
}

/* ---- Handlers ------------------------------------------------------------ */

/* From the interrupt to the resumption, the kernel's cycles included. */
static void test_handler(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    serve(qts, A);
    deliver_to(qts, A);
    mode(qts, USER);
    fugu_advance(qts, 1000);
    mode(qts, KERNEL);
    fugu_advance(qts, 40);
    upcall(qts);
    fugu_advance(qts, 5);
    mode(qts, USER);
    fugu_advance(qts, 300);
    assert_counter(qts, A, FUGU_METER_HANDLING, 345);
    g_assert_cmpint(dispose(qts, 0, USER), ==, FUGU_DONE);
    mode(qts, KERNEL);
    fugu_advance(qts, 7);
    assert_counter(qts, A, FUGU_METER_HANDLING, 352);
    store(qts, 0, K(UAC), 0);
    fugu_advance(qts, 1);
    mode(qts, USER);
    fugu_advance(qts, 5000);
    assert_counter(qts, A, FUGU_METER_HANDLING, 353);
    assert_counter(qts, A, FUGU_METER_RECEIVED, 1);
    assert_counter(qts, A, FUGU_METER_HANDLED, 1);
    qtest_quit(qts);
}

/* The counters are cleared while a handler runs, and counted from there. */
static void test_clear_in_handler(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    serve(qts, A);
    fugu_store(qts, 0, CONTROL(GID), A);
    mode(qts, USER);
    fugu_advance(qts, 100);
    mode(qts, KERNEL);
    fugu_advance(qts, 40);
    upcall(qts);
    mode(qts, USER);
    fugu_advance(qts, 300);
    mode(qts, KERNEL);
    fugu_store(qts, 0, CONTROL(CLEAR), 0);
    fugu_advance(qts, 5);
    assert_counter(qts, A, FUGU_METER_HANDLING, 5);
    mode(qts, USER);
    fugu_advance(qts, 70);
    assert_counter(qts, A, FUGU_METER_CYCLES, 75);
    assert_counter(qts, A, FUGU_METER_HANDLING, 75);

    /* Another job gets a GID whose last handler has not ended. */
    mode(qts, KERNEL);
    store(qts, 0, K(UAC), 0);
    serve(qts, B);
    fugu_store(qts, 0, CONTROL(CLEAR), 0);
    serve(qts, A);
    mode(qts, USER);
    fugu_advance(qts, 10);
    assert_counter(qts, A, FUGU_METER_CYCLES, 10);
    assert_counter(qts, A, FUGU_METER_HANDLING, 0);
    qtest_quit(qts);
}

/* A trap that leaves UAC alone begins no handler; what the user sets begins
 * none either. */
static void test_no_handler(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    serve(qts, A);
    mode(qts, USER);
    fugu_advance(qts, 100);
    fugu_op(qts, 0, USER, "beginatom", FUGU_UAC_USER, 0);
    fugu_advance(qts, 100);
    mode(qts, KERNEL);
    fugu_advance(qts, 100);
    mode(qts, USER);
    fugu_advance(qts, 100);
    deliver_to(qts, A);
    g_assert_cmpint(dispose(qts, 0, USER), ==, FUGU_DONE);
    assert_counter(qts, A, FUGU_METER_HANDLING, 0);
    assert_counter(qts, A, FUGU_METER_RECEIVED, 1);
    assert_counter(qts, A, FUGU_METER_HANDLED, 0);
    qtest_quit(qts);
}

/* The handler ends its atomic section, and runs on. Then another interrupts
 * it. */
static void test_section_ends(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    serve(qts, A);
    mode(qts, USER);
    mode(qts, KERNEL);
    fugu_advance(qts, 10);
    upcall(qts);
    mode(qts, USER);
    fugu_advance(qts, 20);
    store(qts, 0, K(UAC), FUGU_UAC_USER);       /* its message is gone */
    fugu_op(qts, 0, USER, "endatom", FUGU_UAC_USER, 0);
    fugu_advance(qts, 400);
    assert_counter(qts, A, FUGU_METER_HANDLING, 30);
    mode(qts, KERNEL);
    fugu_advance(qts, 5);
    upcall(qts);
    mode(qts, USER);
    fugu_advance(qts, 6);
    mode(qts, KERNEL);
    store(qts, 0, K(UAC), 0);
    mode(qts, USER);
    fugu_advance(qts, 400);
    assert_counter(qts, A, FUGU_METER_HANDLING, 41);
    qtest_quit(qts);
}

/* A's handler loses the processor to B and to an insertion for B. */
static void test_handler_is_switched(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    serve(qts, A);
    mode(qts, USER);
    deliver_to(qts, B);
    mode(qts, KERNEL);
    upcall(qts);
    mode(qts, USER);
    fugu_advance(qts, 20);
    mode(qts, KERNEL);
    fugu_advance(qts, 1);
    dispose(qts, 0, KERNEL);            /* for B */
    fugu_advance(qts, 9);
    mode(qts, USER);
    fugu_advance(qts, 4);
    assert_counter(qts, A, FUGU_METER_HANDLING, 24);
    mode(qts, KERNEL);
    fugu_advance(qts, 2);
    store(qts, 0, K(UAC), 0);           /* B has none open */
    serve(qts, B);
    fugu_advance(qts, 50);
    mode(qts, USER);
    fugu_advance(qts, 1000);
    assert_counter(qts, A, FUGU_METER_HANDLING, 26);
    assert_counter(qts, B, FUGU_METER_HANDLING, 0);
    assert_counter(qts, B, FUGU_METER_CYCLES, 1060);
    mode(qts, KERNEL);
    store(qts, 0, K(UAC), FUGU_UAC_USER);
    serve(qts, A);
    fugu_advance(qts, 3);
    mode(qts, USER);
    fugu_advance(qts, 10);
    assert_counter(qts, A, FUGU_METER_HANDLING, 39);
    assert_all_charged(qts);
    qtest_quit(qts);
}

/* B gets the processor, and its upcall begins at once: A's cycles before that,
 * in the same stay in the kernel, are not B's handler's. */
static void test_upcall_after_a_switch(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    serve(qts, A);
    mode(qts, USER);
    mode(qts, KERNEL);
    fugu_advance(qts, 100);
    serve(qts, B);
    fugu_advance(qts, 20);
    upcall(qts);
    mode(qts, USER);
    fugu_advance(qts, 3);
    assert_counter(qts, B, FUGU_METER_HANDLING, 23);
    assert_counter(qts, A, FUGU_METER_HANDLING, 0);
    qtest_quit(qts);
}

/* The upcall of a message that the kernel has just inserted. */
static void test_upcall_after_an_insertion(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    serve(qts, A);
    mode(qts, USER);
    mode(qts, KERNEL);
    fugu_advance(qts, 1000);            /* a long call of A's */
    send_message(qts, 0, KERNEL, FUGU_HDR_OWN_GID | GID(A), 2);
    fugu_advance(qts, 64 + 8 + 30);
    dispose(qts, 0, KERNEL);            /* 30 cycles after the arrival */
    fugu_advance(qts, 5);
    upcall(qts);
    mode(qts, USER);
    assert_counter(qts, A, FUGU_METER_HANDLING, 35);
    qtest_quit(qts);
}

/* ---- State --------------------------------------------------------------- */

static void test_migration(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    serve(qts, A);
    send_message(qts, 0, USER, 0, 2);
    deliver_to(qts, B);
    mode(qts, USER);
    fugu_advance(qts, 10);
    mode(qts, KERNEL);
    fugu_advance(qts, 20);
    upcall(qts);
    mode(qts, USER);
    fugu_advance(qts, 1);
    fugu_store(qts, 0, CONTROL(GID), B);
    qts = fugu_migrate(qts, "nodes=1", "");
    g_assert_cmpuint(fugu_load(qts, 0, CONTROL(GID)), ==, B);
    fugu_advance(qts, 2);
    assert_counters(qts, A, 1, 0, 0, 0, 0, 0, LONG_TIME + 33, 23);
    mode(qts, KERNEL);
    fugu_advance(qts, 4);
    store(qts, 0, K(UAC), 0);
    mode(qts, USER);
    fugu_advance(qts, 8);
    assert_counter(qts, A, FUGU_METER_HANDLING, 27);
    assert_all_charged(qts);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/meter/registers", test_registers);
    qtest_add_func("fugu/meter/halves", test_halves);
    qtest_add_func("fugu/meter/sent", test_sent);
    qtest_add_func("fugu/meter/received", test_received);
    qtest_add_func("fugu/meter/slots", test_slots);
    qtest_add_func("fugu/meter/insertion", test_insertion);
    qtest_add_func("fugu/meter/insertions-follow", test_insertions_follow);
    qtest_add_func("fugu/meter/insertion-by-poll", test_insertion_by_poll);
    qtest_add_func("fugu/meter/wait", test_wait);
    qtest_add_func("fugu/meter/handler", test_handler);
    qtest_add_func("fugu/meter/clear-in-handler", test_clear_in_handler);
    qtest_add_func("fugu/meter/no-handler", test_no_handler);
    qtest_add_func("fugu/meter/section-ends", test_section_ends);
    qtest_add_func("fugu/meter/handler-is-switched", test_handler_is_switched);
    qtest_add_func("fugu/meter/upcall-after-a-switch",
                   test_upcall_after_a_switch);
    qtest_add_func("fugu/meter/upcall-after-an-insertion",
                   test_upcall_after_an_insertion);
    qtest_add_func("fugu/meter/migration", test_migration);
    return g_test_run();
}
