/*
 * Frames of protocol.h to structures and back
 *
 * Pure functions on bytes. Reading believes nothing: what does not have the
 * protocol's form, or cannot be true of the machine that LinkRules describes,
 * is an error with a text; nothing is read outside the bytes that are given.
 *
 * Like mesh.h it uses the C library alone, so that unit tests and the fuzzer
 * run it without QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_CODEC_H
#define FUGU_LINK_CODEC_H

#include "protocol.h"

/* ---- Writing ------------------------------------------------------------ */

/* Bytes that grow; all zero is an empty one. Out of memory aborts. */
typedef struct LinkBuffer {
    uint8_t *data;
    size_t len, max;
} LinkBuffer;

void link_buffer_free(LinkBuffer *b);
/* Room for @n bytes more, which the caller fills. */
uint8_t *link_put(LinkBuffer *b, size_t n);
void link_put_bytes(LinkBuffer *b, const void *data, size_t n);

/* A frame begins at the buffer's end; the payload follows. */
size_t link_begin(LinkBuffer *b, unsigned type);
/* It is complete: @at is what link_begin() returned. False: it is too long. */
bool link_finish(LinkBuffer *b, size_t at);

/* ---- Reading ------------------------------------------------------------ */

typedef struct LinkHeader {
    uint32_t length;            /* of the payload */
    uint16_t type;
} LinkHeader;

/* @data has FUGU_LINK_HEADER_BYTES. On an error returns what is wrong. */
const char *link_get_header(const uint8_t *data, uint32_t max, LinkHeader *h);

/* What is left of a payload. */
typedef struct LinkReader {
    const uint8_t *data;
    size_t left;
} LinkReader;

/* What packets may say, and where they may come from. */
typedef struct LinkRules {
    uint32_t source, sources;   /* packets come from these nodes */
    uint32_t dest, dests;       /* and go to those */
    int64_t time;               /* not sent before */
    int64_t arrival;            /* do not arrive before; 0 towards the hub */
} LinkRules;

/* ---- Packets ------------------------------------------------------------ */

#define LINK_PACKET_WORDS       16      /* FUGU_MSG_WORDS */
#define LINK_BODY_MAX           4096    /* bytes */

typedef struct LinkPacket {
    int64_t time;
    int64_t arrival;
    uint32_t sequence;
    uint16_t source, dest;
    uint8_t kind, network;
    bool has_body;
    uint8_t count;              /* of words */
    uint32_t words[LINK_PACKET_WORDS];
    const uint8_t *body;        /* read: points into the frame */
    uint32_t body_len;
} LinkPacket;

void link_put_packet(LinkBuffer *b, const LinkPacket *p);
/* Returns NULL, or what is wrong. */
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
/* With another version than ours only @hello->version is valid. */
const char *link_get_hello(LinkReader r, LinkHello *hello);

typedef struct LinkRound {
    int64_t start, next;
    uint32_t flags, ended, status;
    uint32_t packets;
    uint32_t output_len;
    const uint8_t *output;      /* read: behind the packets */
} LinkRound;

/* Packets come next, then the output. */
void link_put_round(LinkBuffer *b, const LinkRound *round);
/* Leaves the packets in @r: read them all, then link_get_output(). */
const char *link_get_round(LinkReader *r, uint32_t nodes, LinkRound *round);
const char *link_get_output(LinkReader *r, uint32_t len,
                            const uint8_t **output);

typedef struct LinkGo {
    int64_t start;
    uint32_t packets;
} LinkGo;

void link_put_early(LinkBuffer *b, int64_t start);
const char *link_get_early(LinkReader *r, int64_t not_before, int64_t *start);

void link_put_go(LinkBuffer *b, const LinkGo *go);
/* Leaves the packets in @r: read them all, then link_get_end(). */
const char *link_get_go(LinkReader *r, int64_t not_before, LinkGo *go);
const char *link_get_end(LinkReader *r);

typedef struct LinkNode {
    uint32_t state, wait, pc, npc, status;
    int64_t end_time;
    uint64_t digest;
} LinkNode;

/* Bounds of a node's state and what it waits for, exclusive. */
typedef struct LinkNodeRules {
    uint32_t states, waits;
} LinkNodeRules;

void link_put_node(LinkBuffer *b, const LinkNode *node);
const char *link_get_node(LinkReader *r, const LinkNodeRules *rules,
                          LinkNode *node);

typedef struct LinkAbort {
    uint16_t process, status;
    char text[FUGU_LINK_TEXT_MAX + 1];
} LinkAbort;

void link_put_abort(LinkBuffer *b, const LinkAbort *abort);
const char *link_get_abort(LinkReader r, uint32_t processes,
                           LinkAbort *abort);

/* Text of a foreign process, fit for a terminal: printable ASCII, cut. */
void link_get_text(LinkReader r, char text[FUGU_LINK_TEXT_MAX + 1]);

bool link_get_u16(LinkReader *r, uint16_t *value);
bool link_get_u32(LinkReader *r, uint32_t *value);
void link_put_u16(LinkBuffer *b, uint16_t value);
void link_put_u32(LinkBuffer *b, uint32_t value);

#endif /* FUGU_LINK_CODEC_H */
