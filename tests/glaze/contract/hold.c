/*
 * contract hold: suspended atomic sections. First the system calls with which a
 * library leaves a thread with an open section, then the library's threads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"

#define EINVAL 22

static struct state s[12];
static uint32_t word[4];

/* ---- By the system call -------------------------------------------------- */

static void test_one(void)
{
    calls_begin();
    UDM_BEGINATOM(FUGU_UAC_USER);
    word[0] = glaze_suspend();
    look(&s[0]);
    udm_inject(udm_node(), looks, 3);
    UNTIL(inserted_since() == 1);
    look(&s[1]);
    check("no handler starts", calls, 0);
    udm_beginatom();
    look(&s[2]);
    udm_endatom();
    look(&s[3]);
    glaze_resume(word[0]);
    look(&s[4]);
    word[1] = udm_arg(0);
    udm_dispose();
    look(&s[5]);
    udm_endatom();
    look(&s[6]);
    check("the word: what was open, and whose turn it is", word[0],
          FUGU_UAC_USER | GLAZE_HOLD_READER);
    expect("another thread goes on outside of it", &s[0], "- empty buffered 1");
    expect("with a message as well", &s[1], "- empty buffered 1");
    expect("in a section of its own", &s[2], "i empty buffered 1");
    expect("and behind that: none leaves buffered mode", &s[3],
           "- empty buffered 1");
    expect("the suspended one goes on, and finds the message", &s[4],
           "ite head buffered");
    check("it is the same", word[1], 3);
    expect("and leaves buffered mode", &s[5], "it ni fast");
    expect("and its section", &s[6], "- ni fast");
    expect_counts("hold", "hold 1 inserted 1");
    check("no handler has started", calls, 0);
}

static void test_handled_behind(void)
{
    calls_begin();
    udm_beginatom();
    word[0] = glaze_suspend();
    udm_inject(udm_node(), looks, 4);
    udm_inject(udm_node(), looks, 5);
    UNTIL(inserted_since() == 2);
    glaze_resume(word[0]);
    look(&s[0]);
    check("no handler before the section's end", calls, 0);
    udm_endatom();
    look(&s[1]);
    check("but then", calls, 2);
    check("in order", argument[0] << 8 | argument[1], 0x405);
    expect("a section that comes back", &s[0], "ie head buffered");
    expect("and ends", &s[1], "- ni fast");
}

/* A message is already at the NI: the kernel moves it when the section is
 * suspended. */
static void test_moved(void)
{
    calls_begin();
    udm_beginatom();
    udm_inject(udm_node(), looks, 6);
    UNTIL(udm_available());
    word[0] = glaze_suspend();
    expect_counts("a message that waits is moved before its thread goes",
                  "hold 1 inserted 1");
    glaze_resume(word[0]);
    word[1] = udm_arg(0);
    udm_dispose();
    udm_endatom();
    check("and found again", word[1], 6);
    check("by its thread", calls, 0);
}

/*
 * Two sections are suspended. The first thread was reading messages, so only
 * this thread sees them.
 */
static void test_two(void)
{
    calls_begin();
    udm_beginatom();                    /* section A */
    udm_inject(udm_node(), looks, 7);
    UNTIL(udm_available());
    word[0] = glaze_suspend();
    udm_beginatom();                    /* section B */
    look(&s[0]);
    word[1] = glaze_suspend();
    look(&s[1]);
    glaze_resume(word[1]);              /* B, which is not the reader */
    look(&s[2]);
    word[1] = glaze_suspend();
    glaze_resume(word[0]);              /* A, which is the reader */
    look(&s[3]);
    word[2] = udm_arg(0);
    udm_dispose();
    look(&s[4]);
    udm_endatom();
    look(&s[5]);
    glaze_resume(word[1]);              /* B again */
    look(&s[6]);
    udm_endatom();
    look(&s[7]);
    check("the one that was reading", word[0],
          FUGU_UAC_INTERRUPT_DISABLE | GLAZE_HOLD_READER);
    check("and the other", word[1], FUGU_UAC_INTERRUPT_DISABLE);
    expect("sees no message", &s[0], "i empty buffered 1");
    expect("both are suspended", &s[1], "- empty buffered 2");
    expect("it comes back first, and sees none still", &s[2],
           "ie empty buffered 1");
    expect("the first one does", &s[3], "ie head buffered 1");
    check("it is the same", word[2], 7);
    expect("it was the last one, but the other's section is suspended", &s[4],
           "ie empty buffered 1");
    expect("nor at the section's end", &s[5], "- empty buffered 1");
    expect("the other is back", &s[6], "ie empty buffered");
    expect("and ends", &s[7], "- ni fast");
    expect_counts("hold", "hold 1 inserted 1");
    check("no handler has started", calls, 0);
}

