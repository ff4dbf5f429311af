/*
 * What the boot image holds (include/image.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_DIRECTORY_H
#define GLAZE_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "image.h"

/* Panics if there is no directory, or one of another version. */
void directory_check(void);

/* The program of that name; 0 if the image has none. */
const struct image_program *directory_program(const char *name,
                                              unsigned length);

/* An input file by number from 0; 0 beyond the last one. */
const struct image_file *directory_file(unsigned index);

/* The function that an address lies in; 0 if there is none. */
const struct image_function *
directory_function(const struct image_program *program, uint32_t address);

/* Prints " in FUNCTION (FILE:LINE)", as much of it as is known. */
void directory_print_place(const struct image_program *program,
                           uint32_t address);

#endif /* GLAZE_DIRECTORY_H */
