/*
 * The link: connecting and the handshake, the part common to both sides
 *
 * All of this runs in the main thread when the machine is complete and no
 * processor runs yet, and has to succeed before a deadline. This file has the
 * parameters on which all processes must agree, and the proofs by which they
 * show that they know the secret.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "crypto/hmac.h"
#include "crypto/random.h"
#include "crypto/secret.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/sockets.h"
#include "qemu/xxhash.h"
#include "system/runstate.h"
#include <netinet/tcp.h>
#include "hw/fugu/link/join.h"
#include "hw/fugu/machine/netif.h"

void link_give_up(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    error_printf("fugu: ");
    error_vprintf(fmt, ap);
    error_printf("\n");
    va_end(ap);
    exit(FUGU_STATUS_PEER);
}

const char *link_bound_text(LinkJoin *j)
{
    static char text[40];

    snprintf(text, sizeof(text), "%g s", j->m->options.link_timeout / 1000.0);
    return text;
}

int link_ms_left(LinkJoin *j)
{
    return MAX(0, (j->deadline - g_get_monotonic_time()) / 1000);
}

void link_check_signal(void)
{
    if (qemu_shutdown_requested_get() != SHUTDOWN_CAUSE_NONE) {
        exit(FUGU_STATUS_SIGNAL);
    }
}

/*
 * Timeout of poll(). A signal that comes just before poll() is noticed after
 * this time.
 */
#define POLL_MS         50

bool link_poll(LinkJoin *j, struct pollfd *fds, unsigned n)
{
    link_check_signal();
    return poll(fds, n, MIN(link_ms_left(j), POLL_MS)) > 0 &&
           link_ms_left(j) > 0;
}

/* ---- What all must agree on --------------------------------------------- */

static uint64_t hash(const char *data, size_t len)
{
    uint64_t h = len;

    for (size_t i = 0; i < len; i++) {
        h = XXH64_round(h, (uint8_t)data[i]);
    }
    return XXH64_avalanche(h);
}

static uint64_t hash_file(const char *name)
{
    g_autofree char *data = NULL;
    gsize len;

    return name && g_file_get_contents(name, &data, &len, NULL)
           ? hash(data, len) : 0;
}

static void set_params(LinkJoin *j)
{
    FuguMachineState *m = j->m;
    const char *args = MACHINE(m)->kernel_cmdline ?: "";
    const uint64_t values[FUGU_LINK_PARAMS] = {
        [FUGU_LINK_PARAM_PROCESSES] = m->options.processes,
        [FUGU_LINK_PARAM_NODES] = m->options.node_count,
        [FUGU_LINK_PARAM_QUANTUM] = m->options.quantum,
        [FUGU_LINK_PARAM_MESH_WIDTH] = m->options.main_params.width,
        [FUGU_LINK_PARAM_MESH_HEIGHT] = m->options.main_params.height,
        [FUGU_LINK_PARAM_MESH_BASE] = m->options.main_params.base,
        [FUGU_LINK_PARAM_MESH_HOP] = m->options.main_params.hop,
        [FUGU_LINK_PARAM_MESH_WORD] = m->options.main_params.word,
        [FUGU_LINK_PARAM_SECOND_BASE] = m->options.second_params.base,
        [FUGU_LINK_PARAM_SECOND_HOP] = m->options.second_params.hop,
        [FUGU_LINK_PARAM_SECOND_WORD] = m->options.second_params.word,
        [FUGU_LINK_PARAM_INPUT_QUEUE] = m->options.input_queue,
        [FUGU_LINK_PARAM_SOURCE_SPACE] = m->options.source_space,
        [FUGU_LINK_PARAM_DMA_WORD] = m->options.dma_word,
        [FUGU_LINK_PARAM_PACKET_MAX] = m->options.packet_max,
        [FUGU_LINK_PARAM_INCOMING_WORD] = m->options.incoming_word,
        [FUGU_LINK_PARAM_WRITE_THROUGH] = m->options.write_through,
        [FUGU_LINK_PARAM_PIN_CYCLES] = m->options.pin_cycles,
        [FUGU_LINK_PARAM_ATOMICITY] = m->options.atomicity,
        [FUGU_LINK_PARAM_CACHE] = m->options.cache,
        [FUGU_LINK_PARAM_CACHE_SIZE] = m->options.cache_size,
        [FUGU_LINK_PARAM_CACHE_MISS] = m->options.cache_miss,
        [FUGU_LINK_PARAM_NODE_RAM] = m->options.node_ram,
        [FUGU_LINK_PARAM_LABEL] = m->options.label,
        [FUGU_LINK_PARAM_RAW] = m->options.raw,
        [FUGU_LINK_PARAM_TERMINALS] = m->options.terminals,
        [FUGU_LINK_PARAM_OUTPUT_MAX] = m->options.output_max,
        [FUGU_LINK_PARAM_NETWORK_INTERFACE] = fugu_netif_kind(m)->number,
        [FUGU_LINK_PARAM_BUILD] = m->options.link_build,
        [FUGU_LINK_PARAM_PROGRAM] = hash_file(MACHINE(m)->kernel_filename),
        [FUGU_LINK_PARAM_ARGUMENTS] = hash(args, strlen(args)),
    };

    memcpy(j->params, values, sizeof(values));
}

