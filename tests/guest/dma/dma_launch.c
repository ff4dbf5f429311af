/*
 * Part of `dma`: launch N,D sends a message with its body. A launch refuses a
 * wrong descriptor before it sends anything.
 */
#include "check.h"
#include "cycles.h"
#include "dma.h"
#include "message.h"
#include "mmu.h"
#include "ops.h"
#include "trap.h"

#define VIOLATION FUGU_TT_PROTECTION_VIOLATION

/* Checks that a body of `bytes` arrives whole. */
static void check_body(uint32_t tag, uint32_t bytes)
{
    ni_fresh();
    dma_fill(tag);
    dma_send(bytes);
    dma_fill(tag + 1);          /* too late: the launch has read it */
    settle();
    settle();
    until(cycles() + 5 * bytes);
    check_quietly("the pairs are not sent", ni_length(), 2);
    check_quietly("the words before them are", ni_in(1), 0x42);
    check_quietly("the body has its length", ni_body(), bytes);
    if (bytes) {
        dma_storeback((uint32_t)into, 0, bytes);
    }
    check_quietly("the body has its words", dma_wrong(tag, bytes / 4), 0);
    check_quietly("and no more", into[bytes / 4], 0);
    ni_dispose();
}

static void check_two_pieces(void)
{
    const struct dma_piece pieces[] = {
        { (uint32_t)&from[3], 20 }, { (uint32_t)&from[100], 8 },
    };
    bool right = true;

    ni_fresh();
    dma_fill(7);
    check("two pieces are sent",
          RUN(USER, op_launch_d2, dma_describe_user(2, pieces), PIL_ALL), 0);
    settle();
    check("of four pair words none", ni_length(), 2);
    check("as one body", ni_body(), 28);
    dma_storeback((uint32_t)into, 0, 28);
    for (uint32_t i = 0; i < 5; i++) {
        right &= into[i] == from[3 + i];
    }
    check_true("one behind the other", right && into[5] == from[100] &&
               into[6] == from[101]);
}

/* A body may end where the address space ends. The interface's user page, which
 * is there, makes room for that. */
static void check_end_of_space(void)
{
    const struct dma_piece piece = { 0xffffff00, 0x100 };
    uint32_t words, trap;

    ni_fresh();
    dma_fill(8);
    words = dma_describe_kernel(1, &piece);
    mmu_map(FUGU_NI_USER_BASE, (uint32_t)from, MMU_ALL);
    trap = RUN(KERNEL, op_launch_d1, words, PIL_ALL);
    mmu_map(FUGU_NI_USER_BASE, FUGU_NI_USER_BASE, MMU_WRITE);
    check("a body that ends with the address space is sent", trap, 0);
    settle();
    dma_storeback((uint32_t)&into[0xf00 / 4], 0, 0x100);
    check_true("whole", into[0xf00 / 4] == from[0xf00 / 4] &&
               into[0xffc / 4] == from[0xffc / 4]);
}

struct refusal {
    const char *name;
    uint32_t offset, bytes;     /* the piece in `from` */
    uint32_t words;             /* N; 0: all words that are described */
};

static void check_refusals(void)
{
    static const struct refusal table[] = {
        { "an address that is not aligned", 2, 8, 0 },
        { "a length that is not a multiple of 4", 0, 6, 0 },
        { "more than 4096 bytes", 0, FUGU_BODY_MAX + 4, 0 },
        { "a descriptor that is all pairs", 0, 8, 2 },
        { "a descriptor that is less", 0, 8, 1 },
    };

    for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const struct refusal *r = &table[i];
        struct dma_piece piece = { (uint32_t)from + r->offset, r->bytes };
        uint32_t words;

        ni_fresh();
        words = dma_describe_user(1, &piece);
        check_quietly(r->name, RUN(USER, op_launch_d1,
                                   r->words ? r->words : words, PIL_ALL),
                      VIOLATION);
        check_quietly(r->name, caught.pc, PC(op_launch_d1));
        check_quietly(r->name, ni_descriptor_length(), words);
        check_quietly(r->name, drain(), 0);
        check_group("refused");
        check_sum(r->name);
        check_group(NULL);
    }
}

void check_launch(void)
{
    static const uint32_t sizes[] = { 0, 4, 16, 100, 1024, FUGU_BODY_MAX };

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        check_body(10 * i, sizes[i]);
    }
    check_sum("bodies from 0 to 4096 bytes arrive whole");
    check_two_pieces();
    mmu_on();
    check_end_of_space();
    mmu_off();
    check_refusals();
}
