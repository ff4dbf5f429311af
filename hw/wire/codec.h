/*
 * Conversion between the frames of protocol.h and structures
 *
 * All functions are pure functions on bytes. link_put_*() appends to a buffer,
 * link_get_*() reads from a frame. Functions that read trust nothing: they
 * return an error if the bytes do not have the protocol's form, or cannot be
 * true of the machine that LinkRules describes. These functions never read
 * outside the bytes that they are given. A function that returns const char *
 * returns NULL, or a text that says what is wrong.
 *
 * Like mesh.h, this file uses the C library alone, so that unit tests and the
 * fuzzer run it without QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_CODEC_H
#define FUGU_LINK_CODEC_H

#include "protocol.h"

/* ---- Writing ------------------------------------------------------------ */

/*
 * A buffer that grows. A buffer that is all zero is empty. The functions abort
 * if there is no memory.
 */
typedef struct LinkBuffer {
    uint8_t *data;
    size_t len, max;
} LinkBuffer;

void link_buffer_free(LinkBuffer *b);
/* Appends @n bytes, which the caller fills; returns their address. */
uint8_t *link_put(LinkBuffer *b, size_t n);
void link_put_bytes(LinkBuffer *b, const void *data, size_t n);

/*
 * link_begin() begins a frame at the end of the buffer; the caller appends the
 * payload. link_finish() completes the frame; @at is the result of
 * link_begin(). link_finish() returns false if the frame is too long.
 */
size_t link_begin(LinkBuffer *b, unsigned type);
bool link_finish(LinkBuffer *b, size_t at);

/* ---- Reading ------------------------------------------------------------ */

typedef struct LinkHeader {
    uint32_t length;            /* bytes of the payload */
    uint16_t type;
} LinkHeader;

/*
 * Reads a header from @data, which has FUGU_LINK_HEADER_BYTES. @max is the
 * longest payload that is allowed.
 */
const char *link_get_header(const uint8_t *data, uint32_t max, LinkHeader *h);

/* The part of a payload that has not been read yet. */
typedef struct LinkReader {
    const uint8_t *data;
    size_t left;
} LinkReader;

/* What the packets of one network may be. */
typedef struct LinkLimits {
    uint32_t words;             /* most words of a message, its body apart; 0:
                                   the network carries nothing */
    uint32_t body;              /* most bytes of a body; 0: there are none */
    bool counts_bodies;         /* flow control counts a body's words too */
    uint32_t stream;            /* words with which a stream opens; its other words
                                   follow and do not count. 0: there are none */
} LinkLimits;

#define LINK_NETWORKS           3       /* equal to FUGU_NETWORKS */

/* Bounds for the packets of a frame. */
typedef struct LinkRules {
    const LinkLimits *limits;   /* LINK_NETWORKS of them */
    uint32_t source, sources;   /* first allowed source, number of them */
    uint32_t dest, dests;       /* first allowed destination, number of them */
    int64_t time;               /* earliest time of sending, in cycles */
    uint32_t cycles;            /* packets are sent in so many from then on;
                                   0: in any number that makes sense */
    int64_t arrival;            /* earliest arrival, in cycles; 0 for packets
                                   to the hub, which have none yet */
} LinkRules;

/* ---- Packets ------------------------------------------------------------ */

#define LINK_PACKET_WORDS       16      /* equal to FUGU_PACKET_WORDS */
#define LINK_BODY_MAX           4096    /* equal to FUGU_PACKET_BODY_MAX */

/* protocol.h describes the members. */
typedef struct LinkPacket {
    int64_t time;
    int64_t arrival;
    uint32_t sequence;
    uint16_t source, dest;
    uint8_t kind, network;
    bool has_body;
    uint8_t count;              /* number of words */
    uint32_t words[LINK_PACKET_WORDS];
    const uint8_t *body;        /* link_get_packet() points this into the
                                   frame */
    uint32_t body_len;          /* bytes */
} LinkPacket;

void link_put_packet(LinkBuffer *b, const LinkPacket *p);
const char *link_get_packet(LinkReader *r, const LinkRules *rules,
                            LinkPacket *p);