char *link_difference(LinkJoin *j, const uint64_t *theirs)
{
    static const char *const names[] = {
#define X(id, name) name,
        FUGU_LINK_PARAM_LIST(X)
#undef X
    };

    for (unsigned i = 0; i < FUGU_LINK_PARAMS; i++) {
        if (theirs[i] == j->params[i]) {
            continue;
        }
        if (i >= FUGU_LINK_PARAM_BUILD) {
            return g_strdup_printf("has a different %s from the hub's",
                                   names[i]);
        }
        return g_strdup_printf("has %s=%" PRIu64 ", but the hub has %" PRIu64,
                               names[i], theirs[i], j->params[i]);
    }
    return NULL;
}

/* ---- Proofs ------------------------------------------------------------- */

void link_random_bytes(uint8_t *data, size_t n)
{
    qcrypto_random_bytes(data, n, &error_fatal);
}

void link_prove(LinkJoin *j, char side, const uint8_t *hub_nonce,
                const LinkHello *hello, uint8_t proof[FUGU_LINK_PROOF_BYTES])
{
    g_autoptr(QCryptoHmac) hmac = qcrypto_hmac_new(QCRYPTO_HASH_ALGO_SHA256,
                                                   j->secret, j->secret_len,
                                                   &error_fatal);
    g_autofree uint8_t *result = NULL;
    LinkBuffer b = { 0 };
    size_t len = 0;

    link_put_bytes(&b, &side, 1);
    link_put_bytes(&b, hello->nonce, FUGU_LINK_NONCE_BYTES);
    link_put_bytes(&b, hub_nonce, FUGU_LINK_NONCE_BYTES);
    link_put_hello(&b, hello);
    qcrypto_hmac_bytes(hmac, (char *)b.data, b.len, &result, &len,
                       &error_fatal);
    assert(len == FUGU_LINK_PROOF_BYTES);
    memcpy(proof, result, len);
    link_buffer_free(&b);
}

/* Runs in constant time, so that the time does not reveal a proof. */
bool link_proofs_equal(const uint8_t *a, const uint8_t *b)
{
    uint8_t differ = 0;

    for (unsigned i = 0; i < FUGU_LINK_PROOF_BYTES; i++) {
        differ |= a[i] ^ b[i];
    }
    return differ == 0;
}

static void read_secret(LinkJoin *j)
{
    if (j->m->options.link_secret) {
        qcrypto_secret_lookup(j->m->options.link_secret, &j->secret,
                              &j->secret_len, &error_fatal);
    } else {
        j->secret = g_new0(uint8_t, 1);
    }
}

/* ---- Sockets ------------------------------------------------------------ */

/* On other sockets the calls fail, which does no harm. */
void link_tune_tcp(int fd)
{
    const struct {
        int level, option, value;
    } options[] = {
        { IPPROTO_TCP, TCP_NODELAY, 1 },
        { SOL_SOCKET, SO_KEEPALIVE, 1 },
        { IPPROTO_TCP, TCP_KEEPIDLE, 5 },           /* seconds */
        { IPPROTO_TCP, TCP_KEEPINTVL, 1 },
        { IPPROTO_TCP, TCP_KEEPCNT, 5 },
        { IPPROTO_TCP, TCP_USER_TIMEOUT, 10000 },   /* milliseconds */
    };

    for (unsigned i = 0; i < ARRAY_SIZE(options); i++) {
        setsockopt(fd, options[i].level, options[i].option, &options[i].value,
                   sizeof(options[i].value));
    }
}

void link_joined(LinkPipe *p)
{
    p->frame_max = FUGU_LINK_FRAME_MAX;
    p->ahead = true;
}

/* ---- Both sides --------------------------------------------------------- */

void link_join_init(LinkJoin *j, FuguLink *link)
{
    FuguMachineState *m = link->machine;

    *j = (LinkJoin) {
        .link = link,
        .m = m,
        .deadline = g_get_monotonic_time() +
                    INT64_C(1000) * m->options.link_timeout,
    };
    read_secret(j);
    set_params(j);
}
