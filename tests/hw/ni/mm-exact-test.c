/*
 * qtest of the M-Machine's message interface: where one cycle, one word or one
 * context decides
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "mm-qtest.h"

#define ARRIVED         1000            /* long enough for any message */
#define CONTROL(reg)    (FUGU_CONTROL_BASE + FUGU_CONTROL_##reg)
#define TT_NCP_INSN     0x24
#define COPIES          (FUGU_MM_RULE_REPLIES | FUGU_MM_RULE_COPIES)
#define STREAMS         (COPIES | FUGU_MM_RULE_STREAMS)

/* Goes to cycle @time. */
static void until(QTestState *qts, int64_t time)
{
    fugu_advance(qts, time - fugu_time(qts, 0));
}

static uint32_t words(QTestState *qts, unsigned node)
{
    return mm_kernel(qts, node, FUGU_K_MM_WORDS);
}

/* PUT of word @index of the message buffer, as a store. */
static int put(QTestState *qts, unsigned node, unsigned index, bool last,
               uint32_t word)
{
    return fugu_try_store(qts, node, USER, 4,
                          U(last ? FUGU_U_MM_PUT_LAST : FUGU_U_MM_PUT) +
                          4 * index, word);
}

static void must_put(QTestState *qts, unsigned node, unsigned index, bool last,
                     uint32_t word)
{
    g_assert_cmpint(put(qts, node, index, last, word), ==, FUGU_DONE);
}

/* ---- Saved ------------------------------------------------------------------ */

/* A message is dropped while an event for one of its words is still to come. It
 * leaves when its tail has come, neither at that event nor never. */
static void test_dropped_behind_a_word(void)
{
    for (unsigned saved = 0; saved < 2; saved++) {
        QTestState *qts = mm_start("");

        mm_send(qts, 0, THREAD, AT(1, 0), 1, 10, 0, 70);
        until(qts, COMES(1, 1));
        mm_assert_head(qts, 1, SLOT_0, PC(1));
        mm_assert_waits(qts, 1, SLOT_0, false);
        mm_assert_waits(qts, 1, SLOT_0, true);
        if (saved) {
            qts = fugu_migrate(qts, MM, "");
        }
        until(qts, COMES(1, 2) + 1);
        g_assert_cmpuint(words(qts, 1), ==, 13);
        until(qts, COMES(1, 12));
        g_assert_cmpuint(words(qts, 1), ==, 13);
        g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_LEFT), ==, 0);
        until(qts, COMES(1, 12) + 1);
        g_assert_cmpuint(words(qts, 1), ==, 0);
        g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_LEFT), ==, 1);
        mm_assert_holds(qts);
        qtest_quit(qts);
    }
}

/* A message that has waited for room comes word by word, and the next one behind it,
 * also from another node. */
static void test_enters_behind_the_tail(void)
{
    for (unsigned saved = 0; saved < 2; saved++) {
        QTestState *qts = mm_start(",input-queue=32");
        int64_t enters;

        mm_send(qts, 0, THREAD, AT(1, 0), 0, 10, 0, 70);        /* 13 of 16 */
        until(qts, 10);
        mm_send(qts, 0, THREAD, AT(1, 0), 1, 3, 0, 80);         /* 6 words */
        fugu_advance(qts, ARRIVED);
        g_assert_cmpuint(words(qts, 1), ==, 13);
        /* The third one is at node 1 while the second one is coming. */
        mm_send(qts, 3, THREAD, AT(1, 0), 2, 0, 0, 0);
        fugu_advance(qts, COMES(1, 0) - 3);
        mm_assert_head(qts, 1, SLOT_0, PC(0));
        mm_assert_waits(qts, 1, SLOT_0, true);
        enters = fugu_time(qts, 0);
        fugu_advance(qts, 1);
        g_assert_cmpuint(words(qts, 1), ==, 6);
        if (saved) {
            qts = fugu_migrate(qts, MM ",input-queue=32", "");
        }
        until(qts, enters + 5);
        g_assert_cmpuint(words(qts, 1), ==, 9);
        mm_assert_head(qts, 1, SLOT_0, PC(1));
        until(qts, enters + 5 * 4 + 8 - 1);
        mm_assert_waits(qts, 1, SLOT_0, true);
        until(qts, enters + 5 * 4 + 8);
        mm_assert_head(qts, 1, SLOT_0, PC(2));
        mm_assert_holds(qts);
        qtest_quit(qts);
    }
}

