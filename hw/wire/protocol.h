/*
 * The protocol between the processes of one machine (docs/processes.md)
 *
 * Process 0, the hub, listens. Every other process is a peer: it connects to
 * the hub, and to no other peer. The processes exchange frames: a header and a
 * payload. All numbers are big-endian, and nothing is padded or aligned.
 *
 *   peer                                hub
 *   HELLO   who, parameters, nonce -->
 *                                  <--  CHALLENGE  nonce, proof
 *   PROOF                          -->
 *                                  <--  WELCOME    (or REFUSE, and it hangs up)
 *   then once a round, over and over:
 *   ROUND   what was sent in it    -->
 *                                  <--  GO         when the next one starts,
 *                                                  and what arrives
 *   or, in a machine with one peer, the hub may send EARLY before it has
 *   received ROUND; EARLY counts as GO if ROUND is quiet (below):
 *                                  <--  EARLY      when the next one starts
 *   ROUND                          -->
 *   until the end:
 *                                  <--  FINISH
 *   NODES   the state of each node -->
 *                                  <--  END        the exit status
 *
 * Either side may send ABORT in place of any frame, and hangs up after it.
 *
 * WELCOME says where the later frames go: through the socket, or through rings
 * in shared memory. For rings, the byte that follows WELCOME on the socket
 * carries the memory's file descriptor. Later bytes on the socket only wake a
 * process that sleeps.
 *
 * The header, HELLO's magic and version, and the payload of REFUSE are the
 * same in all versions, so that processes of different versions can tell each
 * other that they differ. Any other change needs a new FUGU_LINK_VERSION.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_PROTO_H
#define FUGU_LINK_PROTO_H

#define FUGU_LINK_MAGIC         0x46554755u     /* "FUGU" */
#define FUGU_LINK_VERSION       8

/* ---- Every frame -------------------------------------------------------- */

/*
 *  0  u32  bytes of the payload, at most FUGU_LINK_FRAME_MAX
 *  4  u16  type, FUGU_FRAME_*
 *  6  u16  0
 */
#define FUGU_LINK_HEADER_BYTES  8
#define FUGU_LINK_FRAME_MAX     (64u << 20)
/*
 * The longest payload until the handshake is over: the other side has not
 * proved yet that it knows the secret.
 */
#define FUGU_LINK_GREETING_MAX  1024u

enum {
    FUGU_FRAME_HELLO = 1,
    FUGU_FRAME_CHALLENGE,
    FUGU_FRAME_PROOF,
    FUGU_FRAME_WELCOME,
    FUGU_FRAME_REFUSE,
    FUGU_FRAME_ROUND,
    FUGU_FRAME_GO,
    FUGU_FRAME_FINISH,
    FUGU_FRAME_NODES,
    FUGU_FRAME_END,
    FUGU_FRAME_ABORT,
    FUGU_FRAME_EARLY,
    FUGU_FRAME_TYPES
};

/* ---- Handshake ---------------------------------------------------------- */

#define FUGU_LINK_NONCE_BYTES   32
#define FUGU_LINK_PROOF_BYTES   32              /* HMAC-SHA256 */

/*
 * HELLO
 *  0  u32  FUGU_LINK_MAGIC
 *  4  u16  FUGU_LINK_VERSION
 *  6  u16  the peer's process
 *  8  u8   nonce[FUGU_LINK_NONCE_BYTES]
 * 40  u64  parameters[FUGU_LINK_PARAMS], in the order below
 *
 * CHALLENGE
 *  0  u8   nonce[FUGU_LINK_NONCE_BYTES]
 * 32  u8   proof[FUGU_LINK_PROOF_BYTES]
 *
 * PROOF
 *  0  u8   proof[FUGU_LINK_PROOF_BYTES]
 *
 * A proof is the HMAC-SHA256, keyed with the shared secret, of the byte 'H'
 * (from the hub) or 'P' (from the peer), the peer's nonce, the hub's nonce,
 * and the payload of HELLO. Without a secret the key is empty.
 *
 * WELCOME
 *  0  u16  FUGU_LINK_SOCKET or FUGU_LINK_RINGS: where the frames go
 *
 * REFUSE
 *  0  the reason, as text without a final zero
 */
enum { FUGU_LINK_SOCKET, FUGU_LINK_RINGS };

#define FUGU_LINK_HELLO_FIXED   (8 + FUGU_LINK_NONCE_BYTES)
#define FUGU_LINK_HELLO_BYTES   (FUGU_LINK_HELLO_FIXED + 8 * FUGU_LINK_PARAMS)
#define FUGU_LINK_CHALLENGE_BYTES \
    (FUGU_LINK_NONCE_BYTES + FUGU_LINK_PROOF_BYTES)

/*
 * The parameters on which all processes of a machine must agree: identifier,
 * and name for messages.
 */
