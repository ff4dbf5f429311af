/*
 * Spins without an end in one instruction and its delay slot, so that the end
 * of its slot interrupts it at a known place. ./run.sh paper switch measures
 * switches between two jobs of this program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

int main(void)
{
    for (;;) {
        asm volatile ("nop");
    }
}
