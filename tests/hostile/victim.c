/*
 * A program with secrets, words that begin with 0x5ec2e7, in all places where a
 * program can have words. bad's case spy looks for them.
 *
 *      victim TURNS
 *
 * Prints nothing; the exit status is 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define SECRET  0x5ec2e700
#define PAGES   200

/* Defined in spy_code.S. */
void secret_windows(uint32_t depth, uint32_t secret, uint32_t turns);
void secret_floats(const uint32_t words[32]);

static volatile uint32_t handled;

static void handler(void)
{
    udm_dispose();
    handled++;
}

static void secret_memory(void)
{
    uint32_t *memory = malloc(PAGES * GLAZE_PAGE);

    for (uint32_t i = 0; i < PAGES * GLAZE_PAGE / 4; i++) {
        memory[i] = SECRET + (i & 0xff);
    }
}

/* Secrets in the buffer, which are never extracted. */
static void secret_messages(void)
{
    udm_beginatom();
    glaze_divert();
    for (unsigned i = 0; i < 60; i++) {
        udm_inject(udm_node(), handler, SECRET, SECRET + 1, SECRET + 2);
    }
}

/* Secrets in the network interface: a message that is never sent. */
static void secret_descriptor(void)
{
    UDM_STORE_(FUGU_U_OUT, udm_node());
    UDM_STORE_(FUGU_U_OUT + 4, SECRET);
    UDM_STORE_(FUGU_U_OUT + 60, SECRET + 15);
    UDM_STORE_(FUGU_U_SB_ADDR, SECRET + 16);
    UDM_STORE_(FUGU_U_SB_OFFSET, SECRET + 20);
}

int main(int argc, char **argv)
{
    uint32_t turns = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
    static uint32_t words[32] __attribute__((aligned(8)));

    for (unsigned i = 0; i < 32; i++) {
        words[i] = SECRET + i;
    }
    secret_memory();
    secret_messages();
    secret_descriptor();
    secret_floats(words);
    for (unsigned i = 0; i < 8; i++) {
        secret_windows(7, SECRET + 0x40 + i, turns);
    }
    _Exit(0);
}
