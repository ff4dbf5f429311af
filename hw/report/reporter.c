/*
 * A program of the host that says more about the end of the machine
 *
 * The reporter's standard input is a socket to this process. All numbers there
 * are 32-bit and big-endian. For each node, QEMU sends
 *
 *      node, pc, stack pointer, number of register windows
 *
 * and the locals and ins of those windows: the current window, its caller's,
 * and so on, as far as they have not been saved to the stack. Then
 *
 *      UAC, messages in the input queue, and the local time when the present
 *      atomic section began, as two words; all bits are set if it is unknown
 *
 * The reporter sends any number of requests for the node's memory
 *
 *      address, length
 *
 * which QEMU answers with a length and that many bytes: the length of the
 * request, or 0 if the range is not in the boot image or the node's RAM. At
 * last the reporter sends
 *
 *      0xffffffff, length
 *
 * and a text of that length. The lengths have bounds, and an answer may take
 * some seconds, so that a reporter that fails costs only what it would have
 * said.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include <sys/wait.h>
#include "qemu/bswap.h"
#include "qemu/sockets.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/report/reporter.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"

#define IS_TEXT         0xffffffff      /* instead of an address */
#define MEMORY_MAX      (64 * KiB)      /* bytes of a request */
#define TEXT_MAX        (64 * KiB)
#define PATIENCE        10              /* seconds for the next request */
#define WINDOW_WORDS    16              /* locals and ins of a window */

typedef struct FuguReporter {
    FuguMachineState *machine;
    GPid pid;
    int fd;
    bool failed;
} FuguReporter;

/* ---- Two words and bytes ------------------------------------------------ */

static bool send_bytes(FuguReporter *r, const void *data, size_t length)
{
    r->failed = r->failed || qemu_write_full(r->fd, data, length) != length;
    return !r->failed;
}

static bool receive_bytes(FuguReporter *r, void *data, size_t length)
{
    for (size_t done = 0; !r->failed && done < length; ) {
        ssize_t n = RETRY_ON_EINTR(recv(r->fd, data + done, length - done, 0));

        r->failed = n <= 0;
        done += n;
    }
    return !r->failed;
}

static bool send_words(FuguReporter *r, uint32_t first, uint32_t second)
{
    uint32_t words[] = { cpu_to_be32(first), cpu_to_be32(second) };

    return send_bytes(r, words, sizeof(words));
}

static bool receive_words(FuguReporter *r, uint32_t *first, uint32_t *second)
{
    uint32_t words[2];

    if (!receive_bytes(r, words, sizeof(words))) {
        return false;
    }
    *first = be32_to_cpu(words[0]);
    *second = be32_to_cpu(words[1]);
    return true;
}

/* ---- Requests ----------------------------------------------------------- */

/* Returns bytes of the memory of a node, or NULL if not all of them are there
 * or @length is above MEMORY_MAX. */
static const uint8_t *node_memory(FuguMachineState *m, uint32_t node,
                                  uint32_t address, uint32_t length)
{
    if (length > MEMORY_MAX) {
        return NULL;
    }
    if (address - FUGU_BOOT_BASE <= FUGU_BOOT_SIZE - length) {
        return memory_region_get_ram_ptr(&m->parts.boot) + address -
               FUGU_BOOT_BASE;
    }
    if (address - FUGU_RAM_BASE <= m->options.node_ram - length) {
        return memory_region_get_ram_ptr(&m->parts.ram) +
               fugu_ram_stride(m) * (node - m->parts.first) +
               address - FUGU_RAM_BASE;
    }
    return NULL;
}

static bool send_memory(FuguReporter *r, uint32_t node, uint32_t address,
                        uint32_t length)
{
    const uint8_t *data = node_memory(r->machine, node, address, length);
    uint32_t count = cpu_to_be32(data ? length : 0);

    return send_bytes(r, &count, sizeof(count)) &&
           (!data || send_bytes(r, data, length));
}

