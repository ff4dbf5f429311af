/*
 * contract jobs-CASE: two jobs share the nodes. Job 1 is tested; job 2 runs in
 * the other slots and must not notice anything.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"

static struct state s[8];

void straight_on(void);                 /* defined in straight.S */

/* ---- Slots --------------------------------------------------------------- */

static uint32_t slot(void)
{
    return udm_cycles() / TIMESLICE;
}

static uint32_t left_in_slot(void)
{
    return TIMESLICE - udm_cycles() % TIMESLICE;
}

/* Waits until `cycles` cycles of a slot are left, or slightly fewer. */
static void wait_left(uint32_t cycles)
{
    UNTIL(left_in_slot() > cycles + 5000);
    UNTIL(left_in_slot() <= cycles);
}

static void wait_quantum(void)
{
    uint32_t start = glaze_info(GLAZE_I_CAUSES + 4 * GLAZE_IN_QUANTUM);

    UNTIL(glaze_info(GLAZE_I_CAUSES + 4 * GLAZE_IN_QUANTUM) != start);
}

/* ---- The end of the quantum ---------------------------------------------- */

static void test_sections(void)
{
    uint32_t value;

    spin(4 * TIMESLICE);
    expect_counts("a quantum's end outside of atomic sections is nothing", "");

    udm_beginatom();
    wait_quantum();
    look(&s[0]);
    udm_endatom();
    look(&s[1]);
    expect("in an atomic section", &s[0], "ie empty buffered");
    expect("whose end leaves", &s[1], "- ni fast");
    expect_counts("quantum", "quantum 1");

    wait_left(TIMEOUT / 2);
    udm_beginatom();
    udm_inject(udm_node(), looks, 1);
    UNTIL(udm_available());
    look(&s[0]);
    wait_quantum();
    look(&s[1]);
    value = udm_arg(0);
    udm_dispose();
    look(&s[2]);
    udm_endatom();
    expect("a message waits at the NI", &s[0], "i ni fast");
    expect("and is moved before the process is suspended", &s[1],
           "ie head buffered");
    check("it is the same", value, 1);
    expect("behind its dispose", &s[2], "i ni fast");
    expect_counts("quantum", "quantum 1 inserted 1");
    check("no handler has started", calls, 0);
}

static void waits(void)
{
    look(&s[0]);
    wait_quantum();
    look(&s[1]);
    argument[0] = udm_arg(0);
    udm_dispose();
    look(&s[2]);
    calls++;
}

static void test_handler(void)
{
    calls_begin();
    wait_left(TIMEOUT / 2);
    udm_inject(udm_node(), waits, 2);
    UNTIL(calls == 1);
    look(&s[3]);
    expect("a handler", &s[0], "itd ni fast");
    expect("that is suspended has to dispose still", &s[1],
           "itde head buffered");
    check("of the same message", argument[0], 2);
    expect("and has", &s[2], "it ni fast");
    expect("what it interrupted", &s[3], "- ni fast");
    expect_counts("quantum", "quantum 1 inserted 1");
}

/*
 * The timer expires and a message arrives during the same straight code, after
 * which both interrupt: the timer first. So the message is waiting when the
 * quantum ends, although there is no atomic section.
 */
static void test_waiting_message(void)
{
    calls_begin();
    straight_on();                      /* loads the cache */
    wait_left(700);
    udm_inject(udm_node(), looks, 3);
    straight_on();
    UNTIL(calls == 1);
    expect("a message that waits at the quantum's end", &before[0],
           "itde head buffered");
    check("it is the same", argument[0], 3);
    expect_counts("quantum", "quantum 1 inserted 1");
}

/* ---- State that belongs to a process ------------------------------------- */

static uint32_t got[6];

static void extracts(void)
{
    udm_extract(got, 6);
    calls++;
}

/* Half a message and half a storeback must last over several quanta. */
static void test_network_state(uint32_t mine)
{
    uint32_t length, word, address, offset;

    calls_begin();
    UDM_OUT_(0, udm_node());
    UDM_OUT_(1, (uintptr_t)extracts);
    UDM_OUT_(2, mine);
    UDM_STORE_(FUGU_U_SB_ADDR, mine + 0x1000);
    UDM_STORE_(FUGU_U_SB_OFFSET, mine + 8);
    spin(4 * TIMESLICE);
    UDM_LOAD_(FUGU_U_DESC_LEN, length);
    UDM_LOAD_(FUGU_U_OUT + 8, word);
    UDM_LOAD_(FUGU_U_SB_ADDR, address);
    UDM_LOAD_(FUGU_U_SB_OFFSET, offset);
    check("half a message is there still", length, 3);
    check("with its words", word, mine);
    check("and where a storeback goes", address, mine + 0x1000);
    check("and from where", offset, mine + 8);
    UDM_OUT_(3, mine + 1);
    NI_LAUNCH(4, 0);
    UNTIL(calls == 1);
    check("the message", got[2], mine);
    check("is whole", got[3], mine + 1);
    expect_counts("all in fast mode", "");
}

/* ---- A message while another process runs -------------------------------- */

static void test_mismatch(void)
{
    calls_begin();
    UNTIL(slot() == 2 && left_in_slot() > TIMESLICE * 3 / 4);    /* not the
                                           first: nodes start at other times */
    if (udm_node() == 0) {
        glaze_yield();                  /* job 2 gets the rest of the slot */
        UNTIL(calls == 3);
        for (unsigned i = 0; i < 3; i++) {
            check("in order", argument[i], i);
            expect("a message while another process ran", &before[i],
                   "itde head buffered");
        }
        expect("the last one", &behind[2], "it ni fast");
        expect_counts("mismatch", "mismatch 1 inserted 3");
    } else {
        UNTIL(left_in_slot() < TIMESLICE / 2);
        for (unsigned i = 0; i < 3; i++) {
            udm_inject(0, looks, i);
        }
        expect_counts("its sender", "");
    }
}

/* Runs until no other job is left. This job must never have entered
 * buffered mode. */
static void bystander(void)
{
    struct glaze_count count;

    do {
        glaze_count(&count);
    } while (count.processes > 1);
    expect_counts("a bystander has stayed in fast mode", "");
}

/* ---- Messages for a process that has ended ------------------------------- */

#define DROPPED 10

static void test_dropped(bool sender)
{
    if (sender && udm_node() == 0) {
        spin(4 * TIMESLICE);            /* node 1 has ended by then */
        for (unsigned i = 0; i < DROPPED; i++) {
            udm_inject(1, looks, i);
        }
    }
    if (!sender && udm_node() == 1) {
        struct glaze_count begin, count;

        glaze_count(&begin);
        do {
            glaze_count(&count);
        } while (count.dropped < DROPPED);
        spin(2 * TIMESLICE);
        glaze_count(&count);
        check("messages for a process that has ended are counted",
              count.dropped, DROPPED);
        check("and take no frame", count.buffer_pages, 0);
        check("nor is its job there", count.processes, 1);
        expect_counts("they are nobody else's", "");
    }
}

int two_jobs(const char *what)
{
    bool first = glaze_info(GLAZE_I_GID) == 1;

    if (!strcmp(what, "state")) {
        test_network_state(first ? 0x100 : 0x20000);
    } else if (!strcmp(what, "dropped")) {
        test_dropped(first);
    } else if (!first) {
        bystander();
    } else if (!strcmp(what, "quantum")) {
        test_sections();
        test_handler();
        test_waiting_message();
    } else if (!strcmp(what, "mismatch")) {
        test_mismatch();
    } else {
        return 2;
    }
    return check_failures ? 1 : 0;
}
