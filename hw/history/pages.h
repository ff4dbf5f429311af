/*
 * Versions of the machine's memory, by pages that they share
 *
 * A version is a table of chunks, a chunk a table of pages. Versions share the
 * chunks and pages in which they do not differ. QEMU's dirty log tells which
 * pages the machine has written since the last version was taken or restored.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_PAGES_H
#define FUGU_PAGES_H

struct FuguMachineState;

typedef struct FuguPages FuguPages;
typedef struct FuguVersion FuguVersion;

/* Starts the dirty log. The functions below need the BQL, and that no vCPU is
 * executing. */
FuguPages *fugu_pages_new(struct FuguMachineState *machine);

/* Returns the present contents of all memory, for fugu_version_free(). */
FuguVersion *fugu_version_take(FuguPages *pages);

/* Gives memory the contents of @version. */
void fugu_version_restore(FuguPages *pages, const FuguVersion *version);

/* Copies @len bytes of the RAM of all nodes in @version, from @at on, within a
 * page. */
void fugu_version_read(const FuguPages *pages, const FuguVersion *version,
                       size_t at, uint8_t *to, unsigned len);

/* Memory may be written past the dirty log: it does not count this time. */
void fugu_pages_all_dirty(FuguPages *pages);

void fugu_version_free(FuguPages *pages, FuguVersion *version);

/* Returns the host's bytes that all versions together take. */
uint64_t fugu_pages_bytes(const FuguPages *pages);

#endif /* FUGU_PAGES_H */
