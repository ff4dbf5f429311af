/*
 * The list of a node's files: names, numbers and contents, in the host's memory
 *
 * A file has a name until it is unlinked, and stays while it is open. Files of a node
 * have at most @most bytes in all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_FILE_LIST_H
#define FUGU_FILE_LIST_H

#include "migration/vmstate.h"
#include "hw/fugu/fugu-regs.h"

typedef struct FuguFile {
    uint32_t id;
    char *name;                 /* NULL: unlinked */
    uint32_t opens;             /* times that it has been opened, and not closed */
    GByteArray *data;
} FuguFile;

typedef struct FuguFileList {
    GPtrArray *files;           /* of FuguFile, in the order of making */
    uint32_t next_id;           /* no number is used twice */
    uint64_t bytes;             /* of all files, */
    uint64_t most;              /* and how many there may be: the owner sets this */
} FuguFileList;

void fugu_file_list_init(FuguFileList *s);
void fugu_file_list_clear(FuguFileList *s);
void fugu_file_list_finalize(FuguFileList *s);

/* Return the file of a number or a name; NULL if there is none. */
FuguFile *fugu_file_by_id(const FuguFileList *s, uint32_t id);
FuguFile *fugu_file_by_name(const FuguFileList *s, const char *name);

/*
 * Returns whether a file can have the name, of @len bytes, which may have folders: it
 * must not lead out of the node's directory, and not be in the way of the directories
 * of the nodes.
 */
bool fugu_file_is_name(const char *name, size_t len);

/* Returns whether a name is that of a folder of a file, or has a file for a folder. */
bool fugu_file_is_in_the_way(const FuguFileList *s, const char *name);

/* Makes an empty file, which is not open. Caller must have seen that no file has the
 * name. Returns NULL if there are FUGU_FILES_MAX files, or no number is left. */
FuguFile *fugu_file_create(FuguFileList *s, const char *name);

/* Sets the length of a file; new bytes are 0. Returns a FUGU_FILES_* result. */
uint32_t fugu_file_resize(FuguFileList *s, FuguFile *file, uint64_t bytes);

/* Gives a file another name. A file that had that name is unlinked. */
void fugu_file_rename(FuguFileList *s, FuguFile *file, const char *name);

/* Takes the name from a file. Frees it if it is not open. */
void fugu_file_unlink(FuguFileList *s, FuguFile *file);

/* Frees the file if it can no longer be reached: it has no name, and is not open. */
void fugu_file_drop_unreachable(FuguFileList *s, FuguFile *file);

/* Saved as part of the device's state. */
extern const VMStateDescription vmstate_fugu_file_list;

#endif /* FUGU_FILE_LIST_H */
