/*
 * A model of SHRIMP's network interfaces, to compare the real ones with
 *
 * The model follows docs/machine.md. It has the nodes' memory, and does each thing
 * at its cycle. With the machine it shares the times of the mesh (hw/machine/mesh.c),
 * which have tests of their own, and nothing else.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_SHRIMP_MODEL_H
#define TESTS_SHRIMP_MODEL_H

#include "hw/fugu/machine/mesh.h"
#include "shrimp-qtest.h"

#define MODEL_NODES     4
#define MODEL_PAGES     16              /* of RAM, for each node */
#define MODEL_RAM       (MODEL_PAGES * PAGE)
#define MODEL_MACHINE   "network-interface=shrimp,nodes=4,mesh=2x2,node-ram=65536"

typedef struct ModelOptions {
    uint32_t packet_max, dma_word, incoming_word, mesh_word;
} ModelOptions;

typedef enum ModelDamage { INTACT, BAD_CRC, BAD_PLACE } ModelDamage;

typedef struct ModelPacket {
    unsigned source, dest;
    uint32_t number;                    /* of its source, from 1 */
    uint32_t addr, bytes;
    ModelDamage damage;
    int64_t time;                       /* launched, then: arrives */
    uint8_t data[512];
} ModelPacket;

typedef struct ModelCredit {
    unsigned from, to;
    uint32_t words;
    int64_t time;
} ModelCredit;

/* A part of a page, as it was stored. */
typedef struct ModelPart {
    uint32_t mode, node, place;
} ModelPart;

typedef struct ModelNode {
    uint8_t ram[MODEL_RAM];
    struct {
        uint32_t split;
        ModelPart part[2];
        bool mapped, armed, arrived;
    } page[MODEL_PAGES];

    GQueue out;                         /* Outgoing FIFO */
    uint32_t sent, credits, threshold, await;
    int64_t free;                       /* the link */
    GQueue uncredited;                  /* copies of packets that have left */
    ModelDamage damage;

    uint32_t open_addr, open_bytes;     /* packet of blocked-write */
    uint8_t open_data[512];
    uint32_t merge;
    int64_t deadline;

    uint32_t left, base, next;          /* engine */
    int64_t read;                       /* time of its next packet */
    bool waits;

    GQueue blocked, in;                 /* at the receiver */
    int64_t stored;                     /* when the head of in is stored */
    uint32_t entered, gone, bad_place, bad_crc, bad_page;
    bool dropped;
} ModelNode;

typedef struct ShrimpModel {
    ModelOptions options;
    int64_t now;
    Mesh *mesh;
    GQueue launched;                    /* not yet routed */
    GQueue flight, credits;
    ModelNode node[MODEL_NODES];
} ShrimpModel;

ShrimpModel *shrimp_model_new(ModelOptions options);
void shrimp_model_free(ShrimpModel *m);

/* Does all that happens before @m->now + @cycles, which is then the time. */
void shrimp_model_advance(ShrimpModel *m, uint64_t cycles);

/* Does what is due on the way out of @node, as an access to the interface finds
 * it. To be called before each of the functions that follow. */
void shrimp_model_settle(ShrimpModel *m, unsigned node);

/* Stores to registers and commands. Each returns whether the value is taken. */
bool shrimp_model_set_part(ShrimpModel *m, unsigned node, uint32_t page, bool upper,
                    uint32_t mode, uint32_t to, uint32_t place);
bool shrimp_model_set_split(ShrimpModel *m, unsigned node, uint32_t page,
                            uint32_t split);
bool shrimp_model_command(ShrimpModel *m, unsigned node, uint32_t addr,
                          uint32_t command);
/* A store of the processor. Returns false if it waits for room. */
bool shrimp_model_store(ShrimpModel *m, unsigned node, uint32_t addr,
                        unsigned size, uint64_t value);
/* The load of U_SENT: the open packet enters the FIFO. */
void shrimp_model_fence(ShrimpModel *m, unsigned node);
/* The load of the command word. Returns false if it is a violation. */
bool shrimp_model_engine(ShrimpModel *m, unsigned node, uint32_t addr, uint32_t *value);
/* After the threshold has changed. */
void shrimp_model_retry(ShrimpModel *m, unsigned node);

/* Words that queues and engines have. */
uint32_t shrimp_model_words(const GQueue *packets);
uint32_t shrimp_model_used(const ModelNode *n);      /* FIFO and open packet */
uint32_t shrimp_model_credited(const ModelNode *n);
uint32_t shrimp_model_arrival(const ModelNode *n);
uint32_t shrimp_model_pending(const ModelNode *n);

#endif /* TESTS_SHRIMP_MODEL_H */
