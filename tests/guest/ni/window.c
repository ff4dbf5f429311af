/*
 * The output windows: how a message is described.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "message.h"

static uint32_t node;

/* The user's and the kernel's window follow the same rules. */
struct window {
    const char *name;
    uint32_t out, length;               /* addresses */
};

static const struct window windows[] = {
    { "user window", FUGU_NI_USER_BASE + FUGU_U_OUT,
      FUGU_NI_USER_BASE + FUGU_U_DESC_LEN },
    { "kernel window", FUGU_NI_KERNEL_BASE + FUGU_K_OUT,
      FUGU_NI_KERNEL_BASE + FUGU_K_DESC_LEN },
};

static void store(const struct window *w, unsigned k, uint32_t word)
{
    REG(w->out + 4 * k) = word;
}

static uint32_t load(const struct window *w, unsigned k)
{
    return REG(w->out + 4 * k);
}

static void check_describe(const struct window *w)
{
    bool zeros = true;

    check("nothing is described at first", REG(w->length), 0);
    store(w, 0, node);
    check("a store at word 0 describes one word", REG(w->length), 1);
    store(w, 5, 0x55);
    check("descriptor-length is the highest word stored plus 1",
          REG(w->length), 6);
    for (unsigned k = 1; k < 5; k++) {
        zeros &= load(w, k) == 0;
    }
    check("a store beyond it fills the gap with zeros", zeros, true);
    store(w, 2, 0x22);
    check("a store below it changes the word alone", REG(w->length), 6);
    check("which reads back", load(w, 2), 0x22);
    zeros = true;
    for (unsigned k = 6; k < FUGU_MSG_WORDS; k++) {
        zeros &= load(w, k) == 0;
    }
    check("words at and beyond it read 0", zeros, true);
    store(w, FUGU_MSG_WORDS - 1, 0xff);
    check("the last word describes sixteen", REG(w->length), 16);
}

/*
 * Zeros must fill the gap, not words of an earlier message: those would leak
 * from the process.
 */
static void check_stale_words(void)
{
    bool zeros = true;

    ni_fresh();
    for (unsigned k = 0; k < FUGU_MSG_WORDS; k++) {
        ni_kernel_out(k, k ? 0xdeadbeef : node);
    }
    ni_launch(FUGU_MSG_WORDS);
    check("launch empties the descriptor", NI_K(FUGU_K_DESC_LEN), 0);
    check("then its words read 0", NI_K(FUGU_K_OUT + 4), 0);
    ni_kernel_out(0, node);
    ni_kernel_out(4, 4);
    ni_launch(5);
    settle();
    ni_dispose();
    for (unsigned k = 1; k < 4; k++) {
        zeros &= ni_in(k) == 0;
    }
    check_true("stale words never leave", zeros);
    check("words that were stored do", ni_in(4), 4);
    drain();
}

/* After a launch the window can be used at once. */
static void check_committed(void)
{
    ni_fresh();
    message_send(node, 1, 3);
    ni_kernel_out(0, node);
    ni_kernel_out(1, 0x77);
    settle();
    check("a store behind the launch does not reach the message", ni_in(1),
          message_word(1, 1));
    ni_launch(2);
    settle();
    ni_dispose();
    check("but the next one", ni_in(1), 0x77);
    drain();
}

/* launch N may omit words at the end of the description; they are discarded. */
static void check_shorter(void)
{
    ni_fresh();
    ni_kernel_out(0, node);
    ni_kernel_out(1, 1);
    ni_kernel_out(2, 2);
    ni_launch(2);
    settle();
    check("launch N sends N words", ni_length(), 2);
    check("the next word of the record reads 0", ni_in(2), 0);
    check("and the rest is not described any more", NI_K(FUGU_K_DESC_LEN), 0);
    drain();
}

/* The two windows do not affect each other. */
static void check_apart(void)
{
    ni_fresh();
    ni_out(0, node);
    ni_out(2, 0x1234);
    message_send(node, 1, 5);
    settle();
    check("the kernel's launch takes the kernel's words", ni_length(), 5);
    check("and leaves the user's", ni_descriptor_length(), 3);
    check("as they were", ni_out_read(2), 0x1234);
    drain();
}

/* The kernel can read and write the user's descriptor, without ever waiting. */
static void check_user_descriptor(void)
{
    uint32_t saved[FUGU_MSG_WORDS], length;

    ni_fresh();
    ni_out(0, node);
    ni_out(3, 0x33);
    length = NI_K(FUGU_K_USER_LEN);
    check("the kernel sees the user's descriptor-length", length, 4);
    for (unsigned k = 0; k < length; k++) {
        saved[k] = NI_K(FUGU_K_USER_OUT + 4 * k);
    }
    check("and the words", saved[3], 0x33);

    NI_K(FUGU_K_USER_LEN) = 0;
    check("unloaded, nothing is described", ni_descriptor_length(), 0);
    check("and the words read 0", ni_out_read(3), 0);

    for (unsigned k = 0; k < length; k++) {
        NI_K(FUGU_K_USER_OUT + 4 * k) = saved[k];
    }
    NI_K(FUGU_K_USER_LEN) = length;
    check("reloaded, it is described again", ni_descriptor_length(), 4);
    check("with its words", ni_out_read(3), 0x33);
    check("and its gap", ni_out_read(2), 0);
}

int main(void)
{
    node = ni_node();
    for (unsigned i = 0; i < 2; i++) {
        ni_fresh();
        check_group(windows[i].name);
        check_describe(&windows[i]);
    }
    check_group(NULL);
    check_stale_words();
    check_committed();
    check_shorter();
    check_apart();
    check_user_descriptor();
    return check_result();
}
