/*
 * Several CREATEs: processes that end, others on the nodes that they leave, and
 * one WAIT_FOR_END for several of them. Each process finds the private memory that
 * the first process has when it calls CREATE: globals, malloc(), locals that
 * pointers lead to, strings of argv, the buffer of standard input. What it changes
 * there, it changes for itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "common.h"

MAIN_ENV

#define ROUNDS 5

struct item {
    int value;
    struct item *next;
};

struct shared {
    LOCKDEC(lock)
    int found[ROUNDS][PROCESSES_MAX], number[ROUNDS];
};

static struct shared *shared;
static struct item *list;               /* private, in malloc() */
static int round_number, *local, bss[3000];
static int filled[3] = {1, 2, 3};
static char *word;                      /* in argv, or the line that was read */

static void collect()
{
    int sum = 0, i;
    struct item *item;

    for (item = list; item; item = item->next) {
        sum += item->value;
    }
    for (i = 0; i < 3; i++) {
        sum += filled[i];
    }
    sum += *local + bss[2999] + strlen(word);
    LOCK(shared->lock)
    shared->found[round_number][shared->number[round_number]++] = sum;
    UNLOCK(shared->lock)
}

void work_once()
{
    collect();
    *local = filled[0] = bss[2999] = -1;        /* of this process alone */
    list->value = -1;
}

void work_and_exit()
{
    collect();
    exit(0);
}

void work_with(argument)
    int *argument;
{
    check(*argument == 1000 + round_number, "the argument");
    collect();
}

static void add_item(value)
    int value;
{
    struct item *item = (struct item *) malloc(sizeof(struct item));

    item->value = value;
    item->next = list;
    list = item;
}

int main(argc, argv)
    int argc;
    char **argv;
{
    int here = 17, argument, i, want;
    char line[80];

    options(argc, argv, 0);
    MAIN_INITENV(,4000000)
    shared = (struct shared *) G_MALLOC(sizeof(struct shared))
    LOCKINIT(shared->lock)
    local = &here;
    word = argv[0];
    for (round_number = 0; round_number < ROUNDS; round_number++) {
        add_item(100 * round_number);
        here++;
        filled[1] += 10;
        bss[2999] = 7 * round_number;
        argument = 1000 + round_number;
        if (round_number == 3 && fgets(line, sizeof(line), stdin)) {
            word = line;
        }
        for (i = 1; i < P; i++) {
            switch (round_number % 3) {
            case 0:
                CREATE(work_once)
                break;
            case 1:
                CREATE(work_and_exit)
                break;
            case 2:
                CREATE(work_with, &argument)
            }
        }
        collect();
        if (round_number != 1) {        /* round 2 waits for those processes too */
            WAIT_FOR_END(round_number == 2 ? 2 * (P - 1) : P - 1)
        }
        want = here + bss[2999] + filled[0] + filled[1] + filled[2] + strlen(word);
        for (i = 0; i <= round_number; i++) {
            want += 100 * i;
        }
        for (i = 0; i < P && round_number != 1; i++) {
            check(shared->found[round_number][i] == want, "the memory of a new process");
        }
    }
    for (i = 0; i < ROUNDS; i++) {
        check(shared->number[i] == P, "the number of processes");
    }
    printf("creates: %d rounds, %s", ROUNDS, word == line ? line : "no line\n");
    MAIN_END
}
