/*
 * The start of a program: what runs between the first instructions and main().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "library.h"

void program_start(void) __attribute__((noreturn));     /* called by crt0.S */
int main(int argc, char **argv);

/* program.ld */
extern void (*const constructors_start[])(void);
extern void (*const constructors_end[])(void);

#define ARGS ((const char *)(GLAZE_INFO + GLAZE_I_ARGS))

/* Replaces the bytes that stand for a blank, or for no bytes. */
static char *plain(char *word)
{
    if (word[0] == GLAZE_ARGS_NOTHING) {
        word[0] = 0;
    }
    for (char *at = word; (at = strchr(at, GLAZE_ARGS_BLANK)); ) {
        *at = ' ';
    }
    return word;
}

/*
 * Splits the text of the job into words, at spaces. Fills in argv, with a NULL
 * at its end, and returns the number of words. Changes the text.
 */
static int split(char *text, char **argv)
{
    int argc = 0;

    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        argv[argc++] = plain(word);
    }
    argv[argc] = NULL;
    return argc;
}

void program_start(void)
{
    static char text[GLAZE_I_ARGS_MAX + 1];
    char **argv;
    int argc;

    schedule_init();
    handler_init();
    memcpy(text, ARGS, glaze_info(GLAZE_I_ARGS_LENGTH));
    argv = malloc((strlen(text) / 2 + 2) * sizeof(*argv));
    if (!argv) {
        library_abort("no memory for the arguments");
    }
    argc = split(text, argv);
    if (program_prepare) {
        program_prepare();
    }
    for (void (*const *next)(void) = constructors_end;
         next > constructors_start; ) {
        (*--next)();
    }
    udm_endatom();              /* a process starts in an atomic section */
    exit(main(argc, argv));
}