/* What waits for space waits until there is as much as it needs, and not for a word
 * more. */
static void test_space_that_is_needed(void)
{
    const char *const options = ",source-space=26";

    for (unsigned saved = 0; saved < 2; saved++) {
        QTestState *qts = mm_start(options);

        for (unsigned i = 0; i < 2; i++) {      /* one each, for nodes 1 and 2 */
            g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1 + i, 0), 0, 3, 0, 70),
                            ==, FUGU_DONE);
            fugu_advance(qts, 10);
        }
        g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 0), 1, 10, 0, 80), ==,
                        FUGU_WAITS);
        if (saved) {
            g_autofree char *all = g_strdup_printf(MM "%s", options);

            qts = fugu_migrate(qts, all, "");
        }
        g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_SPACE), ==, 1);
        g_assert_true(mm_needs_space(qts, 0, THREAD));
        while (mm_kernel(qts, 0, FUGU_K_MM_SPACE) < 13) {
            g_assert_true(mm_needs_space(qts, 0, THREAD));
            fugu_advance(qts, 1);
        }
        g_assert_false(mm_needs_space(qts, 0, THREAD));
        g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 0), 1, 10, 0, 80), ==,
                        FUGU_DONE);
        mm_assert_holds(qts);
        qtest_quit(qts);
    }
}

/* ---- Events ----------------------------------------------------------------- */

/* A message that would interrupt with its last word interrupts with its handler's, if
 * the rule ends before. */