/* ---- Frames ------------------------------------------------------------- */

typedef struct LinkHello {
    uint16_t version;
    uint16_t process;
    uint8_t nonce[FUGU_LINK_NONCE_BYTES];
    uint64_t params[FUGU_LINK_PARAMS];
} LinkHello;

void link_put_hello(LinkBuffer *b, const LinkHello *hello);
/* If the version is not ours, only @hello->version is valid. */
const char *link_get_hello(LinkReader r, LinkHello *hello);

typedef struct LinkRound {
    int64_t start, next;
    uint32_t flags, ended, status, cycle;
    uint32_t packets;
    uint32_t output_len;
    const uint8_t *output;      /* link_get_output() points this into the
                                   frame */
} LinkRound;

/* Appends the fixed part. The caller appends the packets, then the output. */
void link_put_round(LinkBuffer *b, const LinkRound *round);
/*
 * Reads the fixed part, of a process with @nodes nodes. The caller then reads
 * all packets, and after them the output with link_get_output(), which also
 * checks that the payload ends there.
 */
const char *link_get_round(LinkReader *r, uint32_t nodes, LinkRound *round);
const char *link_get_output(LinkReader *r, uint32_t len,
                            const uint8_t **output);

/* A piece of console output. */
typedef struct LinkPrint {
    bool error;                 /* for standard error */
    uint32_t len;               /* below FUGU_PRINT_ERROR */
    const uint8_t *data;
} LinkPrint;

void link_put_print(LinkBuffer *b, const LinkPrint *print);
const char *link_get_print(LinkReader *r, LinkPrint *print);

typedef struct LinkGo {
    int64_t start;
    uint32_t packets;
} LinkGo;

void link_put_early(LinkBuffer *b, int64_t start);
const char *link_get_early(LinkReader *r, int64_t not_before, int64_t *start);

/* Appends the fixed part. The caller appends the packets. */
void link_put_go(LinkBuffer *b, const LinkGo *go);
/*
 * Reads the fixed part. The caller then reads all packets, and calls
 * link_get_end(), which checks that the payload ends there.
 */
const char *link_get_go(LinkReader *r, int64_t not_before, LinkGo *go);
const char *link_get_end(LinkReader *r);

typedef struct LinkNode {
    uint32_t state, wait, pc, npc, status;
    int64_t end_time;
    uint64_t digest;
} LinkNode;

/* A node's state and what it waits for must be less than these. */
typedef struct LinkNodeRules {
    uint32_t states, waits;
} LinkNodeRules;

void link_put_node(LinkBuffer *b, const LinkNode *node);
const char *link_get_node(LinkReader *r, const LinkNodeRules *rules,
                          LinkNode *node);

/* A node's note: @text may be NULL, and is cut to FUGU_LINK_NOTE_MAX. */
void link_put_note(LinkBuffer *b, const char *text);
/* Points *@text, which has no final zero, into the frame. */
const char *link_get_note(LinkReader *r, const uint8_t **text, uint32_t *len);

typedef struct LinkAbort {
    uint16_t process, status;
    char text[FUGU_LINK_TEXT_MAX + 1];
} LinkAbort;

void link_put_abort(LinkBuffer *b, const LinkAbort *abort);
const char *link_get_abort(LinkReader r, uint32_t processes,
                           LinkAbort *abort);

/*
 * Reads the rest of a payload as text from another process, and makes it safe
 * for a terminal: replaces all but printable ASCII with '?', and cuts the text
 * after FUGU_LINK_TEXT_MAX bytes.
 */
void link_get_text(LinkReader r, char text[FUGU_LINK_TEXT_MAX + 1]);

/* link_get_u16() and link_get_u32() return false if too few bytes are left. */
bool link_get_u16(LinkReader *r, uint16_t *value);
bool link_get_u32(LinkReader *r, uint32_t *value);
void link_put_u16(LinkBuffer *b, uint16_t value);
void link_put_u32(LinkBuffer *b, uint32_t value);

#endif /* FUGU_LINK_CODEC_H */
