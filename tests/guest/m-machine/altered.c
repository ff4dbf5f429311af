/*
 * Runs handlers that tests/certify has put into its text, on the bare machine with
 * --ni m-machine: each with messages and memory that are given. Prints for each what
 * has become of the slot, a sum of the memory, and the cycles of the slot.
 *
 *   trials=N    how many (default 0)
 */
#include "altered.h"
#include "check.h"
#include "console.h"
#include "machine.h"
#include "slots.h"
#include "trap.h"

#define LONG            100             /* waits for a handler to end: turns */

struct trial {
    uint32_t slot;              /* of the code */
    uint32_t extent;
    uint32_t dest;              /* offset of DestAddr in the area */
    uint32_t seed;              /* of the memory */
    uint32_t words;             /* of the body */
    uint32_t unused;
    uint32_t body[10];
};

/* altered_code.S, and handlers.S of tests/certify */
extern const volatile struct trial trials[ALTERED_TRIALS];
extern const uint32_t code_slots[ALTERED_SLOTS][ALTERED_WORDS];
extern volatile uint32_t area[ALTERED_AREA], own_ring[ALTERED_RING];
void slot_code(void);
void null(void);
void send_0(const volatile struct trial *t, uint32_t dest, uint32_t handler);

typedef void send_fn(const volatile struct trial *, uint32_t, uint32_t);

/* Word `i` of the memory: 0, small numbers and others. */
static uint32_t word(uint32_t seed, uint32_t i)
{
    static const uint32_t usual[] = { 0, 1, 7, 0xffffffff };
    uint32_t x = seed ^ i * 0x9e3779b1u;

    x ^= x >> 15;
    x *= 0x2c1b3c6d;
    x ^= x >> 12;
    return (x & 7) < 4 ? usual[x & 3] : x;
}

static void fill(uint32_t seed)
{
    for (uint32_t i = 0; i < ALTERED_AREA; i++) {
        area[i] = word(seed, i);
    }
    for (uint32_t i = 0; i < ALTERED_RING; i++) {
        own_ring[i] = word(seed, ALTERED_AREA + i);
    }
}

static uint32_t sum(void)
{
    uint32_t x = 0;

    for (uint32_t i = 0; i < ALTERED_AREA; i++) {
        x = (x ^ area[i]) * 0x01000193;
    }
    for (uint32_t i = 0; i < ALTERED_RING; i++) {
        x = (x ^ own_ring[i]) * 0x01000193;
    }
    return x;
}

static uint32_t busy(void)
{
    return NI_K(FUGU_K_MM_BUSY + 4);
}

/* Waits until the slot of priority 0 does nothing. Returns whether it has ended. */
static int wait(void)
{
    for (int i = 0; i < LONG; i++) {
        uint32_t before = busy();

        for (int n = 0; n < 200; n++) {
            asm volatile ("nop");
        }
        if (busy() == before) {
            return 1;
        }
    }
    return 0;
}

static void try(unsigned number)
{
    const volatile struct trial *t = &trials[number];
    send_fn *send = (send_fn *)((uintptr_t)send_0 + 64 * t->words);
    uint32_t before, state;

    fill(t->seed);
    set_handler(1, (void (*)(void))(uintptr_t)code_slots[t->slot], t->extent);
    before = busy();
    send(t, at(0, t->dest), 1);
    if (!wait()) {
        panic("trial %u does not end", number);
    }
    state = NI_K(FUGU_K_MM_STATE);
    printf("trial %u: %u, %x, %u cycles\n", number, state, sum(), busy() - before);
    if (state != FUGU_MM_SLOT_ON) {
        start_slot(0, slot_code);
        wait();
    }
}

int main(void)
{
    unsigned count = argument("trials", 0);

    pil_set(PIL_ALL);
    set_segment(0, area);
    set_handler(0, null, 0);
    start_slot(0, slot_code);
    start_slot(1, slot_code);
    for (unsigned i = 0; i < count; i++) {
        try(i);
    }
    return check_result();
}
