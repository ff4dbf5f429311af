/*
 * Keys of MBCF. This file is compiled without register windows (-mflat), because
 * quick_call() calls keys_keep() in its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/directory.h"
#include "machine/hardware.h"
#include "machine/pending.h"
#include "services/mbcf/keys.h"
#include "machine/ni.h"

#define CANCELS         0x80000000

struct kept_key keys_kept[KEYS_KEPT];

static uint64_t secret[2];      /* of the run: SipHash's key */

/* ---- SipHash ------------------------------------------------------------- */

#define INLINE inline __attribute__((always_inline))

/* A variable of SipHash. */
struct sip {
    uint64_t v[4];
};

static INLINE uint64_t sip_rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static INLINE void sip_rounds(struct sip *s, unsigned count)
{
    uint64_t a = s->v[0], b = s->v[1], c = s->v[2], d = s->v[3];

    while (count--) {
        a += b;
        b = sip_rotate(b, 13) ^ a;
        a = sip_rotate(a, 32);
        c += d;
        d = sip_rotate(d, 16) ^ c;
        a += d;
        d = sip_rotate(d, 21) ^ a;
        c += b;
        b = sip_rotate(b, 17) ^ c;
        c = sip_rotate(c, 32);
    }
    *s = (struct sip) { { a, b, c, d } };
}

static INLINE struct sip sip_begin(const uint64_t key[2])
{
    return (struct sip) { {
        key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
        key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573,
    } };
}

static INLINE void sip_add(struct sip *s, uint64_t word)
{
    s->v[3] ^= word;
    sip_rounds(s, 2);
    s->v[0] ^= word;
}

static INLINE uint64_t sip_end(struct sip *s)
{
    s->v[2] ^= 0xff;
    sip_rounds(s, 4);
    return s->v[0] ^ s->v[1] ^ s->v[2] ^ s->v[3];
}

/* ---- The secret ---------------------------------------------------------- */

/* Cycles to hash a word of the command line, at most. */
#define WORD_MOST       1000

/*
 * The command line's SipHashes, one for each word of the secret. The message of each
 * is its number, 8 bytes, and the line. Returns whether that is over: the line may be
 * longer than there is time for, and then the next call goes on.
 */
static __attribute__((cold, noinline)) bool hash_line(void)
{
    static const char *next;
    static struct sip sip[2];
    const char *line = (const char *)(FUGU_PARAM_BASE + FUGU_PARAM_CMDLINE);

    if (!next) {
        next = line;
        for (unsigned k = 0; k < 2; k++) {
            sip[k] = sip_begin(directory_secret());
            sip_add(&sip[k], k);
        }
    }
    while (kernel_has_time(now(), WORD_MOST)) {
        unsigned bytes;
        uint64_t word = 0;

        for (bytes = 0; bytes < 8 && next[bytes]; bytes++) {
            word |= (uint64_t)(uint8_t)next[bytes] << 8 * bytes;
        }
        next += bytes;
        if (bytes < 8) {
            word |= (uint64_t)(8 + next - line) << 56;
        }
        sip_add(&sip[0], word);
        sip_add(&sip[1], word);
        if (bytes < 8) {
            secret[0] = sip_end(&sip[0]);
            secret[1] = sip_end(&sip[1]);
            return true;
        }
    }
    return false;
}

bool keys_init(void)
{
    return secret[0] | secret[1] || hash_line();
}

/* ---- Keys ---------------------------------------------------------------- */

/*
 * Returns a key. SipHash's message is node, number and agent, 4 bytes each, the
 * lowest one first.
 */
static INLINE uint64_t make(uint32_t node, uint32_t number, uint32_t agent)
{
    struct sip s = sip_begin(secret);

    sip_add(&s, (uint64_t)number << 32 | node);
    sip_add(&s, (uint64_t)12 << 56 | agent);
    return sip_end(&s);
}

void keys_keep(struct kept_key *kept, uint32_t node, uint32_t number)
{
    kept->key = make(node, number, 0);
    kept->name = number << 16 | node;
}

uint64_t keys_of_agent(uint32_t node, uint32_t number, uint32_t agent)
{
    return make(node, number, agent);
}

uint64_t keys_of_cancel(uint32_t node, uint32_t number, uint32_t by_node,
                        uint32_t by)
{
    return make(node, number, CANCELS | by_node << 8 | by);
}
