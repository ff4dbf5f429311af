/* putchar() for the console of this machine. It is a file by itself because
 * the benchmarks for leon3_generic use console.c with another putchar(). */
#include "console.h"
#include "machine.h"

int putchar(int c)
{
    REG(FUGU_CONSOLE_BASE + FUGU_CONSOLE_DATA) = c;
    return c;
}
