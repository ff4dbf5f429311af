/*
 * A model of SHRIMP's network interfaces: what its files share
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_SHRIMP_MODEL_PARTS_H
#define TESTS_SHRIMP_MODEL_PARTS_H

#include "shrimp-model.h"

/* Words of data of a packet, and all that it counts. */
uint32_t model_data_words(const ModelPacket *p);
uint32_t model_counted(const ModelPacket *p);

/* Returns the number of the page, or -1 beyond RAM. */
int model_page_of(uint32_t addr);
/* Returns the part for @addr; sets *@end to the first address past the part. */
const ModelPart *model_part_at(const ModelNode *n, uint32_t addr,
                               uint32_t *end);

/* Puts a packet with @data, which was at @addr, into the FIFO. */
void model_enqueue(ShrimpModel *m, unsigned node, uint32_t addr,
                   const uint8_t *data, uint32_t bytes);
/* Lets leave what can leave at @at. */
void model_leave(ShrimpModel *m, ModelNode *n, int64_t at);
/* The first time from @at on at which the head can leave, or -1: not yet known. */
int64_t model_head_leaves(const ModelNode *n, int64_t at);
/* The open packet enters the FIFO. */
void model_close_open(ShrimpModel *m, unsigned node, int64_t at);

/* Returns the bytes of the engine's next packet. */
uint32_t model_next_bytes(ShrimpModel *m, ModelNode *n);
/* The engine has read it, or has waited for room. */
void model_engine_reads(ShrimpModel *m, unsigned node);
/* Lets it go on if it waits and has room. */
void model_retry(ShrimpModel *m, unsigned node, int64_t at);

/* Takes the credit, and frees it. */
void model_credit_comes(ShrimpModel *m, ModelCredit *c);

#endif /* TESTS_SHRIMP_MODEL_PARTS_H */
