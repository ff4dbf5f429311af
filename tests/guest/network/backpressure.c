/*
 * A receiver that stops listening: its queue fills, then the network, then
 * every sender waits. There are four nodes: 0 and 2 send to 1, which sleeps; 3
 * is a bystander, to which node 0 cannot send either.
 *
 * While node 1 sleeps no node can tell another what to do, so all nodes act by
 * the clock, which is the same for all.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "backpressure.h"
#include "check.h"
#include "contract.h"
#include "cycles.h"
#include "message.h"
#include "ops.h"
#include "stamp.h"
#include "trap.h"

/* The timetable: cycles at which each part begins. */
#define FIRST_FILLS     20000
#define SECOND_FILLS    200000
#define SLEEPER_WAKES   250000
#define ALL_DONE        300000

#define LONGEST         FUGU_MSG_WORDS
/* Longest messages that the queue, and then the network, can hold. */
#define QUEUE_MESSAGES  (INPUT_QUEUE / LONGEST)
#define SPACE_MESSAGES  (SOURCE_SPACE / LONGEST)

static uint32_t node, nodes;

/* ---- Node 0: fills the queue and the network ----------------------------- */

/* space-available shows at most a window's length. */
static uint32_t shown_space(uint32_t words)
{
    return words < LONGEST ? words : LONGEST;
}

/* Sends the n-th message of 16 words, and waits until all credits are back. */
static void fill(uint32_t n)
{
    message_send(SLEEPER, n, LONGEST);
    settle();
}

static void fill_up(void)
{
    const uint32_t all = QUEUE_MESSAGES + SPACE_MESSAGES;

    for (uint32_t n = 1; n < all; n++) {
        uint32_t stuck = n > QUEUE_MESSAGES ? n - QUEUE_MESSAGES : 0;

        fill(n);
        check_quietly("space-available while it fills", ni_kernel_space(),
                      shown_space(SOURCE_SPACE - stuck * LONGEST));
    }
    check_sum("a queue of 128 words, then 64 in the network");
    check("sixteen words of space are left", ni_space(), LONGEST);

    /* Space for a described message is reserved: the launch must not wait. */
    ni_out(LONGEST - 1, 0);
    check("the user's description takes them from the kernel",
          ni_kernel_space(), 0);
    check("but not from itself", ni_space(), LONGEST);
    NI_K(FUGU_K_USER_LEN) = 0;
    check("unloading it gives them back", ni_kernel_space(), LONGEST);
    ni_out(7, 0);
    check("it takes what it describes", ni_kernel_space(), LONGEST - 8);
    NI_K(FUGU_K_USER_LEN) = 0;

    fill(all);
    check("the last one takes them all", ni_kernel_space(), 0);
    check("for users too", ni_space(), 0);
}

/* ---- Node 0: waits, and is interrupted ----------------------------------- */

static void timer_in(uint32_t delay)
{
    REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + delay;
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
}

static void timer_off(void)
{
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;
}

/* Runs an instruction that must wait, until the cycle timer interrupts it. */
static void check_waits(const char *name, enum mode mode, void (*op)(void *),
                        uint32_t operand, uint32_t pc)
{
    uint32_t start = cycles32();

    timer_in(3000);
    check_quietly(name, RUN(mode, op, operand, PIL_NONE),
                  FUGU_TT_IRQ(FUGU_IRQ_TIMER));
    check_quietly(name, cycles32() - start >= 3000, true);
    timer_off();
    check_quietly(name, caught.pc, pc);
    check_sum(name);
}

static void check_stores_wait(void)
{
    struct op_store kernel = { FUGU_NI_KERNEL_BASE + FUGU_K_OUT, BYSTANDER };
    struct op_store user = { FUGU_NI_USER_BASE + FUGU_U_OUT, BYSTANDER };

    check_waits("a kernel's store waits, and is interrupted", KERNEL,
                op_store_value, (uint32_t)&kernel, PC(op_store_value_pc));
    check("it had no effect", NI_K(FUGU_K_DESC_LEN), 0);
    check_waits("a user's store waits, and is interrupted", USER,
                op_store_value, (uint32_t)&user, PC(op_store_value_pc));
    check("it had none either", ni_descriptor_length(), 0);
}

