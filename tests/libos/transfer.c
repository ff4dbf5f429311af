/*
 * Transfers of all alignments, and of lengths at the edges of words, messages
 * and bodies: from the network, out of the buffer, by a thread, and begun by a
 * handler. Each node transfers to the next one; a single node to itself. With
 * the argument "handler", a handler calls udm_transfer(), which ends the job.
 *
 * Prints one line per check; the exit status is 1 if a check failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "check.h"
#include "glaze-calls.h"
#include "udm-collective.h"
#include "udm-transfer.h"

#define LONGEST 100000
#define GUARD   16              /* bytes before and after, which must stay */
#define EMPTY   0xee

static const uint32_t lengths[] = {
    0, 1, 3, 4, 5, UDM_TRANSFER_WORDS_MAX, UDM_TRANSFER_WORDS_MAX + 1,
    4095, 4096, 4097, 4100, LONGEST,
};

static uint8_t from[LONGEST + 8] __attribute__((aligned(8)));
static uint8_t to[GUARD + 4 + LONGEST + GUARD] __attribute__((aligned(8)));
static volatile uint32_t came;  /* messages after transfers */
static volatile uint32_t sent;
static uint32_t wrong;

static void comes(void)
{
    udm_dispose();
    came++;
}

static uint32_t next_node(void)
{
    return (udm_node() + 1) % udm_nodes();
}

static uint8_t pattern(uint32_t node, uint32_t at)
{
    return (at * 2654435761u >> 17) + node;
}

/* Counts the bytes of `to` that are not what they should be. */
static uint32_t count_wrong(uint32_t first, uint32_t source, uint32_t bytes)
{
    uint32_t node = (udm_node() + udm_nodes() - 1) % udm_nodes(), count = 0;

    for (uint32_t k = 0; k < GUARD; k++) {
        count += to[first - 1 - k] != EMPTY;
        count += to[first + bytes + k] != EMPTY;
    }
    for (uint32_t k = 0; k < bytes; k++) {
        count += to[first + k] != pattern(node, source + k);
    }
    return count;
}

/* ---- Three ways ---------------------------------------------------------- */

static void by_thread(void *target, const void *source, uint32_t bytes)
{
    udm_transfer(next_node(), target, source, bytes);
    udm_inject(next_node(), comes);
}

static void tell(struct udm_transfer *transfer)
{
    sent++;
    udm_inject(transfer->node, comes);
}

static struct udm_transfer later = { .sent = tell };

/* A handler that begins a transfer. Arguments: the members of `later`. */
static void begins(void)
{
    later.node = udm_arg(0);
    later.to = (void *)udm_arg(1);
    later.from = (const void *)udm_arg(2);
    later.bytes = udm_arg(3);
    udm_dispose();
    wrong += !udm_transfer_later(&later);
    wrong += udm_transfer_later(&later);        /* has begun */
}

static void by_handler(void *target, const void *source, uint32_t bytes)
{
    udm_inject(udm_node(), begins, next_node(), (uintptr_t)target,
               (uintptr_t)source, bytes);
}

/* All nodes keep their messages waiting until all have sent. */
static void by_buffer(void *target, const void *source, uint32_t bytes)
{
    uint64_t start = udm_cycles();
    uint32_t before;

    udm_beginatom();
    before = came;              /* the node before may have sent already */
    glaze_divert();
    by_thread(target, source, bytes);
    while (udm_cycles() - start < 300 * (bytes / 64 + 100)) {
    }
    wrong += came != before;
    udm_endatom();
}

/* ---- All lengths and alignments ------------------------------------------ */

static void test(const char *name,
                 void transfer(void *, const void *, uint32_t))
{
    uint32_t count = sizeof(lengths) / sizeof(lengths[0]);

    wrong = 0;
    for (uint32_t k = 0; k < 16 * count; k++) {
        uint32_t bytes = lengths[k / 16], source = k / 4 % 4;
        uint32_t first = GUARD + k % 4;

        memset(to, EMPTY, first + bytes + GUARD);
        came = 0;
        udm_barrier();
        transfer(to + first, from + source, bytes);
        while (!came) {
        }
        wrong += count_wrong(first, source, bytes);
        udm_barrier();
    }
    check(name, wrong, 0);
}

static void test_messages(void)
{
    uint32_t before = glaze_info(GLAZE_I_INSERTED);

    udm_beginatom();
    glaze_divert();
    udm_transfer(udm_node(), to + GUARD + 1, from + 1, LONGEST);
    udm_endatom();
    udm_inject(udm_node(), comes);
    settle();
    check("a long transfer takes 25 bodies and two short messages",
          glaze_info(GLAZE_I_INSERTED) - before, 27);
}

static void calls(void)
{
    udm_dispose();
    udm_transfer(udm_node(), to, from, 1);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        udm_inject(udm_node(), calls);
        settle();
        return 0;
    }
    for (uint32_t k = 0; k < sizeof(from); k++) {
        from[k] = pattern(udm_node(), k);
    }
    test("by a thread", by_thread);
    test("out of the buffer", by_buffer);
    test("begun by a handler", by_handler);
    check("which learns of each one's end", sent,
          16 * sizeof(lengths) / sizeof(lengths[0]));
    if (udm_nodes() == 1) {
        test_messages();
    }
    return check_end();
}
