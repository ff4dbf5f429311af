/*
 * The directory of a boot image: the programs and files that the image holds.
 *
 * The kernel, linked at address 0, comes first. The directory begins at the
 * next multiple of 4 KiB after the kernel's last loaded byte (the kernel's
 * symbol image_directory). Programs and files follow. Each of their parts
 * begins at a multiple of 4 KiB, so that the kernel can map text and files
 * where they lie in the image. All numbers are 32-bit and big-endian.
 * Addresses are physical and inside the boot image, except where a comment
 * says "virtual".
 *
 * The launcher's boot_image.py writes it, guest-os/kernel/machine/directory.c reads it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_IMAGE_H
#define GLAZE_IMAGE_H

#include <stdint.h>

#define IMAGE_MAGIC     0x474c415a      /* "GLAZ" */
#define IMAGE_VERSION   4
#define IMAGE_NAME      64              /* bytes, final zero included */
#define IMAGE_SEGMENTS  8               /* most segments of one program */

/* Flags of a segment. */
#define IMAGE_WRITE     0x1             /* writable: a page is copied to RAM
                                           when it is first written */
#define IMAGE_EXECUTE   0x2             /* executable */

#define IMAGE_UNKNOWN   0xffffffff      /* file of a line that is not known */

struct image_directory {
    uint32_t magic;
    uint32_t version;
    uint32_t programs;          /* number of programs */
    uint32_t program;           /* address of struct image_program [programs] */
    uint32_t files;             /* number of files */
    uint32_t file;              /* address of struct image_file [files] */
    uint32_t scheduler;         /* address of the struct image_program that is
                                   the scheduler's server, or 0 if the
                                   image has no server */
    uint32_t unused;
    uint32_t secret[4];         /* a hash of kernel, programs and files, at a
                                   multiple of 8: the kernel makes MBCF's keys
                                   from it. No program can read it */
};

/*
 * A segment of a program. The first file_bytes bytes are in the image; the
 * rest, up to memory_bytes, is zero. memory_bytes >= file_bytes.
 */
struct image_segment {
    uint32_t address;           /* virtual, a multiple of 4 KiB */
    uint32_t image;             /* address of the bytes in the image, a
                                   multiple of 4 KiB */
    uint32_t file_bytes;
    uint32_t memory_bytes;
    uint32_t flags;             /* IMAGE_WRITE, IMAGE_EXECUTE */
};

/*
 * Symbols of a program: a table of functions and one of source lines, both
 * sorted by address. A name is an offset into the strings, which are
 * zero-terminated.
 */
struct image_function {
    uint32_t address;           /* virtual, of the first instruction */
    uint32_t size;              /* bytes */
    uint32_t name;
};

struct image_line {
    uint32_t address;           /* virtual; the entry holds up to the address
                                   of the next entry */
    uint32_t file;              /* a name; IMAGE_UNKNOWN: file and line are
                                   not known */
    uint32_t line;
};

/* A trusted handler of the M-Machine's messages, which the launcher has certified
 * (docs/m-machine.md). */
struct image_handler {
    uint32_t entry;             /* virtual, of the first instruction */
    uint32_t extent;            /* bytes from DestAddr on that it may write */
};

struct image_program {
    char name[IMAGE_NAME];
    uint32_t entry;             /* virtual, of the first instruction */
    uint32_t segments;          /* number of segments in use */
    struct image_segment segment[IMAGE_SEGMENTS];
    uint32_t handlers, handler;         /* number, and address of the table, which is
                                           in the order of HandlerIP */
    uint32_t functions, function;       /* number, and address of the table */
    uint32_t lines, line;               /* number, and address of the table */
    uint32_t strings;                   /* address of the strings */
};

struct image_file {
    char name[IMAGE_NAME];
    uint32_t image;             /* address, a multiple of 4 KiB */
    uint32_t size;              /* bytes; the rest of the last page is zero */
};

#endif /* GLAZE_IMAGE_H */