static void test_rule_ends_before_the_tail(void)
{
    QTestState *qts = mm_start("");

    mm_set(qts, 1, FUGU_K_MM_IRQ, 1);
    mm_set(qts, 1, FUGU_K_MM_RULES, FUGU_MM_RULE_WHOLE);
    mm_send(qts, 0, THREAD, AT(1, 0), 2, 10, 0, 50);
    until(qts, COMES(1, 0) + 1);
    mm_set(qts, 1, FUGU_K_MM_RULES, 0);
    until(qts, COMES(1, 1));
    g_assert_cmphex(fugu_irq(qts, 1), ==, 0);
    until(qts, COMES(1, 1) + 1);
    g_assert_cmphex(fugu_irq(qts, 1), ==, FUGU_IRQ_BIT(FUGU_IRQ_MESSAGE));
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* A message that has waited for a stream's room comes behind the stream's last word,
 * which may have left its sender late. */
static void test_enters_behind_a_stream(void)
{
    QTestState *qts = mm_start(",input-queue=26");
    int64_t last;

    mm_set(qts, 0, FUGU_K_MM_RULES, STREAMS);
    must_put(qts, 0, 0, false, AT(1, 0));
    must_put(qts, 0, 1, false, 1);
    fugu_advance(qts, ARRIVED);
    mm_send(qts, 3, THREAD, AT(1, 0), 2, 0, 0, 0);
    fugu_advance(qts, ARRIVED);
    mm_assert_head(qts, 1, SLOT_0, PC(1));
    mm_assert_body(qts, 1, SLOT_0, LOCAL);
    must_put(qts, 0, 2, true, 60);
    do {
        g_assert_cmpuint(words(qts, 1), ==, 13);
        fugu_advance(qts, 1);
        last = fugu_time(qts, 0);
    } while (mm_word(qts, 1, SLOT_0, false, &(uint32_t) { 0 }) == FUGU_WAITS);
    /* It was there a cycle before, and has left. */
    g_assert_cmpuint(words(qts, 1), ==, 3);
    until(qts, last - 1 + 4 + 4 - 1);
    mm_assert_waits(qts, 1, SLOT_0, true);
    until(qts, last - 1 + 4 + 4);
    mm_assert_head(qts, 1, SLOT_0, PC(2));
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* ---- Copies ----------------------------------------------------------------- */

/* The buffer is free when the network has the body, a word a cycle. */
static void test_put_takes_the_buffer(void)
{
    QTestState *qts = mm_start("");

    mm_set(qts, 0, FUGU_K_MM_RULES, COPIES);
    must_put(qts, 0, 0, false, AT(1, 0));
    must_put(qts, 0, 1, false, 2);
    must_put(qts, 0, 2, false, 60);
    must_put(qts, 0, 3, false, 61);
    must_put(qts, 0, 4, true, 62);
    until(qts, 2);
    g_assert_cmphex(fugu_load(qts, 0, U(FUGU_U_MM_ACK)), ==, 0xfffe);
    g_assert_cmpint(put(qts, 0, 0, false, AT(2, 0)), ==, FUGU_WAITS);
    until(qts, 3);
    g_assert_cmphex(fugu_load(qts, 0, U(FUGU_U_MM_ACK)), ==, 0xffff);
    must_put(qts, 0, 0, false, AT(2, 0));
    until(qts, COMES(1, 1));
    mm_assert_head(qts, 1, SLOT_0, PC(2));
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* A word leaves when it has crossed the pins, for which the processor is held. */
static void test_put_crosses_the_pins(void)
{
    QTestState *qts = mm_start(",pin-cycles=9");
    int64_t leaves;

    mm_set(qts, 0, FUGU_K_MM_RULES, COPIES);
    must_put(qts, 0, 0, false, AT(1, 0));
    g_assert_cmpint(fugu_time(qts, 0), ==, 9);
    must_put(qts, 0, 1, true, 2);
    leaves = fugu_time(qts, 0);
    g_assert_cmpint(leaves, ==, 18);
    fugu_advance(qts, leaves + COMES(1, 1) - 1 - fugu_time(qts, 1));
    mm_assert_waits(qts, 1, SLOT_0, true);
    fugu_advance(qts, 1);
    mm_assert_head(qts, 1, SLOT_0, PC(2));
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* A store of two words to the buffer traps. */
static void test_put_of_two_words(void)
{
    QTestState *qts = mm_start("");

    mm_set(qts, 0, FUGU_K_MM_RULES, COPIES);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 8, U(FUGU_U_MM_PUT), 0), ==,
                    VIOLATION);
    qtest_quit(qts);
}

/* A slot has a stream open at priority 1. */
static QTestState *slot_streams(void)
{
    QTestState *qts = mm_start("");

    mm_set(qts, 0, FUGU_K_MM_RULES, STREAMS);
    mm_set(qts, 0, FUGU_K_MM_PRIORITY, 1);
    mm_set(qts, 0, FUGU_K_MM_START, 0x1000);
    mm_as(qts, 0, SLOT_0);
    must_put(qts, 0, 0, false, AT(1, 0));
    must_put(qts, 0, 1, false, 2);
    must_put(qts, 0, 2, false, 60);
    mm_as(qts, 0, THREAD);
    /* Others wait for the channel. */
    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 8), 3, 0, 0, 0), ==,
                    FUGU_WAITS);
    return qts;
}

/* A null word has ended it, and others go on. */
static void assert_stream_ended(QTestState *qts)
{
    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 8), 3, 0, 0, 0), ==,
                    FUGU_DONE);
    fugu_advance(qts, ARRIVED);
    mm_assert_head(qts, 1, SLOT_1, PC(2));
    mm_assert_body(qts, 1, SLOT_1, LOCAL);
    mm_assert_body(qts, 1, SLOT_1, 60);
    mm_assert_body(qts, 1, SLOT_1, 0);
    mm_assert_head(qts, 1, SLOT_1, PC(3));
    mm_assert_body(qts, 1, SLOT_1, LOCAL + 8);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

