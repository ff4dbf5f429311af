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

/* Panics if the boot image has no directory, or one of another version. */
void directory_check(void);

/* Returns the program of that name; NULL if the image has none. */
const struct image_program *directory_program(const char *name,
                                              unsigned length);

/* Returns the program of the scheduler's server; NULL if the image has none. */
const struct image_program *directory_scheduler(void);

/* Returns the image's secret: two words of 64 bits. */
const uint64_t *directory_secret(void);

/* Returns an input file by number, from 0; NULL after the last one. */
const struct image_file *directory_file(unsigned index);

/* Returns the function that contains an address; NULL if there is none. */
const struct image_function *
directory_function(const struct image_program *program, uint32_t address);

/* Prints " in FUNCTION (FILE:LINE)", or as much of that as the image knows. */
void directory_print_place(const struct image_program *program,
                           uint32_t address);

#endif /* GLAZE_DIRECTORY_H */
