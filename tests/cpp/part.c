/*
 * A part of language.cc in C. `class` is a name here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "part.h"

int part_twice(int (*f)(int), int value)
{
    int class = f(value);

    return f(class);
}
