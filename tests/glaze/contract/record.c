/*
 * contract start and record: how a process starts; %g6 and the three kinds of
 * receive records.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"

static struct state s[8];

/* ---- The start ----------------------------------------------------------- */

static struct state at_start;
static uint32_t g7_at_start;

__attribute__((constructor))
static void start(void)
{
    look(&at_start);
    asm volatile ("mov %%g7, %0" : "=r" (g7_at_start));
}

void start_cases(void)
{
    look(&s[0]);
    expect("a process begins in an atomic section, which its first page "
           "faults have revoked", &at_start, "ie empty buffered");
    check("with its upcall page in %g7", g7_at_start, GLAZE_UPCALL);
    expect("main() begins outside of one", &s[0], "- ni fast");
    check("buffered mode has begun once", glaze_info(GLAZE_I_ENTRIES), 1);
    check("by a page fault",
          glaze_info(GLAZE_I_CAUSES + 4 * GLAZE_IN_FAULT), 1);
    check("the node", glaze_info(GLAZE_I_NODE), udm_node());
    check("the nodes", glaze_info(GLAZE_I_NODES), udm_nodes());
    check("the job", glaze_info(GLAZE_I_GID), 1);
    check("the network interface", glaze_info(GLAZE_I_NETIF), FUGU_NETIF_FUGU);
}

/* ---- Where %g6 points ---------------------------------------------------- */

static void test_where(void)
{
    calls_begin();
    look(&s[0]);
    udm_beginatom();
    look(&s[1]);
    udm_endatom();
    udm_inject(udm_node(), looks, 5);
    UNTIL(calls == 1);
    expect("in fast mode %g6 is at the NI", &s[0], "- ni fast");
    expect("in an atomic section as well", &s[1], "i ni fast");
    expect("in a handler, which has to dispose", &before[0], "itd ni fast");
    expect("and has", &behind[0], "it ni fast");
    check("its argument", argument[0], 5);

    glaze_divert();
    look(&s[0]);
    udm_beginatom();
    look(&s[1]);
    fill(looks, 2);
    look(&s[2]);
    udm_dispose();
    look(&s[3]);
    udm_dispose();
    look(&s[4]);
    udm_endatom();
    look(&s[5]);
    expect("in buffered mode, without a message, at the empty record", &s[0],
           "- empty buffered");
    expect("in an atomic section as well", &s[1], "i empty buffered");
    expect("then at the oldest record", &s[2], "ie head buffered");
    expect("then at the next one", &s[3], "ie head buffered");
    check("which lies behind it", s[3].g6 - s[2].g6, RECORD_SIZE);
    expect("then at the NI again", &s[4], "i ni fast");
    expect("and outside of the section", &s[5], "- ni fast");
}

/* ---- What is in a record ------------------------------------------------- */

#define WORDS (FUGU_REC_SIZE / 4)

static uint32_t words[WORDS];

/* Copies the record at %g6. The caller must make sure that the message is
 * there, since %g6 must not be used as an address in C. */
static void copy_record(void)
{
    for (unsigned k = 0; k < WORDS; k++) {
        words[k] = udm_record_(4 * k);
    }
}

static void copies(void)
{
    copy_record();
    udm_dispose();
    calls++;
}

static uint32_t sum_of_words(void)
{
    uint32_t sum = 0;

    for (unsigned k = 0; k < WORDS; k++) {
        sum |= words[k];
    }
    return sum;
}

static void test_contents(void)
{
    static uint32_t fast[WORDS];
    static const uint32_t body[3];

    for (unsigned with_body = 0; with_body < 2; with_body++) {
        for (unsigned way = 0; way < 2; way++) {
            calls_begin();
            if (way) {
                glaze_divert();
            }
            if (with_body) {
                udm_inject_body(udm_node(), copies, body, 12, 1, 2, 3);
            } else {
                udm_inject(udm_node(), copies, 1, 2, 3, 4, 5, 6, 7, 8);
            }
            UNTIL(calls == 1);
            expect_counts(way ? "by the buffer" : "from the network",
                          way ? "request 1 inserted 1" : "");
            if (!way) {
                memcpy(fast, words, sizeof(fast));
            }
        }
        check("a buffered record is the NI's, word for word",
              memcmp(fast, words, sizeof(fast)), 0);
    }
    check("with its flag", words[FUGU_REC_AVAILABLE / 4], 1);
    check("its length", words[FUGU_REC_LENGTH / 4], 5);
    check("its body's length", words[FUGU_REC_BODY / 4], 12);

    udm_beginatom();
    copy_record();
    check("without a message the NI's record is zero", sum_of_words(), 0);
    glaze_divert();
    copy_record();
    check("and so is the empty one", sum_of_words(), 0);
    udm_endatom();
    expect_counts("which ended buffered mode", "request 1");
}

/*
 * Long messages, then short ones at the same places in the buffer: words
 * beyond a message's end must read 0.
 */
static void test_beyond(void)
{
    uint32_t wrong = 0;

    udm_beginatom();
    glaze_divert();
    for (unsigned i = 0; i < 3; i++) {
        uint32_t start = inserted();

        udm_inject(udm_node(), copies, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                   -1, -1, -1, -1);
        UNTIL(inserted() == start + 1);
    }
    udm_dispose();
    udm_dispose();
    udm_dispose();
    glaze_divert();
    fill(copies, 3);
    for (unsigned i = 0; i < 3; i++) {
        copy_record();
        wrong += words[2] != i;
        for (unsigned k = 3; k < FUGU_MSG_WORDS; k++) {
            wrong += words[k];
        }
        udm_dispose();
    }
    udm_endatom();
    check("words beyond a buffered message's end are 0", wrong, 0);
}

void record_cases(void)
{
    test_where();
    test_contents();
    test_beyond();
}
