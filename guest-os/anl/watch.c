/*
 * Programs that cc --anl --check-globals has compiled: GCC calls a function before each
 * access to memory (-fsanitize=thread), and this file says at the end which variables
 * one process has written after CREATE and another one has read. Each process has
 * its own copy of them, so the reader may have read something old.
 *
 * What counts are words. A process reads a word if it has not written the word before,
 * since the first CREATE or its own beginning. Accesses in libraries are not seen.
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

/* What all processes have done: of each word, the process that has written or read
 * it, plus 1. */
static struct shared {
    struct shm_lock lock;
    struct { uint16_t writer, reader; } word[];
} *shared;
static uint8_t *seen;                   /* what this process has done, by word */
static int self;
static size_t words;

static uintptr_t word_of(const volatile void *address)
{
    return ((uintptr_t)address - (uintptr_t)program_copy_start) / 4;
}

static void note(const volatile void *address, size_t bytes, int what)
{
    uintptr_t first = word_of(address);
    uintptr_t last = word_of((const volatile char *)address + bytes - 1);

    if (!seen || first >= words || last >= words) {
        return;
    }
    if (self != shm_node()) {           /* a new process, with the first one's */
        self = shm_node();
        memset(seen, 0, words);
    }
    for (uintptr_t k = first; k <= last; k++) {
        if (!(seen[k] & WRITTEN)) {
            seen[k] |= what;
        }
    }
}

static void add(uint16_t *who)
{
    *who = *who == 0 || *who == self + 1 ? self + 1 : SEVERAL;
}

/* ---- The end --------------------------------------------------------------- */

static const char *process(uint16_t who, char *text, size_t size)
{
    if (who == SEVERAL) {
        return "several processes";
    }
    snprintf(text, size, "process %d", who - 1);
    return text;
}

static int is_told(size_t k)
{
    return shared->word[k].writer && shared->word[k].reader &&
           (shared->word[k].writer != shared->word[k].reader ||
            shared->word[k].writer == SEVERAL);
}

static void tell(const struct anl_variable *v)
{
    size_t first = word_of((const void *)v->address), last;
    char writer[24], reader[24];

    last = word_of((const void *)(v->address + v->bytes - 1));
    for (size_t k = first; k <= last && k < words; k++) {
        if (is_told(k)) {
            fprintf(stderr, "fugu:   %s: written by %s, read by %s\n", v->name,
                    process(shared->word[k].writer, writer, sizeof(writer)),
                    process(shared->word[k].reader, reader, sizeof(reader)));
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
            "and another one has read.\nfugu: Each process has its own: "
            "allocate them by G_MALLOC, or build with --sproc.\n");
    for (const struct anl_variable *v = anl_variables; v->name; v++) {
        tell(v);
    }
}

static void end(void)
{
    if (shm_node() == 0) {
        shm_wait_for_end(0x7fffffff);
    }
    note(program_copy_start, 0, 0);     /* a process without any access */
    shm_lock(&shared->lock);
    for (size_t k = 0; k < words; k++) {
        if (seen[k] & WRITTEN) {
            add(&shared->word[k].writer);
        }
        if (seen[k] & READ) {
            add(&shared->word[k].reader);
        }
    }
    shm_unlock(&shared->lock);
    if (shm_node() == 0) {
        report();
    }
}

void anl_watch(void)
{
    if (seen) {
        return;
    }
    words = (program_copy_end - program_copy_start) / 4;
    seen = calloc(words, 1);
    shared = shm_malloc(sizeof(*shared) + words * sizeof(shared->word[0]));
    if (!seen || !shared || atexit(end)) {
        fprintf(stderr, "fugu: there is no memory to watch globals in\n");
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
