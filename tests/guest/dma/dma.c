/*
 * Bodies of messages: launch N,D, storeback, and the kernel's dispose with
 * DMA. All messages go from a node to itself.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "dma.h"
#include "message.h"
#include "ops.h"
#include "random.h"
#include "trap.h"

uint32_t from[2 * PAGE / 4] __attribute__((aligned(PAGE)));
uint32_t into[2 * PAGE / 4] __attribute__((aligned(PAGE)));

uint32_t dma_word(uint32_t tag, uint32_t index)
{
    return random_stream(tag, index, 0, 0);
}

void dma_fill(uint32_t tag)
{
    for (uint32_t i = 0; i < 2 * PAGE / 4; i++) {
        from[i] = dma_word(tag, i);
        into[i] = 0;
    }
}

static uint32_t describe(uint32_t window, unsigned pieces,
                         const struct dma_piece *piece)
{
    volatile uint32_t *out = &REG(window);

    out[0] = ni_node();
    out[1] = 0x42;
    for (unsigned i = 0; i < pieces; i++) {
        out[2 + 2 * i] = piece[i].address;
        out[3 + 2 * i] = piece[i].bytes;
    }
    return 2 + 2 * pieces;
}

uint32_t dma_describe_kernel(unsigned pieces, const struct dma_piece *piece)
{
    return describe(FUGU_NI_KERNEL_BASE + FUGU_K_OUT, pieces, piece);
}

uint32_t dma_describe_user(unsigned pieces, const struct dma_piece *piece)
{
    return describe(FUGU_NI_USER_BASE + FUGU_U_OUT, pieces, piece);
}

void dma_send(uint32_t bytes)
{
    const struct dma_piece piece = { (uint32_t)from, bytes };

    RUN(KERNEL, op_launch_d1, dma_describe_kernel(1, &piece), PIL_ALL);
}

void dma_storeback(uint32_t address, uint32_t offset, uint32_t bytes)
{
    NI_U(FUGU_U_SB_ADDR) = address;
    NI_U(FUGU_U_SB_OFFSET) = offset;
    NI_U(FUGU_U_SB_COUNT) = bytes;
}

unsigned dma_wrong(uint32_t tag, uint32_t words)
{
    unsigned wrong = 0;

    for (uint32_t i = 0; i < words; i++) {
        wrong += into[i] != dma_word(tag, i);
    }
    return wrong;
}

int main(void)
{
    check_launch();
    check_rights();
    check_places();
    check_storeback();
    check_buffering();
    check_times();
    return check_result();
}
