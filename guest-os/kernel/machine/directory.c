/*
 * The directory of the boot image, read where it lies.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "machine/directory.h"
#include "machine/print.h"

extern const struct image_directory image_directory;

void directory_check(void)
{
    if (image_directory.magic != IMAGE_MAGIC) {
        panic("there are no programs in the boot image");
    }
    if (image_directory.version != IMAGE_VERSION) {
        panic("the boot image has version %u, not %u",
              (unsigned)image_directory.version, IMAGE_VERSION);
    }
}

const struct image_program *directory_program(const char *name,
                                              unsigned length)
{
    const struct image_program *program =
        (const struct image_program *)image_directory.program;

    for (unsigned i = 0; i < image_directory.programs; i++, program++) {
        if (strlen(program->name) == length &&
            !memcmp(program->name, name, length)) {
            return program;
        }
    }
    return NULL;
}

const struct image_program *directory_scheduler(void)
{
    return (const struct image_program *)image_directory.scheduler;
}

const uint64_t *directory_secret(void)
{
    return (const uint64_t *)image_directory.secret;
}

const struct image_file *directory_file(unsigned index)
{
    const struct image_file *files =
        (const struct image_file *)image_directory.file;

    return index < image_directory.files ? &files[index] : NULL;
}

/*
 * Returns the last of `count` entries, sorted by address, whose address is not
 * above `address`; NULL if there is none. An entry's first word is its
 * address.
 */
static const void *last_before(uint32_t table, uint32_t count, uint32_t size,
                               uint32_t address)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (*(const uint32_t *)(table + middle * size) <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low ? (const void *)(table + (low - 1) * size) : NULL;
}

const struct image_function *
directory_function(const struct image_program *program, uint32_t address)
{
    const struct image_function *f =
        last_before(program->function, program->functions, sizeof(*f),
                    address);

    return f && address - f->address < f->size ? f : NULL;
}

void directory_print_place(const struct image_program *program,
                           uint32_t address)
{
    const struct image_function *f = directory_function(program, address);
    const struct image_line *l =
        last_before(program->line, program->lines, sizeof(*l), address);

    if (f) {
        print(" in %s", (const char *)(program->strings + f->name));
    }
    if (f && l && l->file != 0xffffffff) {
        print(" (%s:%u)", (const char *)(program->strings + l->file),
              (unsigned)l->line);
    }
}
