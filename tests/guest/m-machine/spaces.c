/*
 * The M-Machine's message interface (--ni m-machine) with the MMU: a handler's memory is
 * that of its message's GID, from its first instruction on, and the main context's stays
 * what it is. On the bare machine. Each node sends to itself, as two GIDs in turns.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "mmu.h"
#include "slots.h"
#include "trap.h"

#define PAGE        4096
#define GIDS        2                   /* one for each context of the MMU */
#define TURNS       8                   /* messages that wait in the queue */
#define DATA        MMU_TEST_WINDOW
#define CODE        (MMU_TEST_WINDOW + PAGE)

enum { LOAD, OWN, MOVE, BRANCH, SWAP, LDSTUB, HANDLERS };

/* spaces_code.S: two pages with the same handlers, that leave another number each. */
void slot_code(void);
void load_handler(void);
void swap_handler(void);
void ldstub_handler(void);
extern const char code_pages[], own_handler[], move_handler[], branch_handler[];
void send_one(uint32_t dest, uint32_t handler, uint32_t word);

/* Three are used. With all of them, data go beyond the lines of the stack (link.ld). */
static uint32_t frames[12][PAGE / 4] __attribute__((aligned(PAGE)));
static volatile uint32_t results[TURNS] __attribute__((aligned(8)));

/* Handlers of the code page are at the same address in each context. */
static void set_handlers(uint32_t gid)
{
    const char *const paged[] = { own_handler, move_handler, branch_handler };

    for (unsigned i = OWN; i <= BRANCH; i++) {
        uint32_t pc = CODE + (paged[i - OWN] - code_pages);

        NI_K(FUGU_K_MM_HANDLER) = HANDLERS * gid + i;
        NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_PC) = pc;
        NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_EXTENT) = 4;
        NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_GID) =
            FUGU_MM_VALID | i << FUGU_MM_INDEX_SHIFT | gid;
    }
}

static void set_shared(uint32_t gid, uint32_t index, void (*handler)(void))
{
    NI_K(FUGU_K_MM_HANDLER) = HANDLERS * gid + index;
    NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_PC) = (uint32_t)(uintptr_t)handler;
    NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_EXTENT) = 4;
    NI_K(FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_GID) =
        FUGU_MM_VALID | index << FUGU_MM_INDEX_SHIFT | gid;
}

static void set_up(void)
{
    for (uint32_t gid = 0; gid < GIDS; gid++) {
        set_segment_of(gid, gid, results);
        set_handlers(gid);
        set_shared(gid, LOAD, load_handler);
        set_shared(gid, SWAP, swap_handler);
        set_shared(gid, LDSTUB, ldstub_handler);
        mmu_context(gid);
        mmu_map(DATA, (uint32_t)(uintptr_t)frames[gid], MMU_WRITE);
        mmu_map(CODE, (uint32_t)(uintptr_t)code_pages + gid * PAGE,
                MMU_KERNEL_ONLY);
    }
    mmu_context(0);
}

/* What the main context has at the window, whatever handlers run. */
static void check_own(unsigned context)
{
    check_quietly("the main context's memory", *(volatile uint32_t *)DATA,
                  frames[context][0]);
}

/* Sends messages of both GIDs in turns, which wait in the queue, and lets the slot
 * handle them while the main context reads memory of its own. */
static void run_all(unsigned priority, uint32_t handler, unsigned context)
{
    NI_K(FUGU_K_MM_STATE + 4 * priority) = FUGU_MM_SLOT_OFF;
    NI_K(FUGU_K_MM_PRIORITY) = priority;
    for (unsigned i = 0; i < TURNS; i++) {
        results[i] = 0;
        NI_K(FUGU_K_GID) = i % GIDS;
        send_one(at(NI_U(FUGU_U_NODE), 4 * i), handler, DATA);
    }
    mmu_context(context);
    start_slot(priority, slot_code);
    for (unsigned i = 0; i < 300; i++) {
        check_own(context);
    }
    check_quietly("no slot is at fault", NI_K(FUGU_K_PENDING), 0);
}

