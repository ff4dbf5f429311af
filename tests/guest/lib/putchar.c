/* Where the console's characters go, apart: benchmarks have another place. */
#include "console.h"
#include "machine.h"

int putchar(int c)
{
    REG(FUGU_CONSOLE_BASE + FUGU_CONSOLE_DATA) = c;
    return c;
}
