/*
 * Standard input, output and error. The first argument says what to do:
 *
 *   copy       copies standard input to standard output, byte by byte
 *   lines      the same by lines, each with its number; then node and number
 *   numbers    the sum of the numbers in standard input
 *   ask        asks for a name without a newline, and greets
 *   terminals  which standard files are terminals
 *   errors     writes to standard output and standard error by turns
 *   long       writes a line of 1000 bytes, and half a line
 *   save NAME  writes a file of that name
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "udm.h"

static void copy(void)
{
    int byte;

    while ((byte = getchar()) != EOF) {
        putchar(byte);
    }
}

static void lines(void)
{
    char line[2000];
    int count = 0;

    while (fgets(line, sizeof(line), stdin)) {
        printf("%d %s", ++count, line);
    }
    printf("node %lu: %d lines\n", (unsigned long)udm_node(), count);
}

static void numbers(void)
{
    int number, sum = 0;

    while (scanf("%d", &number) == 1) {
        sum += number;
    }
    printf("sum %d\n", sum);
}

static void ask(void)
{
    char name[80] = "";

    printf("Your name? ");
    fgets(name, sizeof(name), stdin);
    printf("Hello %s", name);
}

static void errors(void)
{
    for (int i = 0; i < 3; i++) {
        printf("out %d of node %lu\n", i, (unsigned long)udm_node());
        fprintf(stderr, "error %d of node %lu\n", i,
                (unsigned long)udm_node());
    }
}

static void long_line(void)
{
    for (int i = 0; i < 1000; i++) {
        putchar('a' + i % 26);
    }
    printf("\nhalf");
}

static void save(const char *name)
{
    FILE *file = fopen(name, "w");

    if (file) {
        fputs("saved", file);
        fclose(file);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (!strcmp(what, "copy")) {
        copy();
    } else if (!strcmp(what, "lines")) {
        lines();
    } else if (!strcmp(what, "numbers")) {
        numbers();
    } else if (!strcmp(what, "ask")) {
        ask();
    } else if (!strcmp(what, "terminals")) {
        printf("%d%d%d\n", isatty(0), isatty(1), isatty(2));
    } else if (!strcmp(what, "errors")) {
        errors();
    } else if (!strcmp(what, "long")) {
        long_line();
    } else if (!strcmp(what, "save") && argc > 2) {
        save(argv[2]);
    } else {
        return 1;
    }
    return 0;
}
