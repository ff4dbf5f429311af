/*
 * The directory of a boot image: which programs and files it holds.
 *
 * The kernel, linked at address 0, comes first; the directory begins at the
 * next multiple of 4 KiB behind its last loaded byte (the symbol
 * image_directory of the kernel). Programs and files follow, each part at a
 * multiple of 4 KiB, so that text and files are mapped where they lie. All
 * numbers are 32-bit, big-endian; addresses without "virtual" are physical,
 * inside the boot image.
 *
 * The launcher's boot_image.py writes it, guest-os/kernel/directory.c reads it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_IMAGE_H
#define GLAZE_IMAGE_H

#include <stdint.h>

#define IMAGE_MAGIC     0x474c415a      /* "GLAZ" */
#define IMAGE_VERSION   1
#define IMAGE_NAME      64              /* bytes, final zero included */
#define IMAGE_SEGMENTS  8               /* at most, of a program */

#define IMAGE_WRITE     0x1             /* pages are copied when written */
#define IMAGE_EXECUTE   0x2

#define IMAGE_UNKNOWN   0xffffffff      /* file of a line: not known */

struct image_directory {
    uint32_t magic;
    uint32_t version;
    uint32_t programs;          /* number of them */
    uint32_t program;           /* address of struct image_program [programs] */
    uint32_t files;
    uint32_t file;              /* address of struct image_file [files] */
};

/* memory_bytes >= file_bytes; what lies between them is zero. */
struct image_segment {
    uint32_t address;           /* virtual, a multiple of 4 KiB */
    uint32_t image;             /* where its bytes are, a multiple of 4 KiB */
    uint32_t file_bytes;
    uint32_t memory_bytes;
    uint32_t flags;             /* IMAGE_WRITE, IMAGE_EXECUTE */
};

/*
 * Symbols: functions by rising address, and lines by rising address. Names
 * are offsets into the strings, which are zero-terminated.
 */
struct image_function {
    uint32_t address;           /* virtual, first instruction */
    uint32_t size;              /* bytes */
    uint32_t name;
};

struct image_line {
    uint32_t address;           /* virtual; holds up to the next entry */
    uint32_t file;              /* name; IMAGE_UNKNOWN: from here on */
    uint32_t line;
};

struct image_program {
    char name[IMAGE_NAME];
    uint32_t entry;             /* virtual */
    uint32_t segments;
    struct image_segment segment[IMAGE_SEGMENTS];
    uint32_t functions, function;       /* number, address of the table */
    uint32_t lines, line;
    uint32_t strings;                   /* address of the first */
};

struct image_file {
    char name[IMAGE_NAME];
    uint32_t image;             /* a multiple of 4 KiB */
    uint32_t size;              /* bytes; up to the page's end it is zero */
};

#endif /* GLAZE_IMAGE_H */
