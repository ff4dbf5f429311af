/*
 * All variables. Values are numbers of writes, so an old value differs from the
 * latest one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#define ON(node, page)          ((node) * PAGES + (page))       /* a copy */
#define AT(node, variable)      ((node) * VARIABLES + (variable))
#define BY(node, other)         ((node) * NODES + (other))
#define LINK(from, to)          net[BY(from, to)]
#define NOBODY                  NODES

#define FETCH_HOME      1       /* flags of fetch */
#define FETCH_HAS_COPY  2
#define FETCH_FIRST     4       /* the reader becomes home, if it is the first one */

mtype = { fetch, page, difference, acknowledge, notices, records, whole, refuse };

/* A message has a kind and five numbers: what they mean is at its handler. */
chan net[NODES * NODES] = [QUEUE] of { mtype, byte, byte, byte, short, short };

byte broken;

/* Copies of pages. */
byte memory[NODES * VARIABLES];
byte twin[NODES * VARIABLES];
byte rights[NODES * PAGES];     /* 0: none, 1: read, 2: write */
bit mapped[NODES * PAGES];      /* the page has memory */
bit dirty[NODES * PAGES];
bit twinned[NODES * PAGES];
byte home[NODES * PAGES];       /* as the node knows it */
bit shared[NODES * PAGES];      /* at home: other nodes have had copies */
bit listed[NODES * PAGES];      /* at home: leave() looks for unseen writes */
bit fixed[NODES * PAGES];       /* the home, as the node knows it, is that for ever */
byte had[PAGES];                /* nodes that have had copies */
byte version[NODES * PAGES * NODES];
byte changes[NODES * PAGES];    /* the home's count, and that of the copy */
bit refused[NODES * PAGES];     /* the home has not taken the whole page */

/* Intervals. */
byte seen[NODES * NODES];       /* vector times */
byte floors[NODES * NODES];     /* up to here the log may have no records, as the
                                   node believes */
byte kept[NODES * NODES];       /* the same, as it is */
byte record[NODES * INTERVALS]; /* the pages of an interval */
byte unacknowledged[NODES];
byte asked[NODES * NODES];      /* the interval that a node waits for, plus 1 */

/* Each node's thread. */
bit in_call[NODES];
bit closed[NODES];              /* nothing has been written since the interval
                                   has ended */
bit answered[NODES];
bit closing[NODES];             /* `closes` is to end the interval */
byte faults[NODES];             /* `serves` is to serve a fault: 2 * page, plus 1
                                   for a read, 2 for a write */
byte fetching[NODES];           /* page plus 1 */
bit again[NODES];
byte fetched[NODES * NODES];    /* versions of the page that has come */
chan wanted[NODES] = [NODES] of { byte, byte, byte };

/* Programs. */
byte latest[VARIABLES];
byte holder[VARIABLES];         /* of the variable's lock */
byte last[VARIABLES];           /* the node that has unlocked it last */

/* Scratch, 0 between steps. */
hidden byte i, j, lacks;
hidden short k, packed, gaps;

