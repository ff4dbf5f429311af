/*
 * The M-Machine's message interface (--ni m-machine): the cycles of a message slot are
 * its message's GID's, on the bare machine. Each node sends to itself, as two GIDs.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "pass.h"
#include "slots.h"
#include "trap.h"

#define OWN         7                   /* GID of the main context */
#define GIDS        3                   /* messages are of 1 and 2 */
#define MESSAGES    4                   /* of each GID: 5 words each have room */
#define TURNS(gid)  (20 * (gid))        /* of their handlers' loops */

/* Cycles of such a handler: dispatch, two words, a loop of 3 cycles. */
#define COST(gid)   (3 + 2 + 3 * TURNS(gid))

/* metered_code.S */
void slot_code(void);
void looping_handler(void);
void send_one(uint32_t dest, uint32_t handler, uint32_t word);

struct counts {
    uint64_t clock;
    uint64_t own, cycles[GIDS], handling[GIDS];
};

static uint64_t meter(uint32_t gid, unsigned k)
{
    REG(FUGU_CONTROL_BASE + FUGU_CONTROL_GID) = gid;
    return REG64(FUGU_CONTROL_BASE + FUGU_CONTROL_METER + 8 * k);
}

static void read_all(struct counts *c)
{
    c->clock = cycles();
    c->own = meter(OWN, FUGU_METER_CYCLES);
    for (uint32_t gid = 1; gid < GIDS; gid++) {
        c->cycles[gid] = meter(gid, FUGU_METER_CYCLES);
        c->handling[gid] = meter(gid, FUGU_METER_HANDLING);
    }
}

static void send_all(void)
{
    for (uint32_t i = 0; i < MESSAGES; i++) {
        for (uint32_t gid = 1; gid < GIDS; gid++) {
            NI_K(FUGU_K_GID) = gid;
            send_one(at(NI_U(FUGU_U_NODE), 0), 0, TURNS(gid));
            pass(200);
        }
    }
    NI_K(FUGU_K_GID) = OWN;
}

static void check_counts(const struct counts *before, const struct counts *after)
{
    uint32_t all = 0;

    for (uint32_t gid = 1; gid < GIDS; gid++) {
        check_quietly("cycles of a handler",
                      after->cycles[gid] - before->cycles[gid],
                      MESSAGES * COST(gid));
        check_quietly("all in handlers",
                      after->handling[gid] - before->handling[gid],
                      MESSAGES * COST(gid));
        all += MESSAGES * COST(gid);
    }
    check_quietly("the others are the main context's",
                  after->own - before->own + all,
                  after->clock - before->clock);
}

/* Messages wait in the queue, and the slot takes one after the other. The first turn
 * warms the cache. */
static void check_waiting(unsigned priority, void (*rest)(uint32_t))
{
    struct counts before, after;

    NI_K(FUGU_K_MM_PRIORITY) = priority;
    for (unsigned turn = 0; turn < 3; turn++) {
        send_all();
        read_all(&before);
        start_slot(priority, slot_code);
        rest(3000);
        NI_K(FUGU_K_MM_STATE + 4 * priority) = FUGU_MM_SLOT_OFF;
        read_all(&after);
        if (turn) {
            check_counts(&before, &after);
        }
    }
    check_sum(rest == sleep ? "a main context that sleeps pays nothing"
                            : "a busy main context pays for itself");
}

int main(void)
{
    pil_set(PIL_ALL);
    for (uint32_t gid = 1; gid < GIDS; gid++) {
        set_segment_of(gid, gid, 0);
        NI_K(FUGU_K_MM_HANDLER) = gid;
        NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_PC) =
            (uint32_t)(uintptr_t)looping_handler;
        NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_EXTENT) = 0;
        NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_GID) = FUGU_MM_VALID | gid;
    }
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
    for (unsigned priority = 0; priority < FUGU_MM_PRIORITIES; priority++) {
        check_waiting(priority, sleep);
        check_waiting(priority, pass);
    }
    return check_result();
}
