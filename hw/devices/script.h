/*
 * A script of console input: bytes with the times at which they are typed
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_CONSOLE_SCRIPT_H
#define FUGU_CONSOLE_SCRIPT_H

/* Most bytes that a script types at one node. */
#define FUGU_CONSOLE_SCRIPT_MAX (1 << 24)

/* A byte that a script types when the node's local time is @time. */
typedef struct FuguConsoleByte {
    int64_t time;
    uint8_t byte;
} FuguConsoleByte;

/*
 * Reads the lines of a file that are for a node, and appends their bytes to
 * @script, whose elements are FuguConsoleByte. Returns false, and sets @errp,
 * if the file cannot be read or a line is wrong.
 */
bool fugu_console_script_read(GArray *script, const char *file, unsigned node,
                              Error **errp);

#endif /* FUGU_CONSOLE_SCRIPT_H */
