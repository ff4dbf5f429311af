/*
 * Console input: echoes lines, by polling until the first line ends, then by
 * interrupt, until a line is "end". Node 0 does this; all others end at once.
 * The exit status is 0.
 */
#include <stdbool.h>

#include "console.h"
#include "machine.h"
#include "ni.h"
#include "trap.h"

#define C(offset) REG(FUGU_CONSOLE_BASE + (offset))

static char line[80];
static volatile unsigned length;
static volatile bool complete;

static void take(uint32_t byte)
{
    if (byte == '\n') {
        complete = true;
    } else if (length < sizeof(line) - 1) {
        line[length++] = byte;
    }
}

static void input(struct trap *t)
{
    (void)t;
    while ((C(FUGU_CONSOLE_STATUS) & 1) && !complete) {
        take(C(FUGU_CONSOLE_DATA));
    }
    C(FUGU_CONSOLE_CONTROL) = !complete;      /* after a line, the rest waits */
}

static void read_polling(void)
{
    while (!complete) {
        if (C(FUGU_CONSOLE_STATUS) & 1) {
            take(C(FUGU_CONSOLE_DATA));
        }
    }
}

static void read_interrupts(void)
{
    C(FUGU_CONSOLE_CONTROL) = 1;
    while (!complete) {
        cpu_wait();
        pil_set(PIL_NONE);      /* the interrupt is taken here at the latest */
        pil_set(PIL_ALL);
    }
}

static void next_line(void (*read)(void))
{
    length = 0;
    complete = false;
    read();
    line[length] = 0;
}

static bool is_end(void)
{
    return length == 3 && line[0] == 'e' && line[1] == 'n' && line[2] == 'd';
}

int main(void)
{
    if (ni_node() != 0) {
        return 0;               /* only node 0 has input */
    }
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_CONSOLE), input);
    next_line(read_polling);
    printf("polled: %s\n", line);
    for (next_line(read_interrupts); !is_end(); next_line(read_interrupts)) {
        printf("interrupted: %s\n", line);
    }
    return 0;
}
