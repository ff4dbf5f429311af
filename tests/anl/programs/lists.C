/*
 * Lists that all processes build: each process allocates its items one by one in
 * shared memory, and links them into lists under an array of locks. It frees a
 * third of them again. Each process prints a line. The first one reads the
 * number of items from the file "input", and writes all lists to the file "lists".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "common.h"

MAIN_ENV

#define LISTS 7

struct item {
    struct item *next;
    int value;
    char text[20];
};

struct shared {
    ALOCKDEC(locks, LISTS)
    struct item *heads[LISTS];
    struct item *last[PROCESSES_MAX];
};

static struct start *start;
static struct shared *shared;
static int items;

static void insert(item)
    struct item *item;
{
    int list = item->value % LISTS;
    struct item **place;

    ALOCK(shared->locks, list)
    for (place = &shared->heads[list]; *place && (*place)->value < item->value; place = &(*place)->next) {
    }
    item->next = *place;
    *place = item;
    AULOCK(shared->locks, list)
}

void work()
{
    int me = take_number(start), i, number = 0;
    struct item *item, *freed = NULL;

    for (i = me; i < items; i += P) {
        item = (struct item *) G_MALLOC(sizeof(struct item));
        check(item && item != freed, "memory for an item");
        item->value = random_number(i) % 1000;
        sprintf(item->text, "item %d", item->value);
        insert(item);
        number++;
        if (i % 3 == 0) {
            freed = (struct item *) G_MALLOC(sizeof(struct item));
            G_FREE(freed)
            freed = NULL;
        }
    }
    shared->last[me] = item;
    printf("process %d has made %d items\n", me, number);
    BARRIER(start->barrier, P)
    check(!strncmp(shared->last[(me + 1) % P]->text, "item ", 5), "another process's item");
}

static int read_input()
{
    FILE *file = fopen("input", "r");
    int number = 30;

    if (file) {
        check(fscanf(file, "%d", &number) == 1, "the input");
        fclose(file);
    }
    return number;
}

int main(argc, argv)
    int argc;
    char **argv;
{
    struct item *item;
    FILE *file;
    int i, number = 0;

    options(argc, argv, 0);
    items = read_input();
    MAIN_INITENV(,4000000)
    start = start_init();
    shared = (struct shared *) G_MALLOC(sizeof(struct shared))
    ALOCKINIT(shared->locks, LISTS)
    for (i = 1; i < P; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(P - 1)
    file = fopen("lists", "w");
    check(file != NULL, "a file that can be written");
    for (i = 0; i < LISTS; i++) {
        for (item = shared->heads[i]; item; item = item->next) {
            check(!item->next || item->next->value >= item->value, "the order of a list");
            check(item->value % LISTS == i && atoi(item->text + 5) == item->value, "an item");
            fprintf(file, "%d: %s\n", i, item->text);
            number++;
        }
    }
    fclose(file);
    printf("lists: %d items\n", number);
    MAIN_END
}
