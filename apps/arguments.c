/*
 * The command line of apps. See arguments.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "udm.h"

void arguments_wrong(const struct arguments *arguments, const char *format,
                     ...)
{
    va_list values;

    if (udm_node() == 0) {
        va_start(values, format);
        fprintf(stderr, "%s: ", arguments->app);
        vfprintf(stderr, format, values);
        fprintf(stderr, " (%s --help)\n", arguments->app);
        va_end(values);
    }
    exit(2);
}

static void __attribute__((noreturn)) help(const struct arguments *arguments)
{
    const struct argument *one;

    if (udm_node() != 0) {
        exit(0);
    }
    printf("usage: %s [OPTIONS]", arguments->app);
    for (one = arguments->numbers; one->name; one++) {
        printf(" [%s", one->name);
    }
    while (one-- > arguments->numbers) {
        putchar(']');
    }
    putchar('\n');
    for (one = arguments->numbers; one->name; one++) {
        printf("  %s: %s, %lu to %lu (default %lu)\n", one->name, one->what,
               (unsigned long)one->least, (unsigned long)one->most,
               (unsigned long)*one->value);
    }
    printf("Options:\n"
           "  --seed NUMBER: chooses the random numbers (default %lu)\n"
           "  --result FILE: writes %s to FILE\n"
           "  --wait spin|yield: how to wait for messages (default spin)\n",
           (unsigned long)arguments->seed, arguments->contents);
    if (arguments->flag.name) {
        printf("  --%s: %s\n", arguments->flag.name, arguments->flag.what);
    }
    exit(0);
}

/* Returns the number that a word of the command line is. */
static uint32_t number(const struct arguments *arguments, const char *name,
                       const char *word, uint32_t least, uint32_t most)
{
    char *end;
    unsigned long value;

    errno = 0;
    value = strtoul(word, &end, 10);
    if (errno || end == word || *end || *word == '-' || value < least ||
        value > most) {
        arguments_wrong(arguments, "%s is a number from %lu to %lu, not %s",
                        name, (unsigned long)least, (unsigned long)most, word);
    }
    return value;
}

/* Returns the word after an option, which is its value. */
static const char *value_of(const struct arguments *arguments,
                            char *const *option)
{
    if (!option[1]) {
        arguments_wrong(arguments, "%s needs a value", *option);
    }
    return option[1];
}

static bool yield_of(const struct arguments *arguments, const char *how)
{
    bool yield = strcmp(how, "yield") == 0;

    if (!yield && strcmp(how, "spin") != 0) {
        arguments_wrong(arguments, "--wait is spin or yield, not %s", how);
    }
    return yield;
}

/* Reads an option, and returns the address of its last word. */
static char **read_option(struct arguments *arguments, char **option)
{
    const char *name = *option + 2;

    if (strcmp(name, "help") == 0) {
        help(arguments);
    } else if (strcmp(name, "seed") == 0) {
        arguments->seed = number(arguments, *option,
                                 value_of(arguments, option), 0, UINT32_MAX);
    } else if (strcmp(name, "result") == 0) {
        arguments->result = value_of(arguments, option);
    } else if (strcmp(name, "wait") == 0) {
        arguments->yield = yield_of(arguments, value_of(arguments, option));
    } else if (arguments->flag.name &&
               strcmp(name, arguments->flag.name) == 0) {
        *arguments->flag.set = true;
        return option;
    } else {
        arguments_wrong(arguments, "there is no option %s", *option);
    }
    return option + 1;
}

void arguments_read(struct arguments *arguments, char **argv)
{
    const struct argument *one = arguments->numbers;

    for (char **word = argv + 1; *word; word++) {
        if (strncmp(*word, "--", 2) == 0) {
            word = read_option(arguments, word);
        } else if (one->name) {
            *one->value = number(arguments, one->name, *word, one->least,
                                 one->most);
            one++;
        } else {
            arguments_wrong(arguments, "there is no argument for %s", *word);
        }
    }
}