static void test_slot_off_ends_its_stream(void)
{
    QTestState *qts = slot_streams();

    mm_set(qts, 0, FUGU_K_MM_STATE, FUGU_MM_SLOT_OFF);
    assert_stream_ended(qts);
}

static void test_start_ends_the_stream(void)
{
    QTestState *qts = slot_streams();

    mm_set(qts, 0, FUGU_K_MM_START, 0x2000);
    assert_stream_ended(qts);
}

/* A slot's stream goes on after a save; what the kernel has set is there too. */
static void test_saved_in_a_stream(void)
{
    QTestState *qts = mm_start("");

    mm_segment(qts, 0, 1, 7, WINDOW, SIZE_LOG, LOCAL);
    mm_handler(qts, 0, 4, 7, 0, PC(0), EXTENT);
    fugu_store(qts, 0, K(FUGU_K_GID), 7);
    mm_send(qts, 0, THREAD, AT(0, 0), 0, 0, 0, 0);
    fugu_advance(qts, ARRIVED);
    mm_set(qts, 0, FUGU_K_MM_RULES, STREAMS);
    mm_set(qts, 0, FUGU_K_MM_PRIORITY, 1);
    mm_set(qts, 0, FUGU_K_MM_START, 0x1000);
    mm_set(qts, 0, FUGU_K_MM_IRQ, 2);
    mm_fault(qts, 0, SLOT_1, 9);
    mm_assert_head(qts, 0, SLOT_0, PC(0));
    mm_assert_body(qts, 0, SLOT_0, LOCAL);
    mm_as(qts, 0, SLOT_0);
    must_put(qts, 0, 0, false, AT(2, 0));
    must_put(qts, 0, 1, false, 0);
    must_put(qts, 0, 2, false, 60);
    mm_as(qts, 0, THREAD);
    g_assert_cmpint(mm_send(qts, 3, THREAD, AT(1, 0), 0, 10, 4, 0), ==, FUGU_DONE);
    qts = fugu_migrate(qts, MM, "");
    g_assert_cmphex(fugu_load(qts, 3, U(FUGU_U_MM_ACK)), ==, 0xffef);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_RULES), ==, STREAMS);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_PRIORITY), ==, 1);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_IRQ), ==, 2);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_STATE), ==, FUGU_MM_SLOT_ON);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_STATE + 4), ==,
                     FUGU_MM_SLOT_FAULT);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_FAULT + 4), ==, 9);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_GID), ==, 7);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_LEFT), ==, 1);
    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(2, 0), 0, 0, 0, 0), ==, FUGU_WAITS);
    mm_as(qts, 0, SLOT_0);
    must_put(qts, 0, 3, true, 61);
    mm_as(qts, 0, THREAD);
    fugu_advance(qts, ARRIVED);
    mm_assert_head(qts, 2, SLOT_1, PC(0));
    mm_assert_body(qts, 2, SLOT_1, LOCAL);
    mm_assert_body(qts, 2, SLOT_1, 60);
    mm_assert_body(qts, 2, SLOT_1, 61);
    mm_assert_waits(qts, 2, SLOT_1, true);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* ---- Slots ------------------------------------------------------------------ */

static uint64_t counter(QTestState *qts, unsigned node, uint32_t gid, unsigned k)
{
    fugu_store(qts, node, CONTROL(GID), gid);
    return fugu_load64(qts, node, CONTROL(METER) + 8 * k);
}

/* The message's GID pays from the instruction on that has taken it. */
static void test_who_pays(void)
{
    QTestState *qts = mm_start("");
    uint32_t word;

    mm_segment(qts, 0, 1, 7, WINDOW, SIZE_LOG, LOCAL);
    mm_handler(qts, 0, 4, 7, 0, PC(0), EXTENT);
    fugu_store(qts, 0, K(FUGU_K_GID), 7);
    mm_send(qts, 0, THREAD, AT(1, 0), 0, 0, 0, 0);
    until(qts, 500);
    g_assert_cmpuint(counter(qts, 1, 0, FUGU_METER_CYCLES), ==, 500);
    g_assert_cmpint(mm_word_after(qts, 1, SLOT_0, true, 3, &word), ==, FUGU_DONE);
    g_assert_cmpuint(counter(qts, 1, 0, FUGU_METER_CYCLES), ==, 497);
    g_assert_cmpuint(counter(qts, 1, 7, FUGU_METER_CYCLES), ==, 3);
    g_assert_cmpuint(counter(qts, 1, 7, FUGU_METER_HANDLING), ==, 3);
    qtest_quit(qts);
}

