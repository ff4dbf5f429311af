/*
 * The contexts of a node's processor: the main one, and message slots
 *
 * The contexts take turns; a switch takes no cycle. It happens where a stretch may
 * end, and where a context waits. The ready context that has used the fewest
 * cycles goes on; one that wakes starts level with those that are ready. So two
 * busy contexts have half of the processor each, to the length of a block. A slot
 * keeps its turn for the cycles that it takes to dispatch a message.
 *
 * This file says whose turn it is. The node switches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_CONTEXTS_H
#define FUGU_CONTEXTS_H

#include "migration/vmstate.h"
#include "target/sparc/cpu.h"
#include "hw/fugu/machine/node-status.h"

typedef struct FuguContext {
    bool on;
    bool waits;
    uint32_t wait;              /* FuguWait */
    int64_t used;               /* cycles, as the others' are counted */
    int64_t busy;               /* all cycles that it has used */
} FuguContext;

typedef struct FuguContexts {
    int64_t start;              /* of the stretch that runs; not saved */
    FuguContext context[SPARCLE_CONTEXTS];
} FuguContexts;

/* The main context is on, and the slots are off. */
void fugu_contexts_reset(FuguContexts *all);

/* Makes a message slot ready to run, or takes it out. */
void fugu_context_set(FuguContexts *all, unsigned context, bool on);

/* The context waits, for @why. */
void fugu_context_wait(FuguContexts *all, unsigned context, FuguWait why);

/* Something has happened. Contexts that have waited, and of which @waits says that they
 * need not wait any more, try their instruction again. Returns whether any context is
 * ready. */
bool fugu_contexts_wake(FuguContexts *all,
                        bool (*waits)(void *opaque, unsigned context),
                        void *opaque);

/* Returns the context that is to run, or -1 if none is ready. @last is the one
 * that has run. */
int fugu_contexts_choose(const FuguContexts *all, unsigned last);

/* Returns how many cycles the context may run before another one has its turn, or
 * INT64_MAX. */
int64_t fugu_contexts_limit(const FuguContexts *all, unsigned context);

extern const VMStateDescription vmstate_fugu_contexts;

#endif /* FUGU_CONTEXTS_H */
