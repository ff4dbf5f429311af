/*
 * A part of language.cc in C.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PART_H
#define PART_H

/* Returns f(f(value)). */
int part_twice(int (*f)(int), int value);

#endif /* PART_H */
