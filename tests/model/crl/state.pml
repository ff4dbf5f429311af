/*
 * The state of all nodes: copies, directories, channels.
 *
 * A copy is identified by its region and node, and so is the pair of channels
 * between that node and the region's home. Messages about different regions
 * have different channels: the protocol relies on no order between them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#define COPY(region, node)  ((region) * NODES + (node))
#define REGION(copy)        ((copy) / NODES)
#define NODE(copy)          ((copy) % NODES)
#define HOME(region)        (region)
#define HOME_COPY(region)   COPY(region, HOME(region))
#define COPIES              (NODES * REGIONS)

byte broken;                    /* the rule that is broken, or 0 */

/* ---- Copies -------------------------------------------------------------- */

/* The home's own copy is SHARED, which means valid, or INVALID. */
#define UNKNOWN     0           /* the node has no entry for the region */
#define INVALID     1
#define SHARED      2
#define EXCLUSIVE   3

/* What an operation wants, a node waits for, or a transaction is about. */
#define NONE        0
#define READ        1
#define WRITE       2
#define INFO        3

byte state[COPIES];
byte readers[COPIES];           /* open reads */
bit  writer[COPIES];            /* an open write */
byte waits[COPIES];             /* the request that the node has sent */
mtype deferred[COPIES];         /* the demand that waits for an end, or 0 */
mtype leaving[COPIES];          /* BODIES: data that have not left, or 0 */
mtype leaving_home[COPIES];     /* the same, from the home to this node */

#define OPEN(copy)  (readers[copy] > 0 || writer[copy])

/* ---- Nodes --------------------------------------------------------------- */

byte wants[NODES];              /* the operation that has been started */
byte wanted[NODES];             /* and its copy */

/* ---- Homes --------------------------------------------------------------- */

#define NOBODY      NODES

byte owner[REGIONS];            /* the node with the exclusive copy */
byte sharers[REGIONS];          /* a bit for each node */
byte known[REGIONS];            /* a bit for each node that has asked INFO */
byte about[REGIONS];            /* the transaction: READ, WRITE or NONE */
byte requester[REGIONS];        /* its node */
bit  has_copy[REGIONS];         /* the requester needs no data */
byte answers[REGIONS];          /* acknowledgements that are missing */
bit  sending[REGIONS];          /* its data are on their way out */
bit  deleting[REGIONS];         /* rgn_delete() has been called */
bit  gone[REGIONS];             /* the region exists no more */

#define BIT(node)   (1 << (node))

/* Requests in the order of their arrival: READ or WRITE, node, has_copy. */
chan queue[REGIONS] = [NODES] of { byte, byte, bit };

/* ---- Messages ------------------------------------------------------------ */

/* The bit of a message says whether its data are fresh (specification.pml). */
#define CHANNEL     4

/* to the home */
mtype = { read, write, upgrade, ack, writeback, writeback_kept, flush, info,
          delete, forgotten };
/* from the home: demands, and answers */
mtype = { inv, recall_shared, recall_invalid, forget,
          data_shared, data_exclusive, grant, info_reply, deleted };

chan to_home[COPIES] = [CHANNEL] of { mtype, bit };
chan from_home[COPIES] = [CHANNEL] of { mtype, bit };

/* ---- Variables of a step, 0 between steps -------------------------------- */

byte n, r, i;
byte q_kind, q_node;
bit  q_has;
mtype m;
bit  f;
bit  unused;

inline send(channel, message, data)
{
    assert(nfull(channel));
    channel!message,data
}

/*
 * Takes the first message of a channel. Without CHANNELS_IN_ORDER, it may take
 * the second one instead.
 */
inline receive(channel)
{
    channel?m,f;
    if
    :: !KEEP(CHANNELS_IN_ORDER) && len(channel) > 0 ->
        channel!m,f;
        channel?m,f
    :: true
    fi
}
