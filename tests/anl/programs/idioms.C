/*
 * Idioms of programs for shared memory, in two files of K&R C: options and lines of
 * standard input, memory aligned to pages by hand, allocation in loops, private
 * pointers to shared memory, CLOCK into variables of every type, a file of results,
 * and processes that end by exit(). Wants three lines: a title, a number and a
 * factor, a name. -h prints the usage.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include "idioms.h"

MAIN_ENV

struct GlobalMemory *Global;
Big *bigs;
double *aligned, **rows;
long P = 1, N = 20;
int first_pid;                  /* private, and set before CREATE */
char title[80], name[80], line[200];

void SlaveStart();
double Sum();

wrong(what)
    char *what;
{
    printf("WRONG: %s\n", what);
    exit(1);
}

read_input()
{
    float factor;
    int number;

    if (fgets(title, sizeof(title), stdin) == NULL)
        wrong("no title");
    title[strlen(title) - 1] = 0;
    scanf("%d %f", &number, &factor);
    gets(line);                         /* the rest of that line */
    gets(name);
    printf("idioms: %s, %d times %g, %s\n", title, number, factor, name);
}

allocate()
{
    int i;

    Global = (struct GlobalMemory *) G_MALLOC(sizeof(struct GlobalMemory));
    bigs = (Big *) G_MALLOC(4 * sizeof(Big))
    aligned = (double *) G_MALLOC((N * N * sizeof(double)) + PAGE_SIZE);
    aligned = (double *) (((unsigned) aligned + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1));
    rows = (double **) G_MALLOC(N * sizeof(double *))
    for (i = 0; i < N; i++)
        rows[i] = (double *) G_MALLOC(N * sizeof(double))
    for (i = 0; i < 4; i++) {
        LOCKINIT(bigs[i].lock)
        bigs[i].count = 0;
    }
    for (i = 0; i < ITEMS; i++)
        LOCKINIT(Global->nested[i].inner)
    for (i = 0; i < LISTS; i++)
        PAUSEINIT(Global->flags[i], 3)
    LOCKINIT(Global->idlock);
    BARINIT(Global->start);
    BARINIT(Global->done, P);
    ALOCKINIT(Global->list_locks, LISTS);
    Global->id = 0;
}

/* Writes a file and reads it again. */
results()
{
    FILE *file;
    int i;

    if ((file = fopen("results.out", "w")) == NULL) {
        perror("results.out");
        exit(-1);
    }
    for (i = 0; i < P; i++)
        fprintf(file, "%d %s %d %g\n", i, Global->mixed[i].tag, Global->mixed[i].low, Global->mixed[i].value.d);
    fclose(file);
    file = fopen("results.out", "r");
    while (fgets(line, 200, file))
        printf("%s", line);
    fclose(file);
    unlink("results.out");
}

main(argc, argv)
    int argc;
    char *argv[];
{
    int c, i, int_start;
    unsigned int start, finish, starts[2];
    unsigned long long long_long_start;
    double double_start;
    long long_start;
    extern char *optarg;
    extern int optind;

    CLOCK(start) CLOCK(int_start); CLOCK(double_start) CLOCK(long_long_start); CLOCK(long_start)
    CLOCK(starts[1]);
    while ((c = getopt(argc, argv, "p:n:h")) != -1) {
        switch (c) {
        case 'p': P = atoi(optarg); break;
        case 'n': N = atoi(optarg); break;
        case 'h': printf("Usage: IDIOMS <options>\n"); exit(0);
        }
    }
    if (optind != argc)
        wrong("a word too many");
    read_input();
    MAIN_INITENV(,N*N*sizeof(double)+1000000,,)
    allocate();
    first_pid = getpid();
    for (i = 1; i < P; i++) {
        CREATE(SlaveStart)
    }
    SlaveStart();
    WAIT_FOR_END(P-1)
    CLOCK(finish)
    if (finish < start || int_start < start || double_start < start || long_long_start < start || long_start < start
        || starts[1] < start)
        wrong("clocks");
    printf("idioms: sum %f, checks %d, total %g\n", Sum(), Global->checks, Global->total);
    results();
    MAIN_END;
}

double Sum()
{
    double sum = 0.0;
    int i, j;

    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            sum += rows[i][j] + aligned[i * N + j];
    return sum;
}
