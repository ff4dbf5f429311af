/*
 * The M-Machine's message interface (--ni m-machine): bodies of each length, from
 * integer and from floating-point registers, and their Ack bits, on the bare machine.
 * Each node sends to itself.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "cycles.h"
#include "slots.h"
#include "trap.h"

#define ACK             3
#define TT_FP_DISABLED  0x04

struct message {
    uint32_t dest, handler;
    uint32_t word[FUGU_MM_BODY_MAX];
} __attribute__((aligned(8)));

/* bodies_code.S: routines of 64 bytes, one for each length. */
void slot_code(void);
void store_handler(void);
extern const char from_integers[], from_floats[], timed[];
void float_send(struct message *m);
void await_ack(void);

/* What store_handler leaves. */
static struct {
    volatile uint32_t word[FUGU_MM_BODY_MAX + 1];
    volatile uint32_t done;
} area __attribute__((aligned(8)));

static struct message message;

static void prepare(void)
{
    message.dest = at(NI_U(FUGU_U_NODE), 0);
    message.handler = 0;
    for (unsigned i = 0; i < FUGU_MM_BODY_MAX; i++) {
        message.word[i] = 0x3f800000 + 0x01010101 * i;
        area.word[i] = ~0u;
    }
    area.word[FUGU_MM_BODY_MAX] = ~0u;
    area.done = 0;
}

/* Whether the Ack bit is valid, as a program reads it. */
static bool is_acked(void)
{
    return NI_U(FUGU_U_MM_ACK) >> ACK & 1;
}

static void check_body(const char *routines, unsigned length)
{
    void (*send)(struct message *) =
        (void (*)(struct message *))(uintptr_t)(routines + 64 * length);

    prepare();
    send(&message);
    await_ack();
    check_quietly("acked", is_acked(), true);
    while (!area.done) {
    }
    for (unsigned i = 0; i <= FUGU_MM_BODY_MAX; i++) {
        check_quietly("a word", area.word[i],
                      i < length ? message.word[i] : 0);
    }
}

/* The network takes a word a cycle, and AWAIT ends in the cycle after the last, unless
 * that is its own. The second turn has its code in the cache. */
static void check_ack(unsigned length)
{
    uint32_t (*send)(struct message *) =
        (uint32_t (*)(struct message *))(uintptr_t)(timed + 64 * length);
    uint32_t took = 0;

    for (unsigned turn = 0; turn < 2; turn++) {
        prepare();
        took = send(&message);
        while (!area.done) {
        }
    }
    check_quietly("cycles until the Ack", took,
                  1 + (length > 1 ? length : 0) + 1 + CYCLES_READ);
}

int main(void)
{
    pil_set(PIL_ALL);
    set_segment(0, &area);
    set_handler(0, store_handler, sizeof(area));
    start_slot(0, slot_code);

    check("all Ack bits are valid at first", NI_U(FUGU_U_MM_ACK), 0xffff);
    for (unsigned length = 0; length <= FUGU_MM_BODY_MAX; length++) {
        check_body(from_integers, length);
    }
    check_sum("bodies from integer registers");
    for (unsigned length = 0; length <= FUGU_MM_BODY_MAX; length++) {
        check_ack(length);
    }
    check_sum("Acks a cycle for each word later");

    prepare();
    psr_write(psr_read() & ~PSR_EF);
    check("not from an FPU that is off", RUN(KERNEL, float_send, &message, PIL_ALL),
          TT_FP_DISABLED);
    psr_write(psr_read() | PSR_EF);
    for (unsigned length = 0; length <= FUGU_MM_BODY_MAX; length++) {
        check_body(from_floats, length);
    }
    check_sum("bodies from floating-point registers");
    check("no slot is at fault", NI_K(FUGU_K_PENDING), 0);
    return check_result();
}
