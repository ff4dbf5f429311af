/* What the parts of `dma` have in common. */
#ifndef DMA_H
#define DMA_H

#include <stdint.h>

#define DMA_WORD        1       /* cycles that the engine takes a word */

/* Pages to send from and to receive into. */
#define PAGE            4096
extern uint32_t from[2 * PAGE / 4], into[2 * PAGE / 4];

/* Fills `from` with words that follow from the tag; clears `into`. */
void dma_fill(uint32_t tag);
uint32_t dma_word(uint32_t tag, uint32_t index);

/* A piece of a body. */
struct dma_piece { uint32_t address, bytes; };

/*
 * Describes, in the kernel's window or the user's, a message to this node:
 * header, handler word 0x42, and the pieces. Its number of words, N.
 */
uint32_t dma_describe_kernel(unsigned pieces, const struct dma_piece *piece);
uint32_t dma_describe_user(unsigned pieces, const struct dma_piece *piece);

/* Sends `bytes` from the start of `from`, from kernel mode. */
void dma_send(uint32_t bytes);

/* Stores `bytes` of the head's body, from an offset on, to an address. */
void dma_storeback(uint32_t address, uint32_t offset, uint32_t bytes);

/* Words of `into`, from its start, that are not those of the tag. */
unsigned dma_wrong(uint32_t tag, uint32_t words);

void check_launch(void);        /* dma_launch.c */
void check_rights(void);        /* dma_rights.c */
void check_storeback(void);     /* dma_storeback.c */
void check_buffering(void);     /* dma_buffering.c */
void check_times(void);         /* dma_times.c */

#endif
