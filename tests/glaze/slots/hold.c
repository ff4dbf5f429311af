/*
 * How long system calls and other traps keep the node from other work.
 * test_long_calls.py runs it, and says what the results must be.
 *
 *      hold read BYTES         one READ of BYTES bytes, after input has come
 *      hold section WAY        an atomic section that only does WAY, again and
 *                              again, while a message waits: how long until
 *                              the kernel moves the message to the buffer
 *      hold free WAY           the same without a message: how many timeouts
 *      hold sections NODE UNTIL
 *                              on that node, sections that compute while a message
 *                              waits, until a cycle: the longest one, and how many
 *                              timeouts. Ends at once on the others
 *      hold handler CYCLE      a handler of node 0 that begins about then, and
 *                              computes until the process is in buffered mode
 *      hold end NODE CYCLE     computes on that node until then; ends at once on
 *                              the others
 *
 * Prints one line. The exit status is 0; 2 for wrong arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"

#define BOUND   50000000        /* cycles until the program gives up */

/* ---- READ ---------------------------------------------------------------- */

static int read_input(uint32_t bytes)
{
    static char text[100000];
    uint32_t start, cycles;
    int32_t got;

    memset(text, 0, sizeof(text));              /* now its pages are there */
    while (!glaze_read(text, 1)) {
        /* no input yet */
    }
    start = udm_cycles32();
    got = glaze_read(text, bytes);
    cycles = udm_cycles32() - start;
    printf("read: %ld bytes in %lu cycles\n", (long)got,
           (unsigned long)cycles);
    return 0;
}

/* ---- Sections ------------------------------------------------------------ */

#define HEAP    0x20000000

static char line[1024];
static struct glaze_count count;

static void write_lines(void)
{
    glaze_write(line, sizeof(line));
}

static void map_and_unmap(void)
{
    glaze_map(HEAP, 64 * GLAZE_PAGE);
    glaze_unmap(HEAP, 64 * GLAZE_PAGE);
}

static void count_all(void)
{
    glaze_count(&count);
}

static void flush(void)
{
    glaze_flush_windows();
}

static void ask_nothing(void)
{
    glaze_call(GLAZE_CALLS, 0, 0, 0);
}

static void poll_input(void)
{
    char byte;

    glaze_read(&byte, 1);
}

static void wait_for_message(void)
{
    glaze_wait();
}

/* Traps without an instruction of the program between them. The section then has
 * a message to dispose of. */
static void next_handlers(void)
{
    asm volatile (".rept 1000\n\tta %0\n\t.endr" : : "i" (GLAZE_TRAP_NEXT));
}

/* Windows that go to the stack and come back. */
static void __attribute__((noinline)) windows_deep(unsigned depth)
{
    if (depth) {
        windows_deep(depth - 1);
        asm volatile ("" : : : "memory");       /* no tail call */
    }
}

static void windows(void)
{
    windows_deep(20);
}

static const struct {
    const char *name;
    void (*work)(void);
} ways[] = {
    { "write", write_lines },
    { "map", map_and_unmap },
    { "count", count_all },
    { "flush", flush },
    { "nothing", ask_nothing },
    { "read", poll_input },
    { "wait", wait_for_message },
    { "windows", windows },
    { "next", next_handlers },
};

static void null(void)
{
    udm_dispose();
}

static int section(const char *name, bool with_message)
{
    uint32_t start, longest = 0, cycles = 0, before;
    void (*work)(void) = NULL;

    for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        work = strcmp(name, ways[i].name) ? work : ways[i].work;
    }
    if (!work) {
        return 2;
    }
    memset(line, '\n', sizeof(line));
    work();     /* now its pages are there, and its code is cached */
    before = glaze_info(GLAZE_I_CAUSES + 4 * GLAZE_IN_TIMEOUT);
    udm_beginatom();
    if (with_message) {
        udm_inject(udm_node(), null);
        while (!udm_available()) {
            /* the message is under way */
        }
    }
    start = udm_cycles32();
    while (glaze_info(GLAZE_I_MODE) == GLAZE_FAST && cycles < BOUND &&
           (with_message || cycles < 1000000)) {
        uint32_t begin = udm_cycles32();

        work();
        cycles = udm_cycles32() - start;
        begin = udm_cycles32() - begin;
        longest = begin > longest ? begin : longest;
    }
    if (with_message) {
        udm_dispose();
    }
    udm_endatom();
    printf("%s: held for %lu cycles, %lu at a time, %lu timeouts\n", name,
           (unsigned long)cycles, (unsigned long)longest,
           (unsigned long)(glaze_info(GLAZE_I_CAUSES + 4 * GLAZE_IN_TIMEOUT) -
                           before));
    return 0;
}

/* Returns how many cycles a section has had while a message waited. */
static uint32_t one_section(void)
{
    uint32_t start, cycles = 0;

    udm_beginatom();
    udm_inject(udm_node(), null);
    while (!udm_available()) {
        /* the message is under way */
    }
    start = udm_cycles32();
    while (glaze_info(GLAZE_I_MODE) == GLAZE_FAST && cycles < BOUND) {
        cycles = udm_cycles32() - start;
    }
    udm_dispose();
    udm_endatom();
    return cycles;
}

static int sections(uint32_t node, uint32_t end)
{
    uint32_t longest = 0;

    if (udm_node() != node) {
        return 0;
    }
    while (udm_cycles() < end) {
        uint32_t cycles = one_section();

        longest = cycles > longest ? cycles : longest;
    }
    printf("sections: held for %lu cycles, 0 at a time, %lu timeouts\n",
           (unsigned long)longest,
           (unsigned long)glaze_info(GLAZE_I_CAUSES + 4 * GLAZE_IN_TIMEOUT));
    return 0;
}

/* ---- A handler ----------------------------------------------------------- */

static volatile bool done;
static volatile uint32_t handled;       /* cycles */

static void compute(void)
{
    uint32_t start = udm_cycles32();

    udm_dispose();
    while (glaze_info(GLAZE_I_MODE) == GLAZE_FAST && handled < BOUND) {
        handled = udm_cycles32() - start;
    }
    done = true;
}

static void until(uint32_t cycle)
{
    while (udm_cycles() < cycle) {
        /* compute */
    }
}

static int handler(uint32_t cycle)
{
    if (udm_node() == 1) {
        until(cycle);
        udm_inject(0, compute);
    }
    if (udm_node() == 0) {
        while (!done) {
            /* the handler interrupts this */
        }
        printf("handler: held for %lu cycles, 0 at a time, %lu timeouts\n",
               (unsigned long)handled,
               (unsigned long)glaze_info(GLAZE_I_CAUSES +
                                         4 * GLAZE_IN_TIMEOUT));
    }
    return 0;
}

static int end(uint32_t node, uint32_t cycle)
{
    if (udm_node() == node) {
        until(cycle);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "read")) {
        return read_input(strtoul(argv[2], NULL, 0));
    }
    if (argc == 3 && !strcmp(argv[1], "section")) {
        return section(argv[2], true);
    }
    if (argc == 3 && !strcmp(argv[1], "free")) {
        return section(argv[2], false);
    }
    if (argc == 4 && !strcmp(argv[1], "sections")) {
        return sections(strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
    }
    if (argc == 3 && !strcmp(argv[1], "handler")) {
        return handler(strtoul(argv[2], NULL, 0));
    }
    if (argc == 4 && !strcmp(argv[1], "end")) {
        return end(strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
    }
    fprintf(stderr, "hold: see the first lines of hold.c\n");
    return 2;
}
