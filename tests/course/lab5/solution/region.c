/*
 * Regions: a protocol that invalidates copies.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>

#include "region.h"
#include "udm.h"

#define NODES   32              /* at most: sharers is a word */

enum state { INVALID, SHARED, EXCLUSIVE };

/* What a node knows of a region. */
static struct region {
    uint32_t data[REGION_WORDS];        /* this node's copy */
    volatile bool opened;               /* an operation is open */
    volatile enum state state;
    bool demanded;              /* the home waits for the end of the operation */
    enum state keep;            /* after which this node keeps so much */

    /* On the home alone: */
    uint32_t memory[REGION_WORDS];      /* the data, if there is no owner */
    uint32_t sharers;           /* bit of each node with a SHARED copy */
    bool owned;                 /* a node has an EXCLUSIVE copy: */
    uint32_t owner;
    uint32_t awaited;           /* answers before the oldest request is granted */
    uint32_t oldest, waiting;   /* requests: a ring */
    struct request {
        uint32_t node;
        enum state wants;
    } requests[NODES];
} regions[REGIONS];

static uint32_t home(uint32_t region)
{
    return region % udm_nodes();
}

static void serve(uint32_t region);

/* ---- Handlers -------------------------------------------------------------- */

/* DATA region, state, words: the home's answer. Opens the operation. */
static void data(void)
{
    struct region *here = &regions[udm_arg(0)];

    here->state = udm_arg(1);
    for (unsigned k = 0; k < REGION_WORDS; k++) {
        here->data[k] = udm_arg(2 + k);
    }
    udm_dispose();
    here->opened = true;
}

/* ANSWER region, whether data follow, words: to a DEMAND. Runs on the home. */
static void answer(void)
{
    uint32_t region = udm_arg(0);
    struct region *here = &regions[region];

    for (unsigned k = 0; udm_arg(1) && k < REGION_WORDS; k++) {
        here->memory[k] = udm_arg(2 + k);
    }
    udm_dispose();
    here->awaited--;
    serve(region);
}

/* Does what the home has demanded. For handlers and atomic sections. */
static void give_up(uint32_t region)
{
    struct region *here = &regions[region];

    if (here->state == EXCLUSIVE) {
        udm_inject_words(home(region), answer, here->data, REGION_WORDS, region,
                         true);
    } else {
        udm_inject(home(region), answer, region, false);
    }
    here->state = here->keep;
    here->demanded = false;
}

/* DEMAND region, state to keep: from the home. */
static void demand(void)
{
    uint32_t region = udm_arg(0);
    struct region *here = &regions[region];

    here->keep = udm_arg(1);
    udm_dispose();
    here->demanded = true;
    if (!here->opened) {
        give_up(region);
    }
}

/* REQUEST region, state: runs on the home. */
static void request(void)
{
    uint32_t region = udm_arg(0);
    struct region *here = &regions[region];

    here->requests[(here->oldest + here->waiting++) % NODES] =
        (struct request) { udm_source(), udm_arg(1) };
    udm_dispose();
    serve(region);
}

/* Serves requests, oldest first, until one has to wait for answers. */
static void serve(uint32_t region)
{
    struct region *here = &regions[region];

    while (here->waiting && !here->awaited) {
        struct request *oldest = &here->requests[here->oldest];
        uint32_t others = here->sharers & ~(1u << oldest->node);

        if (here->owned) {
            bool shares = oldest->wants == SHARED;

            here->owned = false;
            here->sharers = shares ? 1u << here->owner : 0;
            here->awaited = 1;
            udm_inject(here->owner, demand, region, shares ? SHARED : INVALID);
        } else if (oldest->wants == EXCLUSIVE && others) {
            here->sharers &= ~others;
            for (uint32_t node = 0; node < NODES; node++) {
                if (others >> node & 1) {
                    here->awaited++;
                    udm_inject(node, demand, region, INVALID);
                }
            }
        } else {
            here->owned = oldest->wants == EXCLUSIVE;
            here->owner = oldest->node;
            here->sharers = here->owned ? 0
                                        : here->sharers | 1u << oldest->node;
            here->oldest = (here->oldest + 1) % NODES;
            here->waiting--;
            udm_inject_words(here->owner, data, here->memory, REGION_WORDS,
                             region, oldest->wants);
        }
    }
}

/* ---- Operations ------------------------------------------------------------ */

static void start(uint32_t region, enum state wants)
{
    struct region *here = &regions[region];

    udm_beginatom();
    if (here->state >= wants) {
        here->opened = true;
    } else {
        udm_inject(home(region), request, region, wants);
    }
    udm_endatom();
    while (!here->opened) {
        /* the handler of DATA ends this loop */
    }
}

static void end(uint32_t region)
{
    struct region *here = &regions[region];

    udm_beginatom();
    here->opened = false;
    if (here->demanded) {
        give_up(region);
    }
    udm_endatom();
}

uint32_t *region_data(uint32_t region)
{
    return regions[region].data;
}

void region_start_read(uint32_t region)
{
    start(region, SHARED);
}

void region_end_read(uint32_t region)
{
    end(region);
}

void region_start_write(uint32_t region)
{
    start(region, EXCLUSIVE);
}

void region_end_write(uint32_t region)
{
    end(region);
}
