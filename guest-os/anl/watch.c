/*
 * Programs that cc --anl --check-globals has compiled: GCC calls a function before each
 * access to memory (-fsanitize=thread), and this file says at the end which variables
 * one process has written after CREATE and another one has read. Unless the program is
 * linked with --sproc too, each process has its own copy of them, so the reader may
 * have read something old.
 *
 * What counts are words. A process reads a word if it has not written the word before,
 * since the first CREATE or its own beginning; with --sproc, each read counts.
 * Accesses in libraries are not seen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shm.h"
#include "watch.h"

enum { WRITTEN = 1, READ = 2 };
#define SEVERAL         0xffff          /* processes */

extern char program_copy_start[], program_copy_end[];  /* program.ld */
extern char sproc_start[] __attribute__((weak)), sproc_end[] __attribute__((weak));

/* Words are looked at in chunks. Most chunks are never touched, and these take no
 * memory. */
#define CHUNK           512
#define NO_MEMORY       "fugu: there is no memory to watch globals in\n"
#define CHUNKS(words)   (((words) + CHUNK - 1) / CHUNK)

/* What all processes have done: of each word, the process that has written or read
 * it, plus 1. */
struct who {
    uint16_t writer, reader;
};

static struct shm_lock lock;
static struct who *who;                 /* shared, by word */
static uint8_t *told;                   /* shared, by chunk: whether any is not 0 */
static uint8_t **seen;                  /* by chunk: what this process has done with
                                           its words; NULL: nothing */
static uintptr_t start;                 /* of the variables that are watched */
static size_t words;
static int self;

static uintptr_t word_of(const volatile void *address)
{
    return ((uintptr_t)address - start) / 4;
}

/* A new process has what the first one has noted. */
static void watch_begin(void)
{
    self = shm_node();
    for (size_t c = 0; c < CHUNKS(words); c++) {
        if (seen[c]) {
            memset(seen[c], 0, CHUNK);
        }
    }
}

/* Returns what this process has done with a word, to be changed. */
static uint8_t *seen_of(size_t k)
{
    uint8_t **chunk = &seen[k / CHUNK];

    if (!*chunk && !(*chunk = calloc(CHUNK, 1))) {
        fprintf(stderr, NO_MEMORY);
        exit(1);
    }
    return *chunk + k % CHUNK;
}

static void note(const volatile void *address, size_t bytes, int what)
{
    uintptr_t first = word_of(address);
    uintptr_t last = word_of((const volatile char *)address + bytes - 1);

    if (!seen || first >= words || last >= words) {
        return;
    }
    if (self != shm_node()) {
        watch_begin();
    }
    for (uintptr_t k = first; k <= last; k++) {
        uint8_t *word = seen_of(k);

        if (!(*word & WRITTEN) || sproc_start) {
            *word |= what;
        }
    }
}

static void add(uint16_t *number)
{
    *number = *number == 0 || *number == self + 1 ? self + 1 : SEVERAL;
}

/* ---- The end --------------------------------------------------------------- */

static const char *process(uint16_t number, char *text, size_t size)
{
    if (number == SEVERAL) {
        return "several processes";
    }
    snprintf(text, size, "process %d", number - 1);
    return text;
}

static int is_told(size_t k)
{
    return told[k / CHUNK] && who[k].writer && who[k].reader &&
           (who[k].writer != who[k].reader || who[k].writer == SEVERAL);
}

static void tell(const struct anl_variable *v)
{
    size_t first = word_of((const void *)v->address), last;
    char writer[24], reader[24];

    last = word_of((const void *)(v->address + v->bytes - 1));
    for (size_t k = first; k <= last && k < words; k++) {
        if (is_told(k)) {
            fprintf(stderr, "fugu:   %s: written by %s, read by %s\n", v->name,
                    process(who[k].writer, writer, sizeof(writer)),
                    process(who[k].reader, reader, sizeof(reader)));
            return;
        }
    }
}

static void report(void)
{
    size_t count = 0;

    for (size_t k = 0; k < words; k++) {
        count += is_told(k);
    }
    if (!count) {
        fprintf(stderr, "fugu: no process has read a global that another one "
                "has written after CREATE\n");
        return;
    }
    fprintf(stderr, "fugu: globals that one process has written after CREATE, "
            "and another one has read.\n%s", sproc_start
            ? "fugu: They must be shared, as --sproc does.\n"
            : "fugu: Each process has its own: allocate them by G_MALLOC, or "
              "build with --sproc.\n");
    for (const struct anl_variable *v = anl_variables; v->name; v++) {
        tell(v);
    }
}

static void end(void)
{
    if (shm_node() == 0) {
        shm_wait_for_end(0x7fffffff);
    }
    if (self != shm_node()) {           /* it has made no access */
        watch_begin();
    }
    shm_lock(&lock);
    for (size_t k = 0; k < words; k++) {
        if (!seen[k / CHUNK]) {
            k += CHUNK - 1;
            continue;
        }
        told[k / CHUNK] = 1;
        if (*seen_of(k) & WRITTEN) {
            add(&who[k].writer);
        }
        if (*seen_of(k) & READ) {
            add(&who[k].reader);
        }
    }
    shm_unlock(&lock);
    if (shm_node() == 0) {
        report();
    }
}

void anl_watch(void)
{
    if (seen) {
        return;
    }
    start = (uintptr_t)(sproc_start ? sproc_start : program_copy_start);
    words = ((uintptr_t)(sproc_start ? sproc_end : program_copy_end) - start) / 4;
    who = shm_malloc(words * sizeof(*who));
    told = shm_malloc(CHUNKS(words));
    seen = calloc(CHUNKS(words), sizeof(*seen));
    if (!who || !told || !seen || atexit(end)) {
        fprintf(stderr, NO_MEMORY);
        exit(1);
    }
}

/* ---- What GCC calls ---------------------------------------------------------- */

#define ACCESS(bytes) \
    void __tsan_read ## bytes(void *a) { note(a, bytes, READ); } \
    void __tsan_write ## bytes(void *a) { note(a, bytes, WRITTEN); } \
    void __tsan_unaligned_read ## bytes(void *a) { note(a, bytes, READ); } \
    void __tsan_unaligned_write ## bytes(void *a) { note(a, bytes, WRITTEN); } \
    void __tsan_volatile_read ## bytes(void *a) { note(a, bytes, READ); } \
    void __tsan_volatile_write ## bytes(void *a) { note(a, bytes, WRITTEN); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void __tsan_read_range(void *a, size_t bytes)
{
    note(a, bytes, READ);
}

void __tsan_write_range(void *a, size_t bytes)
{
    note(a, bytes, WRITTEN);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void)
{
}

void __tsan_vptr_update(void *a, void *value)
{
    (void)value;
    note(a, sizeof(void *), WRITTEN);
}