/* Handler I leaves first + (I + by) % GIDS * step. */
static void check_results(const char *what, uint32_t first, uint32_t step,
                          unsigned by, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        check_quietly(what, results[i], first + (i + by) % GIDS * step);
    }
}

static void check_turns(unsigned priority, unsigned context)
{
    frames[0][0] = 100;
    frames[1][0] = 101;
    run_all(priority, LOAD, context);
    check_results("data of the message's GID", 100, 1, 0, TURNS);
    run_all(priority, OWN, context);
    check_results("code of the message's GID", 'A', 1, 0, TURNS);
    /* The last one has no message behind it, and waits for one. */
    run_all(priority, MOVE, context);
    check_results("MsgHead changes memory at once", 'A', 1, 1, TURNS - 1);
    run_all(priority, BRANCH, context);
    check_results("in a delay slot too", 'A', 1, 1, TURNS - 1);
    check_sum("each handler has the memory of its message");
}

/* Atoms between a handler and its program. */
static void check_atoms(unsigned priority, unsigned context)
{
    frames[0][0] = 0x01020304;
    frames[1][0] = 0x05060708;
    run_all(priority, SWAP, context);
    check_quietly("swap", results[0], 0x01020304);
    check_quietly("swap", results[1], 0x05060708);
    for (unsigned i = 2; i < TURNS; i++) {
        check_quietly("what was swapped in", results[i], DATA);
    }
    frames[0][0] = 0x01020304;
    frames[1][0] = 0x05060708;
    run_all(priority, LDSTUB, context);
    check_quietly("ldstub", results[0], 0x01);
    check_quietly("ldstub", results[1], 0x05);
    for (unsigned i = 2; i < TURNS; i++) {
        check_quietly("set", results[i], 0xff);
    }
    check_quietly("no other byte", frames[1][0], 0xff060708);
    check_sum("swap and ldstub in each memory");
}

/* What the main context flushes is new for the slots, which have used it. */
static void check_flushes(unsigned priority, bool whole)
{
    frames[0][0] = 100;
    frames[1][0] = 101;
    frames[2][0] = 102;
    run_all(priority, LOAD, 0);
    mmu_context(1);
    mmu_map_quietly(DATA, (uint32_t)(uintptr_t)frames[2], MMU_WRITE);
    if (whole) {
        mmu_flush();
    } else {
        mmu_flush_page(DATA);
    }
    mmu_context(0);
    run_all(priority, LOAD, 0);
    check_results("after a flush", 100, 2, 0, TURNS);
    mmu_context(1);
    mmu_map(DATA, (uint32_t)(uintptr_t)frames[1], MMU_WRITE);
    mmu_context(0);
    check_sum("a flush reaches the slots");
}

#define WIDE        (256 + 1)           /* a GID whose low eight bits are 1 */
#define WIDE_LOAD   (GIDS * HANDLERS)   /* its handler's entry */

/* The MMU has 256 contexts. */
static void check_wide(void)
{
    set_segment_of(GIDS, WIDE, results);
    set_handler_of(WIDE_LOAD, WIDE, load_handler, 4);
    frames[0][0] = 100;
    frames[1][0] = 101;
    results[0] = results[1] = 0;
    NI_K(FUGU_K_MM_STATE) = FUGU_MM_SLOT_OFF;
    NI_K(FUGU_K_MM_PRIORITY) = 0;
    NI_K(FUGU_K_GID) = WIDE;
    send_one(at(NI_U(FUGU_U_NODE), 0), WIDE_LOAD, DATA);
    start_slot(0, slot_code);
    for (unsigned i = 0; i < 300; i++) {
        check_own(0);
    }
    check("a GID's low eight bits are its context", results[0], 101);
    check("and the message has the whole GID", NI_K(FUGU_K_MM_GID), WIDE);
}

int main(void)
{
    pil_set(PIL_ALL);
    mmu_on();
    set_up();
    for (unsigned priority = 0; priority < FUGU_MM_PRIORITIES; priority++) {
        for (unsigned context = 0; context < GIDS; context++) {
            check_turns(priority, context);
            check_atoms(priority, context);
        }
        check_flushes(priority, true);
        check_flushes(priority, false);
    }
    check_wide();
    return check_result();
}
