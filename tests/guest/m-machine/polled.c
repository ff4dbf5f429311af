/*
 * The M-Machine's message interface (--ni m-machine) without slots: the main context
 * reads messages by registers, and waits for slots that stop, on the bare machine. Each
 * node sends to itself.
 *
 * Argument: word=CYCLES: that of --mesh-word, if it is not the default.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "cycles.h"
#include "slots.h"
#include "trap.h"

#define WORDS           4               /* of a body */
#define TT_ILLEGAL      0x02

/* polled_code.S */
void send_four(uint32_t dest, uint32_t handler, const uint32_t *words);
void stopping_code(void);

static uint32_t area[2] __attribute__((aligned(8)));

static void nobody(void)
{
}

static uint32_t load_head(unsigned priority)
{
    return NI_K(FUGU_K_MM_HEAD + 4 * priority);
}

static uint32_t load_body(unsigned priority)
{
    return NI_K(FUGU_K_MM_BODY + 4 * priority);
}

static const uint32_t body[WORDS] __attribute__((aligned(8))) = {
    11, 22, 33, 44
};

/* Two messages: if the queue has room for one, the other one enters it when the load
 * of the last word of the first ends. */
static void check_two(unsigned priority)
{
    NI_K(FUGU_K_MM_PRIORITY) = priority;
    send_four(at(NI_U(FUGU_U_NODE), 0), 0, body);
    send_four(at(NI_U(FUGU_U_NODE), 0), 0, body);
    for (unsigned n = 0; n < 2; n++) {
        while (!load_head(priority)) {
        }
        (void)load_body(priority);
        for (unsigned i = 0; i < WORDS; i++) {
            check_quietly("a word of two messages", load_body(priority), body[i]);
        }
    }
}

/* Reads a message of @words words, the rest of which is lost. */
static void check_message(unsigned priority, unsigned words, uint32_t word)
{
    uint32_t left = NI_K(FUGU_K_MM_LEFT + 4 * priority), head, first, then = 0;
    uint32_t space = NI_K(FUGU_K_MM_SPACE + 4 * priority);

    NI_K(FUGU_K_MM_PRIORITY) = priority;
    send_four(at(NI_U(FUGU_U_NODE), 0), 0, body);
    while (!(head = load_head(priority))) {
    }
    check_quietly("the handler", head, (uint32_t)(uintptr_t)nobody);
    first = load_body(priority);
    check_quietly("DestAddr", first, (uint32_t)(uintptr_t)area);
    for (unsigned i = 0; i < words; i++) {
        uint32_t now;

        check_quietly("a word", load_body(priority), i < WORDS ? body[i] : 0);
        now = cycles32();
        if (i > 0 && i < WORDS) {
            /* Not before it has come: one word after the other. */
            check_quietly("its time", now - then >= word, true);
        }
        then = now;
    }
    check_quietly("null beyond the tail", words < WORDS || !load_body(priority),
                  true);
    if (words < WORDS) {
        check_quietly("no other message", load_head(priority), 0);
    }
    while (NI_K(FUGU_K_MM_LEFT + 4 * priority) == left) {
    }
    check_quietly("one message has left",
                  NI_K(FUGU_K_MM_LEFT + 4 * priority) - left, 1);
    while (NI_K(FUGU_K_MM_SPACE + 4 * priority) != space) {
    }
}

/* A slot that stops while the main context waits wakes it. */
static void check_stop(unsigned priority)
{
    start_slot(priority, stopping_code);
    cpu_wait();
    check("a slot that stops ends a wait",
          NI_K(FUGU_K_MM_STATE + 4 * priority), FUGU_MM_SLOT_FAULT);
    check("with its trap", NI_K(FUGU_K_MM_FAULT + 4 * priority), TT_ILLEGAL);
    NI_K(FUGU_K_MM_STATE + 4 * priority) = FUGU_MM_SLOT_OFF;
}

int main(void)
{
    uint32_t word = argument("word", 4);

    pil_set(PIL_ALL);
    set_segment(0, area);
    set_handler(0, nobody, 0);
    for (unsigned priority = 0; priority < 2; priority++) {
        check_stop(priority);
        for (unsigned words = 0; words <= WORDS + 2; words++) {
            check_message(priority, words, word);
        }
        check_two(priority);
        check_sum("words that are read by registers");
    }
    return check_result();
}
