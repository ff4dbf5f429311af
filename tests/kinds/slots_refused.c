/*
 * A program with a handler that is not certified: the launcher refuses it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
int main(void)
{
    return 0;
}