/* Returns the cycles that a waiting user gets before atomicity-timeout. */
static uint32_t timeout_after(uint32_t preset)
{
    struct op_store user = { FUGU_NI_USER_BASE + FUGU_U_OUT, BYSTANDER };
    uint32_t start;

    NI_K(FUGU_K_UAC) = 0;
    NI_K(FUGU_K_TIMEOUT) = preset;
    NI_K(FUGU_K_UAC) = FUGU_UAC_TIMER_FORCE;
    start = cycles32();
    check_quietly("timeout", RUN(USER, op_store_value, &user, PIL_NONE),
                  FUGU_TT_IRQ(FUGU_IRQ_TIMEOUT));
    check_quietly("timeout", caught.pc, PC(op_store_value_pc));
    return cycles32() - start;
}

static void check_waiting_is_user_time(void)
{
    uint32_t shorter;

    timeout_after(400);                         /* loads the cache */
    shorter = timeout_after(400);
    check("a user that waits spends user time: 100 cycles more",
          timeout_after(500) - shorter, 100);
    check_sum("atomicity-timeout comes at the store that waits");
    NI_K(FUGU_K_UAC) = 0;
    NI_K(FUGU_K_TIMEOUT) = 0;
}

/* A descriptor that was reloaded has no space reserved: its launch waits. */
static void check_reload(void)
{
    for (uint32_t k = 0; k < RELOADED_WORDS; k++) {
        NI_K(FUGU_K_USER_OUT + 4 * k) = k ? message_word(RELOADED_TAG, k)
                                          : SLEEPER;
    }
    NI_K(FUGU_K_USER_LEN) = RELOADED_WORDS;
    check("reloading does not wait", ni_descriptor_length(), RELOADED_WORDS);
    check_waits("but the launch does, and is interrupted", USER, op_launch,
                RELOADED_WORDS, PC(op_launch));
    check("nothing was sent", ni_descriptor_length(), RELOADED_WORDS);
}

/* ---- Node 0: space comes back -------------------------------------------- */

/*
 * Node 1 disposes of one message. The first waiting message then enters node
 * 1's queue, and the space comes back to that message's sender one credit
 * latency later.
 */
static void check_space_returns(void)
{
    uint32_t stored = stamp_store(FUGU_NI_KERNEL_BASE + FUGU_K_OUT +
                                  4 * (LONGEST - 1), 0);

    while (!ni_available()) {
        /* node 1 sends the time of its dispose */
    }
    check("space comes back one credit latency after the dispose",
          stored - STORE_CYCLES - ni_in(2),
          mesh_credit_latency(nodes, SLEEPER, node));
    ni_dispose();
    message_send(SLEEPER, QUEUE_MESSAGES + SPACE_MESSAGES + 1, LONGEST);
    check("the launch that was interrupted goes on",
          RUN(USER, op_launch, RELOADED_WORDS, PIL_ALL), 0);
    check("and sends", ni_descriptor_length(), 0);
}

static void first_sender(void)
{
    until(FIRST_FILLS);
    fill_up();
    check_stores_wait();
    check_waiting_is_user_time();
    check_reload();
    check_true("all that within the timetable", cycles32() < SECOND_FILLS);
    until(SLEEPER_WAKES - 1000);
    check_space_returns();
}

/* ---- Node 2: finds the queue full ---------------------------------------- */

static void second_sender(void)
{
    until(SECOND_FILLS);
    for (uint32_t n = 1; n <= SPACE_MESSAGES; n++) {
        check_quietly("space", ni_kernel_space(), LONGEST);
        message_send(SLEEPER, n, LONGEST);
        settle();
    }
    check_sum("another sender has 64 words of its own, and no more");
    check("then it is stopped as well", ni_kernel_space(), 0);
}

/* ---- All ----------------------------------------------------------------- */

int main(void)
{
    node = ni_node();
    nodes = ni_nodes();
    if (nodes != 4) {
        panic("backpressure wants four nodes");
    }
    if (node == 0) {
        first_sender();
    } else if (node == SLEEPER) {
        until(SLEEPER_WAKES);
        sleeper_wakes();
    } else if (node == 2) {
        second_sender();
    }
    until(ALL_DONE);
    check_quietly("all space is back", ni_kernel_space(), LONGEST);
    check_sum("all space comes back");
    return check_result();
}