/* Also if a slot copies MsgHead out of the interface. */
static void test_who_pays_for_a_copy(void)
{
    QTestState *qts = mm_start("");
    uint64_t word;

    mm_segment(qts, 0, 1, 7, WINDOW, SIZE_LOG, LOCAL);
    mm_handler(qts, 0, 4, 7, 0, PC(0), EXTENT);
    fugu_store(qts, 0, K(FUGU_K_GID), 7);
    mm_send(qts, 0, THREAD, AT(1, 0), 0, 0, 0, 0);
    mm_set(qts, 1, FUGU_K_MM_RULES, COPIES);
    mm_set(qts, 1, FUGU_K_MM_START, 0x1000);
    until(qts, 500);
    mm_as(qts, 1, SLOT_0);
    g_assert_cmpint(fugu_try_load(qts, 1, USER, 4, U(FUGU_U_MM_HEAD), &word), ==,
                    FUGU_DONE);
    g_assert_cmphex(word, ==, PC(0));
    fugu_advance(qts, 30);
    g_assert_cmpuint(counter(qts, 1, 0, FUGU_METER_CYCLES), ==, 500);
    g_assert_cmpuint(counter(qts, 1, 7, FUGU_METER_HANDLING), ==, 30);
    qtest_quit(qts);
}

/* UAC is the main context's. */
static void test_atomicity_in_a_slot(void)
{
    QTestState *qts = mm_start("");

    mm_as(qts, 0, SLOT_0);
    g_assert_cmphex(fugu_op(qts, 0, USER, "beginatom", 1, 0), ==, TT_NCP_INSN);
    g_assert_cmphex(fugu_op(qts, 0, USER, "endatom", 1, 0), ==, TT_NCP_INSN);
    mm_as(qts, 0, THREAD);
    g_assert_cmphex(fugu_load(qts, 0, U(FUGU_U_UAC)), ==, 0);
    g_assert_cmphex(fugu_op(qts, 0, USER, "beginatom", 1, 0), ==, FUGU_DONE);
    g_assert_cmphex(fugu_load(qts, 0, U(FUGU_U_UAC)), ==, 1);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("/fugu/mm/dropped-behind-a-word", test_dropped_behind_a_word);
    qtest_add_func("/fugu/mm/enters-behind-the-tail", test_enters_behind_the_tail);
    qtest_add_func("/fugu/mm/space-that-is-needed", test_space_that_is_needed);
    qtest_add_func("/fugu/mm/rule-ends-before-the-tail",
                   test_rule_ends_before_the_tail);
    qtest_add_func("/fugu/mm/enters-behind-a-stream", test_enters_behind_a_stream);
    qtest_add_func("/fugu/mm/put-takes-the-buffer", test_put_takes_the_buffer);
    qtest_add_func("/fugu/mm/put-crosses-the-pins", test_put_crosses_the_pins);
    qtest_add_func("/fugu/mm/put-of-two-words", test_put_of_two_words);
    qtest_add_func("/fugu/mm/slot-off-ends-its-stream",
                   test_slot_off_ends_its_stream);
    qtest_add_func("/fugu/mm/start-ends-the-stream", test_start_ends_the_stream);
    qtest_add_func("/fugu/mm/saved-in-a-stream", test_saved_in_a_stream);
    qtest_add_func("/fugu/mm/who-pays", test_who_pays);
    qtest_add_func("/fugu/mm/who-pays-for-a-copy", test_who_pays_for_a_copy);
    qtest_add_func("/fugu/mm/atomicity-in-a-slot", test_atomicity_in_a_slot);
    return g_test_run();
}
