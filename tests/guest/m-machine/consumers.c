/*
 * The M-Machine's message interface (--ni m-machine): message words as operands of
 * each class of instruction, on the bare machine. Each node sends to itself, at both
 * priorities, with the MMU off and on.
 *
 * Prints one line per group of checks; the exit status is the number of failed checks.
 */
#include "check.h"
#include "consumers.h"
#include "mmu.h"
#include "slots.h"
#include "trap.h"

#define W1      0xabcd
#define TT_DATA_FAULT   0x09
#define TT_FETCH_FAULT  0x01
#define FAULT_STORE     0x80

/* consumers_code.S */
void slot_code(void);
void send_two(uint32_t dest, uint32_t handler, uint32_t w0, uint32_t w1);

uint32_t scratch[4] __attribute__((aligned(16)));

/* What a handler leaves. */
volatile struct {
    uint32_t value, next, done;
} result __attribute__((aligned(16)));

struct handler {
    const char *name;
    void (*code)(void);
    uint32_t w0;
    uint32_t expected;          /* result, or type of the trap */
};

#define DECLARE(name, w0, expected)     void name(void);
#define ENTRY(name, w0, expected)       { #name, name, w0, expected },

CONSUMERS(DECLARE)
STOPPERS(DECLARE)

static const struct handler consumers[] = { CONSUMERS(ENTRY) };
static const struct handler stoppers[] = { STOPPERS(ENTRY) };

#define COUNT(table)    (sizeof(table) / sizeof((table)[0]))

static void launch(const struct handler *h, uint32_t priority)
{
    scratch[0] = 0x81828384;
    scratch[1] = 5;
    result.done = 0;
    NI_K(FUGU_K_MM_PRIORITY) = priority;
    set_handler(0, h->code, 4);
    send_two(at(NI_U(FUGU_U_NODE), 0), 0, h->w0, W1);
}

/* The handler runs to its end, and has taken one word. */
static void check_done(const struct handler *h)
{
    for (int i = 0; i < 2000 && !result.done; i++) {
    }
    check_quietly(h->name, result.done, 1);
    check_quietly(h->name, result.value, h->expected);
    check_quietly(h->name, result.next, W1);
}

static void check_consumer(const struct handler *h, uint32_t priority)
{
    launch(h, priority);
    check_done(h);
}

/* The slot is at fault, and the handler has not ended. */
static void check_stopped(const struct handler *h, uint32_t priority)
{
    for (int i = 0; i < 200; i++) {
        asm volatile ("nop");
    }
    check_quietly(h->name, result.done, 0);
    check_quietly(h->name, NI_K(FUGU_K_MM_STATE + 4 * priority),
                  FUGU_MM_SLOT_FAULT);
    check_quietly(h->name, NI_K(FUGU_K_MM_FAULT + 4 * priority), h->expected);
}

static void go_on(uint32_t priority)
{
    NI_K(FUGU_K_MM_STATE + 4 * priority) = FUGU_MM_SLOT_ON;
}

/* What stops the slot stops it again, at the same place: nothing was taken. */
static void check_stopper(const struct handler *h, uint32_t priority)
{
    uint32_t pc;

    launch(h, priority);
    if (h->code == i_dispatch) {        /* another message, to jump to */
        send_two(at(NI_U(FUGU_U_NODE), 0), 0, 0, 0);
    }
    check_stopped(h, priority);
    pc = NI_K(FUGU_K_MM_START + 4 * priority);
    go_on(priority);
    check_stopped(h, priority);
    check_quietly(h->name, NI_K(FUGU_K_MM_START + 4 * priority), pc);
    start_slot(priority, slot_code);
}

static void check_all(uint32_t priority)
{
    start_slot(priority, slot_code);
    for (unsigned i = 0; i < COUNT(consumers); i++) {
        check_consumer(&consumers[i], priority);
    }
    check_sum("each instruction takes one word");
    for (unsigned i = 0; i < COUNT(stoppers); i++) {
        check_stopper(&stoppers[i], priority);
        check_consumer(&consumers[i % 8], priority);
    }
    check_sum("what traps stops the slot, and takes nothing");
}

/* Data of a slot has the rights of users. */
static void check_data_rights(uint32_t priority)
{
    uint32_t page = SCRATCH & ~4095u;
    uint32_t there = MMU_TEST_WINDOW + (SCRATCH & 4095);
    struct handler load = { "a load", c_ld, there, TT_DATA_FAULT };
    struct handler store = { "a store", c_st_addr, there, TT_DATA_FAULT };

    mmu_unmap(MMU_TEST_WINDOW);
    launch(&load, priority);
    check_stopped(&load, priority);
    check_quietly("its address", NI_K(FUGU_K_MM_ADDRESS + 4 * priority), there);
    check_quietly("a load", NI_K(FUGU_K_MM_CAUSE + 4 * priority) & FAULT_STORE, 0);
    mmu_map(MMU_TEST_WINDOW, page, MMU_KERNEL_ONLY);
    go_on(priority);
    check_stopped(&load, priority);
    mmu_map(MMU_TEST_WINDOW, page, MMU_READ);
    go_on(priority);
    load.expected = 0x81828384;
    check_done(&load);
    launch(&store, priority);
    check_stopped(&store, priority);
    check_quietly("its address", NI_K(FUGU_K_MM_ADDRESS + 4 * priority), there);
    check_quietly("a store", NI_K(FUGU_K_MM_CAUSE + 4 * priority) & FAULT_STORE,
                  FAULT_STORE);
    start_slot(priority, slot_code);
    check_quietly("the main context's fault status", mmu_fault_status(), 0);
    check_sum("data of a slot has the rights of users");
}

/* Its code has those of the kernel. */
static void check_fetch_rights(uint32_t priority)
{
    uint32_t code = (uint32_t)(uintptr_t)c_wry;
    struct handler there = {
        "a fetch", (void (*)(void))(uintptr_t)(MMU_TEST_WINDOW + (code & 4095)),
        5, TT_FETCH_FAULT,
    };

    mmu_map(MMU_TEST_WINDOW, code & ~4095u, MMU_WRITE);
    mmu_map(MMU_TEST_WINDOW + 4096, (code & ~4095u) + 4096, MMU_KERNEL_ONLY);
    launch(&there, priority);
    check_stopped(&there, priority);
    mmu_map(MMU_TEST_WINDOW, code & ~4095u, MMU_KERNEL_ONLY);
    go_on(priority);
    there.expected = 5;
    check_done(&there);
    check_quietly("the main context's fault status", mmu_fault_status(), 0);
    check_sum("code of a slot has the rights of the kernel");
}

int main(void)
{
    pil_set(PIL_ALL);
    set_segment(0, scratch);
    for (uint32_t priority = 0; priority < 2; priority++) {
        check_all(priority);
    }
    mmu_on();
    (void)mmu_fault_status();
    for (uint32_t priority = 0; priority < 2; priority++) {
        check_all(priority);
        check_data_rights(priority);
        check_fetch_rights(priority);
    }
    return check_result();
}
