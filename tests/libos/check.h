/*
 * Named checks for programs on Glaze, like those of tests/guest/lib/check.h
 * for the bare machine: each prints "ok NAME", or "FAIL NAME: got ..., want
 * ...".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef LIBOS_CHECK_H
#define LIBOS_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "udm.h"

/* One counter for all files of a program. */
unsigned check_failures __attribute__((weak));

static inline void check(const char *name, uint32_t got, uint32_t want)
{
    if (got == want) {
        printf("ok %s", name);
    } else {
        printf("FAIL %s: got %lu, want %lu", name, (unsigned long)got,
               (unsigned long)want);
        check_failures++;
    }
    if (udm_node()) {
        printf(" (node %lu)", (unsigned long)udm_node());
    }
    printf("\n");
}

/* Events are noted as letters, and check_notes() checks their order. */
static char notes[64];

static inline void note(char letter)
{
    size_t length = strlen(notes);

    if (length < sizeof(notes) - 1) {
        notes[length] = letter;
    }
}

static inline void check_notes(const char *name, const char *want)
{
    if (strcmp(notes, want)) {
        printf("FAIL %s: got %s, want %s\n", name, notes, want);
        check_failures++;
    } else {
        printf("ok %s\n", name);
    }
    memset(notes, 0, sizeof(notes));
}

/* Waits until a message to this node must have arrived and been handled. */
static inline void settle(void)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < 5000) {
        /* runs, so that handlers can interrupt it */
    }
}

#endif
