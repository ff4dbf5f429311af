/*
 * The command line, and panic().
 */
#include <stdarg.h>
#include <string.h>

#include "console.h"
#include "machine.h"
#include "ni.h"

/* Reads a number: decimal, or hexadecimal after 0x. Stops at the first
 * other character. */
static uint32_t number(const char *text)
{
    uint32_t base = 10, value = 0;

    if (text[0] == '0' && text[1] == 'x') {
        base = 16;
        text += 2;
    }
    for (;; text++) {
        uint32_t digit;

        if (*text >= '0' && *text <= '9') {
            digit = *text - '0';
        } else if (*text >= 'a' && *text <= 'f') {
            digit = *text - 'a' + 10;
        } else {
            return value;
        }
        if (digit >= base) {
            return value;
        }
        value = value * base + digit;
    }
}

uint32_t argument(const char *name, uint32_t default_value)
{
    const char *word = (const char *)(FUGU_PARAM_BASE + FUGU_PARAM_CMDLINE);
    size_t length = strlen(name);

    while (*word) {
        if (!strncmp(word, name, length) && word[length] == '=') {
            return number(word + length + 1);
        }
        while (*word && *word != ' ') {
            word++;
        }
        while (*word == ' ') {
            word++;
        }
    }
    return default_value;
}

void panic(const char *format, ...)
{
    va_list args;

    printf("node %u: ", ni_node());
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    machine_stop(PANIC);
}
