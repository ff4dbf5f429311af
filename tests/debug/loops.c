/*
 * A line that loops until a debugger ends the loop: test_debug_interrupt.py.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>

static volatile bool flag;

int main(void)
{
    while (!flag) {}
    return 0;
}
