/*
 * A model of the network interfaces, to hold the real ones against
 *
 * It does what it is asked to through qtest commands, works out beforehand
 * from docs/machine.md what should come of it, and ends the program with a
 * message when something else does. What is on its way from node to node it
 * remembers, so that a message that is lost, changed, doubled or overtaken
 * is found.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_NI_MODEL_H
#define TESTS_NI_MODEL_H

#include "ni-qtest.h"

#define MODEL_NODES     4
#define MODEL_NETWORKS  2

/* Small queues fill up soon; neither is a multiple of the longest message. */
#define MODEL_OPTIONS   "nodes=4,input-queue=36,source-space=40"
/* The other machine that the model knows: it asks which one it has. */
#define MODEL_SOFT      MODEL_OPTIONS ",atomicity=soft"
/* The default. */
#define MODEL_RAM       (8 * 1024 * 1024)

typedef struct Message {
    uint32_t words[FUGU_MSG_WORDS];
    unsigned length;
    unsigned body_len;
    uint8_t *body;
} Message;

typedef struct Model {
    QTestState *qts;
    bool soft;                  /* atomicity */
    const char *doing;          /* for messages */
    unsigned step;
    /* Sent and not yet disposed of, first one first. */
    GQueue sent[MODEL_NETWORKS][MODEL_NODES][MODEL_NODES];
    bool seen[MODEL_NETWORKS][MODEL_NODES];     /* the head was compared */
} Model;

/* Of a machine that has just been reset. */
void model_init(Model *m, QTestState *qts);

/* Takes all messages out of the machine: none may be missing. */
void model_finish(Model *m);

void model_advance(Model *m, unsigned cycles);
int model_launch(Model *m, unsigned node, FuguMode mode, uint32_t n,
                 uint32_t pairs);
int model_dispose(Model *m, unsigned node, FuguMode mode);
void model_atom(Model *m, unsigned node, FuguMode mode, bool begin,
                uint32_t mask);

/* Any load or store; the address is made a multiple of the size. */
void model_load(Model *m, unsigned node, FuguMode mode, unsigned size,
                uint32_t addr);
int model_store(Model *m, unsigned node, FuguMode mode, unsigned size,
                uint32_t addr, uint64_t value);

/* ---- Among the model's own files ---------------------------------------- */

void G_NORETURN G_GNUC_PRINTF(2, 3) model_broken(Model *m, const char *format,
                                                 ...);
/* What always holds is asked for after whatever was done. */
void model_check(Model *m);
void model_expect(Model *m, int64_t is, int64_t should, const char *what);

/* Registers, which may only be loaded, and are each time. */
uint32_t model_reg(Model *m, unsigned node, uint32_t addr);

void message_free(void *message);
void model_sent(Model *m, unsigned network, unsigned source, unsigned dest,
                Message *message);
/* The head is what it should be: compared once, as soon as it is seen. */
void model_check_head(Model *m, unsigned network, unsigned node);
/* It was disposed of. */
void model_dropped(Model *m, unsigned network, unsigned node,
                   unsigned source);
/* The user's record shows it, and message-available is set. */
bool model_available(Model *m, unsigned node);
/* The head of the first network; there is one. */
const Message *model_head(Model *m, unsigned node);

/* What DMA can write, and read. */
bool model_is_ram(uint32_t addr, uint32_t len);
bool model_is_readable(uint32_t addr, uint32_t len);
/* This part of the message's body is in the node's memory. */
void model_check_body(Model *m, unsigned node, uint32_t addr,
                      const Message *msg, uint32_t from, uint32_t bytes);

#endif /* TESTS_NI_MODEL_H */
