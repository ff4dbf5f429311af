/*
 * Packets of MBCF: messages to a kernel on the first network. Only kernels can
 * send them, so a kernel trusts what another one has written: source, task and
 * ticket. Address, key and data are the program's.
 *
 * A command's packet:
 *
 *   0     header
 *   1     packet_handler
 *   2     command, options, agent and GID of the target, a byte each
 *   3, 4  access key
 *   5     address in the target. WRITE_QUEUE: the number of the requester's job
 *         if the target may cancel that job, or 0
 *   6     ticket: the requester's kernel gets it back in the reply
 *   7     GID of the requester, and number of bytes
 *   8     operands, then up to MBCF_INLINE_MAX bytes. More bytes are a body.
 *         The operands of a multicast that has been passed on say which one it
 *         is: the first requester's node and GID, and its ticket
 *
 * A reply's packet has the same words 0 to 2, 6 and 7, the status in word 3, the
 * old value of a word in word 4, and in word 5 the cycles for which the task has
 * to wait before it requests something of the node again (load.h).
 *
 * Several commands in one packet: word 2 says PACKET_COMBINED and one of their GIDs,
 * the words 3 to 6 are unused, and the body consists of the words 2 to 15 of each
 * command. Each names its task: all tasks of a node are reached.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PACKET_H
#define GLAZE_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze-mbcf.h"

/* Kinds of packets beside the commands of programs. */
#define PACKET_REPLY    0x80
#define PACKET_COMBINED 0x81
#define PACKET_CAST_REPLY 0x82          /* to a multicast that has been passed
                                           on */
#define PACKET_ASK      0x83            /* a command that does nothing, for its reply
                                           (requests.c) */

/* An option that only kernels set: the requester's kernel wants a reply. */
#define PACKET_LOUD     0x80

/*
 * In the options of a multicast: how often it has been passed on. Programs'
 * colours, which have these bits in requests, are no part of packets.
 */
#define PACKET_DEPTH_SHIFT 4
#define PACKET_DEPTH_MASK 7

/* The words of a packet, */
#define PACKET_HEAD     2       /* command, options, agent, GID: a byte each */
#define PACKET_KEY_HIGH 3
#define PACKET_KEY_LOW  4
#define PACKET_ADDRESS  5
#define PACKET_TICKET   6
#define PACKET_FROM     7       /* GID of the requester, number of bytes */
#define PACKET_DATA     8       /* the first word of operands and bytes */
/* and those of a reply in the same places. */
#define PACKET_STATUS   3
#define PACKET_OLD      4       /* value of a word */
#define PACKET_DELAY    5       /* cycles */

#define PACKET_BODY_WORDS (PACKET_DATA + 4)     /* operands, and address and
                                                   length of a body */
#define PACKET_PART     (FUGU_MSG_WORDS - 2)    /* words of a command in a
                                                   combined packet */

struct packet {
    uint32_t word[FUGU_MSG_WORDS];
    uint32_t node;              /* destination, or source */
    uint32_t body;              /* physical address of bytes that are no part
                                   of the words; 0: there are none */
    union {
        uint32_t body_rest;     /* the same for the bytes after a page's end;
                                   only of packets that are sent */
        uint32_t body_done;     /* bytes of the body that have been stored already;
                                   only of commands that wait */
    };
};

static inline uint32_t packet_head(uint32_t command, uint32_t options,
                                   uint32_t task)
{
    return command << 24 | options << 16 | task;
}

static inline uint32_t packet_command(const struct packet *p)
{
    return p->word[PACKET_HEAD] >> 24;
}

static inline uint32_t packet_options(const struct packet *p)
{
    return p->word[PACKET_HEAD] >> 16 & 0xff;
}

static inline uint32_t packet_depth(const struct packet *p)
{
    return packet_options(p) >> PACKET_DEPTH_SHIFT & PACKET_DEPTH_MASK;
}

static inline uint32_t packet_agent(const struct packet *p)
{
    return p->word[PACKET_HEAD] >> 8 & 0xff;
}

static inline uint32_t packet_address(const struct packet *p)
{
    return p->word[PACKET_ADDRESS];
}

static inline uint32_t packet_gid(const struct packet *p)
{
    return p->word[PACKET_HEAD] & 0xff;
}

static inline uint64_t packet_key(const struct packet *p)
{
    return (uint64_t)p->word[PACKET_KEY_HIGH] << 32 | p->word[PACKET_KEY_LOW];
}

static inline uint32_t packet_source(const struct packet *p)
{
    return p->word[PACKET_FROM] >> 24;
}

static inline uint32_t packet_bytes(const struct packet *p)
{
    return p->word[PACKET_FROM] & 0xffff;
}

/*
 * The handler that packets name: packet_init() sets it, once, at the start. It
 * is a function of the kernel's image, so its address is the same on all nodes.
 */
extern void (*packet_handler)(void);
void packet_init(void (*handler)(void));

/* Returns how many words of operands a command has before its bytes. */
unsigned packet_operands(uint32_t command);

/* Returns whether a command works on a word, and has an old value. */
static inline bool packet_is_of_word(uint32_t command)
{
    return command >= MBCF_SWAP && command <= MBCF_COMP_SWAP;
}

/* Returns whether a command moves bytes, in either direction. */
bool packet_moves_bytes(uint32_t command);

/*
 * Returns whether a command stores its bytes where a structure of the target says: so
 * two of them may store at the same place.
 */
static inline bool packet_is_pointed(const struct packet *p)
{
    return packet_command(p) >= MBCF_FIFO && packet_command(p) <= MBCF_SIGNAL;
}

/* Returns whether the bytes of a READ have to be shifted before they can be sent. */
static inline bool packet_is_shifted_read(const struct packet *p)
{
    return packet_command(p) == MBCF_READ && packet_address(p) & 3 &&
           packet_bytes(p) > MBCF_INLINE_MAX;
}

/* Returns how many bytes of a command fit into the words of a packet. */
static inline uint32_t packet_inline_max(uint32_t command)
{
    return MBCF_INLINE_MAX - sizeof(uint32_t) * packet_operands(command);
}

/* Returns whether the bytes of a packet are in a body. */
bool packet_has_body(const struct packet *p);

/* Returns the address of a packet's bytes. */
const void *packet_data(const struct packet *p);

/*
 * Sends a packet to p->node. Returns false, with nothing sent, if the network
 * has no space now: a kernel does not wait for the first network. Bytes of a
 * body are read at once; p->body is a multiple of 4.
 */
bool packet_send(const struct packet *p);

/* How many packets packet_send() has sent so far. */
extern uint32_t packets_sent;

/*
 * Copies the words of the head message, which is a packet. The others become 0:
 * packets that wait are copied to a page that their task can read.
 */
void packet_peek(struct packet *p);

/*
 * Returns whether a packet has to stay in the network until a frame for its
 * body is free: none is, but pages can go to backing store.
 */
bool packet_must_stay(void);

/*
 * Stores bytes of the head message's body, from one of its offsets on, at the same
 * offset from a physical address. All are multiples of 4. The message stays.
 */
void packet_take_part(uint32_t to, uint32_t offset, uint32_t bytes);

/*
 * Takes the head message off the network. Stores its body, if there is one, at
 * a physical address, a multiple of 4, or drops it: 0.
 */
void packet_take(uint32_t to);

#endif /* GLAZE_PACKET_H */
