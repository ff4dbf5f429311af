/* What the parts of `dma` share. */
#ifndef DMA_H
#define DMA_H

#include <stdint.h>

#define DMA_WORD        1       /* cycles of DMA for each word */

/* Two pages to send from, and two to receive into. */
#define PAGE            4096
extern uint32_t from[2 * PAGE / 4], into[2 * PAGE / 4];

/* dma_fill() fills `from` with words that follow from the tag, and clears
 * `into`. dma_word() returns one of these words. */
void dma_fill(uint32_t tag);
uint32_t dma_word(uint32_t tag, uint32_t index);

/* A piece of a body. */
struct dma_piece { uint32_t address, bytes; };

/*
 * Describes a message to this node, in the kernel's window or in the user's:
 * header, handler word 0x42, and the pieces. Returns its length in words, N.
 */
uint32_t dma_describe_kernel(unsigned pieces, const struct dma_piece *piece);
uint32_t dma_describe_user(unsigned pieces, const struct dma_piece *piece);

/* Sends the first `bytes` of `from` as a body, from kernel mode. */
void dma_send(uint32_t bytes);

/* Stores `bytes` of the head message's body, beginning at `offset`, to an
 * address. */
void dma_storeback(uint32_t address, uint32_t offset, uint32_t bytes);

/* Returns how many of the first `words` words of `into` differ from the
 * tag's. */
unsigned dma_wrong(uint32_t tag, uint32_t words);

void check_launch(void);        /* defined in dma_launch.c */
void check_rights(void);        /* in dma_rights.c */
void check_places(void);        /* in dma_places.c */
void check_storeback(void);     /* in dma_storeback.c */
void check_buffering(void);     /* in dma_buffering.c */
void check_times(void);         /* in dma_times.c */

#endif
