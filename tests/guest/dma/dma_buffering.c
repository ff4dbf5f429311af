/*
 * Part of `dma`: the kernel's dispose with DMA writes the head message and its
 * body to memory, and the processor copies nothing. Also the effect of DMA on
 * the cache.
 */
#include "check.h"
#include "cycles.h"
#include "dma.h"
#include "message.h"
#include "ops.h"
#include "stamp.h"
#include "trap.h"

#define BYTES   64
#define WORDS   (BYTES / 4)

/* Reads memory that the DMA engine may have changed, which the compiler
 * does not know. */
static uint32_t memory_read(const volatile uint32_t *address)
{
    return *address;
}

static void arm(uint32_t physical)
{
    NI_K(FUGU_K_DMA_ADDR) = physical;
    NI_K(FUGU_K_DMA_ARM) = 1;
}

static void check_words(void)
{
    ni_fresh();
    dma_fill(1);
    message_send(HEADER_GID(ni_node(), GID_OTHER), 5, 4);
    settle();
    arm((uint32_t)into);
    check("it is armed", NI_K(FUGU_K_DMA_ARM), 1);
    check("a user's dispose is none of it",
          RUN(USER, op_dispose, 0, PIL_ALL), FUGU_TT_BAD_DISPOSE);
    check("nor a dispose without effect", NI_K(FUGU_K_DMA_ARM), 1);
    ni_dispose();
    check("the header is in memory", memory_read(&into[0]),
          ni_node() | GID_OTHER << FUGU_HDR_GID_SHIFT);
    for (uint32_t k = 1; k < 4; k++) {
        check_quietly("word", memory_read(&into[k]), message_word(5, k));
    }
    check_sum("and the words behind it");
    check("no more of them", memory_read(&into[4]), 0);
    check("it has disarmed itself", NI_K(FUGU_K_DMA_ARM), 0);
    check("the message is gone", drain(), 0);
}

static void check_body(void)
{
    ni_fresh();
    dma_fill(2);
    dma_send(BYTES);
    settle();
    arm((uint32_t)into);
    ni_dispose();
    check("with a body: the words", memory_read(&into[1]), 0x42);
    for (uint32_t i = 0; i < WORDS; i++) {
        check_quietly("body", memory_read(&into[2 + i]), dma_word(2, i));
    }
    check_sum("then the body");
    check("and no more", memory_read(&into[2 + WORDS]), 0);
}

static void check_body_apart(void)
{
    const uint32_t place = 3 * WORDS;

    ni_fresh();
    dma_fill(5);
    dma_send(BYTES);
    settle();
    NI_K(FUGU_K_DMA_BODY) = (uint32_t)&into[place];
    arm((uint32_t)into);
    ni_dispose();
    NI_K(FUGU_K_DMA_BODY) = 0;
    check("the body elsewhere: the words", memory_read(&into[1]), 0x42);
    check("nothing follows them", memory_read(&into[2]), 0);
    for (uint32_t i = 0; i < WORDS; i++) {
        check_quietly("body", memory_read(&into[place + i]), dma_word(5, i));
    }
    check_sum("the body is where the register says");
}

static void check_not_ram(void)
{
    static const uint32_t bad[] = {
        FUGU_BOOT_BASE, FUGU_NI_KERNEL_BASE, 0x20000000, FUGU_RAM_BASE - 4,
    };

    ni_fresh();
    message_send(ni_node(), 1, 4);
    settle();
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        arm(bad[i]);
        check_quietly("trap", RUN(KERNEL, op_dispose, 0, PIL_ALL),
                      FUGU_TT_PROTECTION_VIOLATION);
        check_quietly("pc", caught.pc, PC(op_dispose));
        check_quietly("stays", ni_head_present(), true);
    }
    arm(FUGU_RAM_BASE + ram_size() - 8);
    check_quietly("trap", RUN(KERNEL, op_dispose, 0, PIL_ALL),
                  FUGU_TT_PROTECTION_VIOLATION);
    check_sum("memory that is not RAM is a protection-violation");
    NI_K(FUGU_K_DMA_ARM) = 0;
    check("the message stays", drain(), 1);
}

/*
 * The engine is busy for one cycle per word, and shows no head meanwhile. A
 * wait for the next message ends when the engine is done.
 */
static void check_busy(void)
{
    uint32_t disposed, shown;

    for (int i = 0; i < 2; i++) {               /* twice: loads the cache */
        ni_fresh();
        dma_fill(3);
        dma_send(1024);
        message_send(ni_node(), 2, 2);
        settle();
        settle();
        until(cycles() + 8192);
        arm((uint32_t)into);
        disposed = stamp_dispose();
        shown = stamp_wait();
    }
    check("the next head is shown when the engine has done",
          shown - disposed, DMA_WORD * (2 + 1024 / 4));
    check("being the next", ni_in(1), message_word(2, 1));
}

/* ---- The cache ----------------------------------------------------------- */

static uint32_t misses(void)
{
    return REG(FUGU_CONTROL_BASE + FUGU_CONTROL_DATA_MISS);
}

static void check_cache(void)
{
    uint32_t before, hits, after;

    ni_fresh();
    dma_fill(4);
    dma_send(BYTES);
    settle();
    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        memory_read(&into[i]);
    }
    before = misses();
    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        memory_read(&into[i]);
    }
    hits = misses() - before;
    dma_storeback((uint32_t)into, 0, BYTES);
    before = misses();
    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        memory_read(&into[i]);
    }
    after = misses() - before;
    check("before a storeback the lines hit", hits, 0);
    check("it invalidates those that it writes, and no other", after,
          BYTES / 16);
    check("what is read is new", dma_wrong(4, WORDS), 0);
}

void check_buffering(void)
{
    check_words();
    check_body();
    check_body_apart();
    check_not_ram();
    check_busy();
    check_cache();
}
