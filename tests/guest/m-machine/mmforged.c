/*
 * The M-Machine's message interface (--ni m-machine): SENDs with forged operands, by
 * users, on the bare machine. Each traps at its sender, and no message comes anywhere.
 *
 * Arguments: times=N: so many of them on each node, 10,000 by default.
 *
 * Prints one line per check of each node; the exit status is the number of failed
 * checks.
 */
#include "check.h"
#include "cycles.h"
#include "random.h"
#include "slots.h"
#include "trap.h"

#define VIOLATION   FUGU_TT_PROTECTION_VIOLATION
#define MISS        FUGU_TT_MM_MISS
#define SIZE        (1u << WINDOW_LOG)
#define EXTENT      64
#define HANDLER     3           /* the index that is entered */
#define OWN_GID     7
#define END         40000000    /* cycle at which all nodes have sent all */

struct forgery {
    uint32_t dest, handler;     /* as send_of() loads them */
    unsigned length;
    unsigned trap;              /* that it takes */
};

/* mmforged_code.S: routines of 16 bytes, one for each length. */
void slot_code(void);
void counting_handler(void);
extern const char send_of[];

volatile uint32_t messages;

static uint32_t state, nodes;

static uint32_t below(uint32_t end)
{
    return random_next(&state) % end;
}

/* A SEND that nothing is wrong with, but for one thing. */
static void forge(struct forgery *f)
{
    f->dest = at(below(nodes), below(SIZE - EXTENT + 1));
    f->handler = HANDLER;
    f->length = below(FUGU_MM_BODY_MAX + 1);
    switch (below(5)) {
    case 0:                             /* beside the window */
        f->dest = below(2) ? WINDOW - 1 - below(WINDOW)
                           : at(nodes, 0) + below(0x80000000);
        f->trap = MISS;
        break;
    case 1:                             /* another handler, or its address */
        do {
            f->handler = below(2) ? below(16) : random_next(&state);
        } while (f->handler == HANDLER);
        f->trap = MISS;
        break;
    case 2:                             /* the end of the node's part */
        f->dest = at(below(nodes), SIZE - 1 - below(EXTENT - 1));
        f->trap = VIOLATION;
        break;
    case 3:                             /* too many words */
        f->length = FUGU_MM_BODY_MAX + 1 + below(5);
        f->trap = VIOLATION;
        break;
    case 4:                             /* both */
        f->dest = WINDOW - 1 - below(WINDOW);
        f->length = FUGU_MM_BODY_MAX + 1 + below(5);
        f->trap = VIOLATION;
        break;
    }
}

static void check_forgery(void)
{
    static struct forgery f __attribute__((aligned(8)));

    forge(&f);
    check_quietly("the trap", RUN(USER, send_of + 16 * f.length, &f, PIL_ALL),
                  f.trap);
    check_quietly("DestAddr", NI_K(FUGU_K_MM_MISS_DEST), f.dest);
    check_quietly("HandlerIP", NI_K(FUGU_K_MM_MISS_IP), f.handler);
    check_quietly("the address of the SEND", caught.pc,
                  (uint32_t)(uintptr_t)send_of + 16 * f.length + 8);
}

/* One that is right comes to its node: the counts are not 0 for want of a handler. */
static void check_right(void)
{
    static struct forgery f __attribute__((aligned(8)));

    f.dest = at(NI_U(FUGU_U_NODE), SIZE - EXTENT);
    f.handler = HANDLER;
    check("a SEND that is right", RUN(USER, send_of, &f, PIL_ALL), 0);
    while (cycles32() < END + 100000) {
    }
    check("comes", messages, 1);
}

int main(void)
{
    uint32_t times = argument("times", 10000);

    pil_set(PIL_ALL);
    nodes = NI_U(FUGU_U_NODES);
    state = random_stream(2, NI_U(FUGU_U_NODE), 0, 0);
    NI_K(FUGU_K_GID) = OWN_GID;
    set_segment_of(0, OWN_GID, 0);
    set_handler_of(HANDLER, OWN_GID, counting_handler, EXTENT);
    set_segment_of(1, OWN_GID + 1, 0);  /* another's, as large */
    for (unsigned i = 4; i < 16; i++) {
        set_handler_of(i, OWN_GID + 1, counting_handler, 0);
    }
    start_slot(0, slot_code);
    start_slot(1, slot_code);
    for (uint32_t i = 0; i < times; i++) {
        check_forgery();
    }
    check_sum("each traps at its sender");
    check_true("in time", cycles32() < END);
    while (cycles32() < END) {
    }
    check("no message comes", messages, 0);
    check("nor is one in a queue",
          NI_K(FUGU_K_MM_WORDS) + NI_K(FUGU_K_MM_WORDS + 4), 0);
    check("all space is there", NI_K(FUGU_K_MM_SPACE), 32);
    check_right();
    return check_result();
}