static char *receive_text(FuguReporter *r, uint32_t length)
{
    g_autofree char *text = NULL;

    if (length > TEXT_MAX) {
        r->failed = true;
        return NULL;
    }
    text = g_malloc0(length + 1);
    return receive_bytes(r, text, length) ? g_steal_pointer(&text) : NULL;
}

/* The ins of a window are the outs of the next one. Those of the last window
 * are at the end while it is the current one. */
static bool send_window(FuguReporter *r, CPUSPARCState *env, uint32_t window)
{
    uint32_t next = window + 1, words[WINDOW_WORDS];

    if (next == env->nwindows && window != env->cwp) {
        next = 0;
    }
    for (unsigned k = 0; k < 8; k++) {
        words[k] = cpu_to_be32(env->regbase[window * WINDOW_WORDS + 8 + k]);
        words[8 + k] = cpu_to_be32(env->regbase[next * WINDOW_WORDS + k]);
    }
    return send_bytes(r, words, sizeof(words));
}

static bool send_windows(FuguReporter *r, CPUSPARCState *env)
{
    uint32_t window = env->cwp, count = 0;

    do {
        count++;
        window = (window + 1) % env->nwindows;
    } while (count < env->nwindows && !(env->wim & (1 << window)));

    send_words(r, env->regwptr[6], count);
    for (window = env->cwp; count > 0; count--) {
        send_window(r, env, window);
        window = (window + 1) % env->nwindows;
    }
    return !r->failed;
}

static bool send_section(FuguReporter *r, FuguNode *node)
{
    FuguNetifSection section = node->ni->kind->section(node->ni);
    uint64_t since = section.since;

    return send_words(r, section.uac, section.queued) &&
           send_words(r, since >> 32, since);
}

/* Returns what the reporter says about a node, or NULL if it has failed, now or
 * before. */
static char *ask_about(FuguReporter *r, FuguNode *node, uint32_t pc)
{
    uint32_t address, length;

    if (!send_words(r, node->number, pc) ||
        !send_windows(r, &node->cpu.env) || !send_section(r, node)) {
        return NULL;
    }
    while (receive_words(r, &address, &length)) {
        if (address == IS_TEXT) {
            return receive_text(r, length);
        }
        if (!send_memory(r, node->number, address, length)) {
            break;
        }
    }
    return NULL;
}

/* ---- Start and end ------------------------------------------------------ */

/* Starts the reporter. Returns NULL if the machine has none, or if it does not
 * start. */
static FuguReporter *start(FuguMachineState *m)
{
    struct timeval patience = { .tv_sec = PATIENCE };
    g_auto(GStrv) words = NULL;
    FuguReporter *r;
    int ends[2];
    GPid pid;

    if (!m->options.reporter ||
        !g_shell_parse_argv(m->options.reporter, NULL, &words, NULL) ||
        qemu_socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) {
        return NULL;
    }
    if (!g_spawn_async_with_fds(NULL, words, NULL, G_SPAWN_DO_NOT_REAP_CHILD,
                                NULL, NULL, &pid, ends[1], STDERR_FILENO, -1,
                                NULL)) {
        close(ends[0]);
        close(ends[1]);
        return NULL;
    }
    close(ends[1]);
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    r = g_new(FuguReporter, 1);
    *r = (FuguReporter) { .machine = m, .pid = pid, .fd = ends[0] };
    return r;
}

static void end(FuguReporter *r)
{
    close(r->fd);
    kill(r->pid, SIGKILL);      /* it has said all that it is asked for */
    RETRY_ON_EINTR(waitpid(r->pid, NULL, 0));
    g_free(r);
}

GPtrArray *fugu_reporter_notes(FuguMachineState *m, bool ask)
{
    GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
    FuguReporter *r = ask ? start(m) : NULL;

    g_ptr_array_set_size(notes, m->options.node_count);
    for (uint32_t i = m->parts.first; r && i < m->parts.end; i++) {
        FuguNodeStatus status = fugu_node_status(m->parts.nodes[i]);

        if (status.state != FUGU_NODE_ENDED) {
            notes->pdata[i] = ask_about(r, m->parts.nodes[i], status.pc);
        }
    }
    if (r) {
        end(r);
    }
    return notes;
}
