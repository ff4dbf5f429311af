/*
 * A model of the network interfaces, to compare the real ones with
 *
 * The model carries out actions through qtest commands. Before each action it
 * computes the result that docs/machine.md asks for, and ends the program with
 * a message if the real result differs. It keeps the messages that are on their
 * way from node to node, and so finds messages that are lost, changed, doubled
 * or out of order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_NI_MODEL_H
#define TESTS_NI_MODEL_H

#include "ni-qtest.h"

#define MODEL_NODES     4
#define MODEL_NETWORKS  2

/* Small queues, which fill up soon. Neither size is a multiple of the longest
 * message. */
#define MODEL_OPTIONS   "nodes=4,input-queue=36,source-space=40"
/* The other machines that the model knows: with soft atomicity, and without a
 * message part. model_init() finds out which one it has. */
#define MODEL_SOFT      MODEL_OPTIONS ",atomicity=soft"
#define MODEL_NONE      "nodes=4,network-interface=none"
/* The default of node-ram. */
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
    bool messages;              /* the FUGU message part is there */
    const char *doing;          /* for messages */
    unsigned step;
    /* Messages sent and not yet disposed of, in order. */
    GQueue sent[MODEL_NETWORKS][MODEL_NODES][MODEL_NODES];
    bool seen[MODEL_NETWORKS][MODEL_NODES];     /* the head was compared */
} Model;

/* Starts a model of a machine that has just been reset. */
void model_init(Model *m, QTestState *qts);

/* Disposes of all messages in the machine. None may be missing. */
void model_finish(Model *m);

void model_advance(Model *m, unsigned cycles);
int model_launch(Model *m, unsigned node, FuguMode mode, uint32_t n,
                 uint32_t pairs);
int model_dispose(Model *m, unsigned node, FuguMode mode);
void model_atom(Model *m, unsigned node, FuguMode mode, bool begin,
                uint32_t mask);

/* Any load or store. These functions round the address down to a multiple of
 * the size. */
void model_load(Model *m, unsigned node, FuguMode mode, unsigned size,
                uint32_t addr);
int model_store(Model *m, unsigned node, FuguMode mode, unsigned size,
                uint32_t addr, uint64_t value);

/* ---- For the files of the model ------------------------------------------ */

void G_NORETURN G_GNUC_PRINTF(2, 3) model_broken(Model *m, const char *format,
                                                 ...);
/* Checks conditions that hold after each action. */
void model_check(Model *m);
void model_expect(Model *m, int64_t is, int64_t should, const char *what);

/* Loads a register, which must be possible. */
uint32_t model_reg(Model *m, unsigned node, uint32_t addr);

void message_free(void *message);
void model_sent(Model *m, unsigned network, unsigned source, unsigned dest,
                Message *message);
/* Compares a node's head with the message that was sent, once for each head. */
void model_check_head(Model *m, unsigned network, unsigned node);
/* The node has disposed of its head, which came from @source. */
void model_dropped(Model *m, unsigned network, unsigned node,
                   unsigned source);
/* Whether the user sees a message: message-available is set. */
bool model_available(Model *m, unsigned node);
/* Returns the head of the first network. There must be one. */
const Message *model_head(Model *m, unsigned node);

/* Whether DMA can write or read this memory. */
bool model_is_ram(uint32_t addr, uint32_t len);
bool model_is_readable(uint32_t addr, uint32_t len);
/* Checks that this part of the message's body is in the node's memory. */
void model_check_body(Model *m, unsigned node, uint32_t addr,
                      const Message *msg, uint32_t from, uint32_t bytes);

#endif /* TESTS_NI_MODEL_H */
