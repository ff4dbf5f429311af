/*
 * Lab 2: handlers and sections.
 *
 * Each node is a branch of a bank. Its main() sends money from its accounts to
 * other branches, and money comes in meanwhile. This program loses some of it.
 */
#include <stdint.h>
#include <stdio.h>

#include "udm.h"
#include "udm-collective.h"

#define ACCOUNTS 4
#define BEGIN 300               /* in each account */
#define TRIES 40                /* transfers that a node tries */

struct entry {
    uint32_t account;
    int32_t change;
};

static volatile int32_t balance[ACCOUNTS];
static volatile struct entry journal[4096];     /* each change of a balance */
static volatile uint32_t entries;
static volatile uint32_t deposits, receipts;
static uint32_t transfers;
static int32_t fees;

/* Writes a change into the journal. Handlers call it, and so does main(). */
static void note(uint32_t account, int32_t change)
{
    uint32_t place = entries;

    journal[place].account = account;
    journal[place].change = change;
    entries = place + 1;
}

/* Handler: the money that we have sent is there. */
static void receipt(void)
{
    receipts++;
    udm_dispose();
}

/* Handler: money comes. Its arguments are the account and the amount. */
static void deposit(void)
{
    uint32_t account = udm_arg(0), from = udm_source();
    int32_t amount = udm_arg(1);

    balance[account] += amount;
    note(account, amount);
    deposits++;
    udm_dispose();
    udm_inject(from, receipt);
}

/* The fee for a transfer. The clerk is slow: some 3,000 cycles. */
static int32_t assess(int32_t before)
{
    volatile uint32_t work = 0;

    for (uint32_t k = 0; k < 200; k++) {
        work = work + k;
    }
    return before > 150 ? 2 : 1;
}

/* Sends an amount to a node, if the account has that much. */
static void transfer(uint32_t account, int32_t amount, uint32_t node)
{
    int32_t before = balance[account];
    int32_t fee = assess(before);

    if (before < amount + fee) {
        return;
    }
    balance[account] = before - amount - fee;
    note(account, -amount - fee);
    fees += fee;
    transfers++;
    udm_inject(node, deposit, account, amount);
}

/* How many accounts have what the journal says. */
static uint32_t right(void)
{
    int32_t should[ACCOUNTS];
    uint32_t number = 0;

    for (uint32_t k = 0; k < ACCOUNTS; k++) {
        should[k] = BEGIN;
    }
    for (uint32_t k = 0; k < entries; k++) {
        should[journal[k].account] += journal[k].change;
    }
    for (uint32_t k = 0; k < ACCOUNTS; k++) {
        number += balance[k] == should[k];
    }
    return number;
}

int main(void)
{
    uint32_t node = udm_node(), nodes = udm_nodes(), random = node + 1;
    int32_t total;

    for (uint32_t k = 0; k < ACCOUNTS; k++) {
        balance[k] = BEGIN;
    }
    udm_barrier();
    for (uint32_t k = 0; k < TRIES; k++) {
        random = random * 1103515245 + 12345;
        transfer(random >> 16 & (ACCOUNTS - 1), (random >> 20 & 255) + 1,
                 (node + 1 + (random >> 28) % (nodes - 1)) % nodes);
    }
    while (receipts < transfers) {
    }
    udm_barrier();

    total = fees;
    for (uint32_t k = 0; k < ACCOUNTS; k++) {
        total += balance[k];
    }
    printf("node %u: %u transfers, %u deposits, %u entries, right for %u accounts\n",
           node, transfers, deposits, entries, right());
    total = udm_reduce_int(0, UDM_SUM, total);
    if (node == 0) {
        printf("total %d of %d\n", total, (int)(nodes * ACCOUNTS * BEGIN));
    }
    return 0;
}
