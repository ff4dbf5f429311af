/*
 * A model of the M-Machine's message interfaces, to compare the real ones with
 *
 * The model follows docs/machine.md, and does each thing at its cycle. With the
 * machine it shares the times of the mesh (hw/machine/mesh.c), which have tests of
 * their own, and nothing else.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_MM_MODEL_H
#define TESTS_MM_MODEL_H

#include "hw/fugu/machine/mesh.h"
#include "mm-qtest.h"

#define MODEL_NODES     4
#define MODEL_CONTEXTS  3
#define MODEL_WORDS     13      /* of a message */

typedef struct ModelOptions {
    uint32_t space, queue, word;
} ModelOptions;

typedef struct ModelMessage {
    unsigned source, dest, priority, length, gid;
    uint32_t words[MODEL_WORDS];        /* those after the header */
    int64_t time;       /* when its first word comes, then: has entered */
} ModelMessage;

typedef struct ModelCredit {
    unsigned to, priority;
    uint32_t words;
    int64_t time;
} ModelCredit;

/* One priority at one node. */
typedef struct ModelEnd {
    uint32_t space;
    GQueue blocked, queue;
    bool reads, drops;
    int64_t drop_time;
    int64_t tail;               /* of all that has entered the queue */
    unsigned next;              /* the word that MsgBody gives: 1 is DestAddr's */
    uint32_t gid, left;
} ModelEnd;

typedef struct ModelNode {
    struct {
        bool valid;
        uint32_t gid, base, log, rights, local;
    } segment[FUGU_MM_GTLB];
    struct {
        bool valid;
        uint32_t gid, index, pc, extent, needs;
    } handler[FUGU_MM_HANDLERS];
    struct {
        int64_t free;
        uint32_t ack, acks;
    } injection[MODEL_CONTEXTS];
    ModelEnd end[FUGU_MM_PRIORITIES];
    uint32_t gid, rules, priority, irqs;
} ModelNode;

typedef struct MMModel {
    ModelOptions options;
    int64_t now;
    Mesh *mesh;
    GQueue launched;            /* not yet routed, in the order of SENDs */
    GQueue flight, credits;
    ModelNode node[MODEL_NODES];
} MMModel;

MMModel *mm_model_new(ModelOptions options);
void mm_model_free(MMModel *m);

/* Does all that happens before @m->now + @cycles, which is then the time. */
void mm_model_advance(MMModel *m, uint64_t cycles);

/* Each returns what the operation does: FUGU_DONE, FUGU_WAITS or a trap. */
int mm_model_send(MMModel *m, unsigned node, unsigned context, uint32_t dest,
                  uint32_t handler, unsigned length, unsigned ack,
                  uint32_t first);
int mm_model_await(MMModel *m, unsigned node, unsigned context, uint32_t acks);
int mm_model_word(MMModel *m, unsigned node, unsigned priority, bool head,
                  uint32_t *word);

uint32_t mm_model_acks(const MMModel *m, unsigned node, unsigned context);
uint32_t mm_model_words(const ModelEnd *end);
/* When MsgHead can be read, or -1 if that is not known. */
int64_t mm_model_head_time(const MMModel *m, const ModelEnd *end);

#endif /* TESTS_MM_MODEL_H */