/* The reader has ended its section: the next thread whose section is resumed
 * becomes the reader. */
static void test_turn_goes_on(void)
{
    calls_begin();
    udm_beginatom();                    /* section A, the reader */
    word[0] = glaze_suspend();
    udm_beginatom();                    /* section B */
    word[1] = glaze_suspend();
    udm_beginatom();                    /* section C */
    word[2] = glaze_suspend();
    look(&s[0]);
    glaze_resume(word[0]);
    udm_endatom();                      /* A has ended */
    look(&s[1]);
    udm_inject(udm_node(), looks, 8);
    UNTIL(inserted_since() == 1);
    look(&s[2]);
    glaze_resume(word[1]);              /* B is the reader now */
    look(&s[3]);
    word[1] = glaze_suspend();          /* and stays the reader */
    glaze_resume(word[2]);
    look(&s[4]);
    udm_endatom();
    look(&s[5]);
    check("no handler yet", calls, 0);
    glaze_resume(word[1]);
    look(&s[6]);
    udm_endatom();
    look(&s[7]);
    expect("three are suspended", &s[0], "- empty buffered 3");
    expect("two", &s[1], "- empty buffered 2");
    expect("a message comes", &s[2], "- empty buffered 2");
    expect("the next one that comes back reads it", &s[3],
           "ie head buffered 1");
    check("and says so", word[1],
          FUGU_UAC_INTERRUPT_DISABLE | GLAZE_HOLD_READER);
    expect("a third one does not", &s[4], "ie empty buffered 1");
    expect("it ends", &s[5], "- empty buffered 1");
    expect("the last section", &s[6], "ie head buffered");
    check("ends, and the handler runs", calls, 1);
    expect("in fast mode", &s[7], "- ni fast");
}

static void suspends(void)
{
    look(&s[0]);
    word[0] = glaze_suspend();
    look(&s[1]);
    glaze_resume(word[0]);
    look(&s[2]);
    word[1] = udm_arg(0);
    udm_dispose();
    look(&s[3]);
    calls++;
}

static void test_dispose_pending(void)
{
    calls_begin();
    udm_inject(udm_node(), suspends, 9);
    UNTIL(calls == 1);
    expect("a handler", &s[0], "itd ni fast");
    expect("is left before it has disposed", &s[1], "- empty buffered 1");
    expect("and still has to", &s[2], "itde head buffered");
    check("of the same message", word[1], 9);
    expect("and has", &s[3], "it ni fast");
}

static void test_errors(void)
{
    check("nothing is suspended", glaze_call(GLAZE_HOLD, 0, 0, 0), -EINVAL);
    udm_beginatom();
    word[0] = glaze_suspend();
    check("no such word", glaze_call(GLAZE_HOLD, 0, 0x20, 0), -EINVAL);
    check("no such form", glaze_call(GLAZE_HOLD, 2, 0, 0), -EINVAL);
    glaze_resume(word[0]);
    udm_endatom();
    check("and all is well", buffered(), false);
}

/* ---- By the library's threads -------------------------------------------- */

static udm_thread_t *main_thread;

static void *other(void *unused)
{
    look(&s[0]);
    udm_beginatom();
    look(&s[1]);
    udm_endatom();
    look(&s[2]);
    udm_inject(udm_node(), looks, 1);
    UNTIL(inserted_since() == 1);
    spin(1000);
    look(&s[3]);
    udm_thread_wake(main_thread);
    return unused;
}

static void test_threads(void)
{
    udm_thread_t *thread = udm_thread_create(other, NULL, UDM_NORMAL);

    main_thread = udm_thread_self();
    calls_begin();
    UDM_BEGINATOM(FUGU_UAC_USER);
    udm_thread_block();                 /* the thread keeps its section */
    look(&s[4]);
    udm_dispose();
    look(&s[5]);
    udm_endatom();
    look(&s[6]);
    udm_thread_join(thread);
    expect("UAC is a thread's own: another one begins outside", &s[0],
           "- empty buffered 1");
    expect("with sections of its own", &s[1], "i empty buffered 1");
    expect("which end", &s[2], "- empty buffered 1");
    expect("and no handler", &s[3], "- empty buffered 1");
    expect("the first one has what it had", &s[4], "ite head buffered");
    expect("until it is over", &s[5], "it ni fast");
    expect("in fast mode", &s[6], "- ni fast");
    check("no handler has started", calls, 0);
}

void hold_cases(void)
{
    test_one();
    test_handled_behind();
    test_moved();
    test_two();
    test_turn_goes_on();
    test_dispose_pending();
    test_errors();
    test_threads();
}