#define FUGU_LINK_PARAM_LIST(X)                 \
    X(PROCESSES, "processes")                   \
    X(NODES, "nodes")                           \
    X(QUANTUM, "quantum")                       \
    X(MESH_WIDTH, "mesh width")                 \
    X(MESH_HEIGHT, "mesh height")               \
    X(MESH_BASE, "mesh-base")                   \
    X(MESH_HOP, "mesh-hop")                     \
    X(MESH_WORD, "mesh-word")                   \
    X(SECOND_BASE, "second-base")               \
    X(SECOND_HOP, "second-hop")                 \
    X(SECOND_WORD, "second-word")               \
    X(INPUT_QUEUE, "input-queue")               \
    X(SOURCE_SPACE, "source-space")             \
    X(DMA_WORD, "dma-word")                     \
    X(PACKET_MAX, "packet-max")                 \
    X(INCOMING_WORD, "incoming-word")           \
    X(WRITE_THROUGH, "write-through")           \
    X(PIN_CYCLES, "pin-cycles")                 \
    X(ATOMICITY, "soft atomicity")              \
    X(CACHE, "cache")                           \
    X(CACHE_SIZE, "cache-size")                 \
    X(CACHE_MISS, "cache-miss")                 \
    X(NODE_RAM, "node-ram")                     \
    X(LABEL, "label")                           \
    X(RAW, "raw")                               \
    X(TERMINALS, "terminals")                   \
    X(OUTPUT_MAX, "output-max")                 \
    X(NETWORK_INTERFACE, "kind of network interface") \
    X(BUILD, "build of QEMU")    /* names what it was made from */ \
    X(PROGRAM, "program")        /* a hash of the boot image's contents */ \
    X(ARGUMENTS, "list of arguments")    /* a hash of the program's */

enum {
#define X(id, name) FUGU_LINK_PARAM_##id,
    FUGU_LINK_PARAM_LIST(X)
#undef X
    FUGU_LINK_PARAMS
};

/* ---- Rounds ------------------------------------------------------------- */

/*
 * ROUND
 *  0  i64  start of the round that is over, in cycles
 *  8  i64  time of the next event of the peer's nodes, or INT64_MAX
 * 16  u32  FUGU_ROUND_* flags
 * 20  u32  nodes that have ended
 * 24  u32  status to end with, if FUGU_ROUND_STOPS
 * 28  u32  and for what happened in this cycle of the round
 * 32  u32  number of packets
 * 36  u32  bytes of console output
 * 40  packets, then console output
 *
 * GO
 *  0  i64  start of the next round. If it is later than the end of the peer's
 *          last round, no node of a peer has anything to do in between
 *  8  u32  number of packets, sent in any round before that start
 * 12  packets
 *
 * EARLY
 *  0  i64  start of the next round
 *
 * Console output is a sequence of pieces:
 *  0  u32  bytes of the piece; FUGU_PRINT_ERROR is set in it if the piece goes
 *          to standard error
 *  4  the bytes
 *
 * ROUND is quiet if it has no packets and FUGU_ROUND_STOPS is not set. The hub
 * may send EARLY when its own nodes have run the round, have sent nothing, and
 * will run the next one whatever the peer says. If ROUND is quiet, both sides
 * then start the next round as EARLY says, and the hub sends no GO. Otherwise
 * EARLY has no effect, and GO follows.
 */
#define FUGU_ROUND_BUSY         (1u << 0)       /* some node runs */
#define FUGU_ROUND_STOPS        (1u << 1)       /* the machine is to end */
#define FUGU_ROUND_WAKES        (1u << 2)       /* input at a console can wake
                                                   a node */
#define FUGU_ROUND_FLAGS        7u

#define FUGU_PRINT_ERROR        0x80000000u

#define FUGU_LINK_ROUND_FIXED   40
#define FUGU_LINK_GO_FIXED      12
#define FUGU_LINK_EARLY_BYTES   8

/*
 * A packet is a message or a credit (machine/packet.h)
 *  0  i64  time at which the packet left its source, in cycles
 *  8  i64  time of its arrival at the destination; 0 towards the hub
 * 16  u32  sequence number, counted by the source
 * 20  u16  source node
 * 22  u16  destination node
 * 24  u8   kind, FUGU_PACKET_*
 * 25  u8   logical network
 * 26  u8   1: the message has a body, or the credit is for such a message
 * 27  u8   number of words that follow: 1 to 16, the message's descriptor; 1
 *          for a credit
 * 28  u32  bytes of the body, a multiple of 4
 * 32  u32  words[], then the body
 */
#define FUGU_LINK_PACKET_FIXED  32

/* ---- The end ------------------------------------------------------------ */

/*
 * FINISH
 *  0  u32  1: the nodes' records get notes; 0: all notes are empty
 *
 * NODES
 *  0  u32  bytes of console output
 *  4  u32  0, or the exit status if the peer could not write its nodes' files
 *  8  one record for each node of the peer, in order, then console output
 *
 * A node's record
 *  0  u32  state, FUGU_NODE_*
 *  4  u32  what the node waits for, FUGU_WAIT_*
 *  8  u32  pc
 * 12  u32  npc
 * 16  u32  status
 * 20  i64  time at which the node ended, in cycles
 * 28  u64  digest
 * 36  u32  bytes of the note that follows: what the peer's reporter says about
 *          the node (report/reporter.h), at most FUGU_LINK_NOTE_MAX
 *
 * END
 *  0  u32  exit status of every process
 *
 * ABORT
 *  0  u16  the process that has caused the end
 *  2  u16  exit status
 *  4  the reason, as text without a final zero: the predicate of a sentence
 *     whose subject is the process, such as "has gone"
 */
#define FUGU_LINK_NODES_FIXED   8
#define FUGU_LINK_NODE_BYTES    36      /* of a record without its note */
#define FUGU_LINK_NOTE_MAX      (16u << 10)
#define FUGU_LINK_END_BYTES     4
#define FUGU_LINK_ABORT_FIXED   4
#define FUGU_LINK_TEXT_MAX      200

#endif /* FUGU_LINK_PROTO_H */
