/*
 * The M-Machine's message interface (--ni m-machine) with a queue that has room for one
 * message of each priority, and messages that wait for it, on the bare machine. Each
 * node sends to itself. Who takes the last word of a message does so at all places of
 * a round.
 *
 * Argument: word=CYCLES: that of --mesh-word, if it is not the default. It wants
 * --input-queue 26 --source-space 60.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "pass.h"
#include "slots.h"
#include "trap.h"

#define MESSAGES        4
#define WORDS           4               /* of a body */
#define LENGTH          (FUGU_MM_HEAD + WORDS)
#define TURNS           300
#define CLOCK           40              /* cycles since the last word was read, at most */
#define LARGE           65536           /* words: four times the cache */

/* crowded_code.S, polled_code.S */
void slot_code(void);
void loading_handler(void);
void send_four(uint32_t dest, uint32_t handler, const uint32_t *words);

static uint32_t area[2] __attribute__((aligned(8)));
static uint32_t large[LARGE];
static uint32_t body[WORDS] __attribute__((aligned(8))) = { 11, 22, 33, 44 };

/* Sends messages whose last words are addresses that are not in the cache. */
static void send_all(void)
{
    static uint32_t next;

    for (unsigned i = 0; i < MESSAGES; i++) {
        next = (next + 1025 * 8) % LARGE;
        body[WORDS - 1] = (uint32_t)(uintptr_t)&large[next];
        send_four(at(NI_U(FUGU_U_NODE), 0), 0, body);
    }
}

/* The slot begins when all messages are there: one has entered. */
static void check_slot(unsigned priority, uint32_t word, unsigned turn)
{
    uint32_t left = NI_K(FUGU_K_MM_LEFT + 4 * priority);

    send_all();
    pass(250 * word + turn * 7);
    start_slot(priority, slot_code);
    pass(1000 * word + 1000);
    NI_K(FUGU_K_MM_STATE + 4 * priority) = FUGU_MM_SLOT_OFF;
    check_quietly("messages that a slot has taken",
                  NI_K(FUGU_K_MM_LEFT + 4 * priority) - left, MESSAGES);
}

/* The main context reads. What has waited comes at the pace of the link. */
static void check_registers(unsigned priority, uint32_t word, unsigned turn)
{
    uint32_t then = 0;

    send_all();
    pass(250 * word + turn * 5);
    for (unsigned n = 0; n < MESSAGES; n++) {
        while (!NI_K(FUGU_K_MM_HEAD + 4 * priority)) {
        }
        (void)NI_K(FUGU_K_MM_BODY + 4 * priority);
        for (unsigned i = 0; i < WORDS; i++) {
            (void)NI_K(FUGU_K_MM_BODY + 4 * priority);
        }
        check_quietly("the pace of the link",
                      n < 2 || cycles32() - then + CLOCK >= (LENGTH - 1) * word,
                      true);
        then = cycles32();
    }
}

int main(void)
{
    uint32_t word = argument("word", 4);

    pil_set(PIL_ALL);
    set_segment(0, area);
    set_handler(0, loading_handler, 0);
    for (unsigned priority = 0; priority < FUGU_MM_PRIORITIES; priority++) {
        NI_K(FUGU_K_MM_PRIORITY) = priority;
        for (unsigned turn = 0; turn < TURNS; turn++) {
            check_slot(priority, word, turn);
        }
        check_sum("a slot takes messages that have waited");
        for (unsigned turn = 0; turn < TURNS; turn++) {
            check_registers(priority, word, turn);
        }
        check_sum("the main context takes messages that have waited");
    }
    return check_result();
}
