/*
 * Versions of the machine's memory, by pages that they share
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "exec/exec-all.h"
#include "exec/memory.h"
#include "exec/ram_addr.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/history/pages.h"

#define PAGE            4096
#define CHUNK_PAGES     512

typedef struct Page {
    unsigned references;
    uint8_t data[PAGE];
} Page;

typedef struct Chunk {
    unsigned references;
    Page *page[CHUNK_PAGES];    /* NULL: all bytes are 0 */
} Chunk;

struct FuguVersion {
    Chunk **chunk;
};

/* The RAM of all nodes, or the boot image. */
typedef struct Block {
    MemoryRegion *mr;
    uint8_t *host;
    size_t pages;
    size_t first_chunk;         /* in versions */
} Block;

struct FuguPages {
    Block block[2];
    size_t chunks;              /* of all blocks */
    FuguVersion *now;           /* contents when last taken or restored */
    uint64_t bytes;
};

/* ---- Sharing ------------------------------------------------------------- */

static Page *page_new(FuguPages *p, const uint8_t *data)
{
    Page *page;

    if (buffer_is_zero(data, PAGE)) {
        return NULL;
    }
    page = g_new(Page, 1);
    page->references = 1;
    memcpy(page->data, data, PAGE);
    p->bytes += sizeof(*page);
    return page;
}

static void page_free(FuguPages *p, Page *page)
{
    if (page && --page->references == 0) {
        p->bytes -= sizeof(*page);
        g_free(page);
    }
}

static Chunk *chunk_new(FuguPages *p, const Chunk *from)
{
    Chunk *chunk = g_new0(Chunk, 1);

    p->bytes += sizeof(*chunk);
    if (from) {
        *chunk = *from;
        for (size_t i = 0; i < CHUNK_PAGES; i++) {
            if (chunk->page[i]) {
                chunk->page[i]->references++;
            }
        }
    }
    chunk->references = 1;
    return chunk;
}

static void chunk_free(FuguPages *p, Chunk *chunk)
{
    if (chunk && --chunk->references == 0) {
        for (size_t i = 0; i < CHUNK_PAGES; i++) {
            page_free(p, chunk->page[i]);
        }
        p->bytes -= sizeof(*chunk);
        g_free(chunk);
    }
}

static FuguVersion *version_new(FuguPages *p, const FuguVersion *from)
{
    FuguVersion *version = g_new(FuguVersion, 1);

    version->chunk = g_new0(Chunk *, p->chunks);
    p->bytes += p->chunks * sizeof(Chunk *);
    for (size_t i = 0; from && i < p->chunks; i++) {
        version->chunk[i] = from->chunk[i];
        if (version->chunk[i]) {
            version->chunk[i]->references++;
        }
    }
    return version;
}

void fugu_version_free(FuguPages *p, FuguVersion *version)
{
    for (size_t i = 0; i < p->chunks; i++) {
        chunk_free(p, version->chunk[i]);
    }
    p->bytes -= p->chunks * sizeof(Chunk *);
    g_free(version->chunk);
    g_free(version);
}

/* ---- Pages of a version -------------------------------------------------- */

static Page *version_page(const FuguVersion *v, const Block *b, size_t page)
{
    Chunk *chunk = v->chunk[b->first_chunk + page / CHUNK_PAGES];

    return chunk ? chunk->page[page % CHUNK_PAGES] : NULL;
}

/* Makes the page part of p->now, whose chunk other versions may share. */
static void set_page(FuguPages *p, const Block *b, size_t page, Page *new)
{
    Chunk **chunk = &p->now->chunk[b->first_chunk + page / CHUNK_PAGES];
    Page **slot;

    if (!*chunk || (*chunk)->references > 1) {
        Chunk *own = chunk_new(p, *chunk);

        chunk_free(p, *chunk);
        *chunk = own;
    }
    slot = &(*chunk)->page[page % CHUNK_PAGES];
    page_free(p, *slot);
    *slot = new;
}

static bool is_content(const Page *page, const uint8_t *host)
{
    return page ? !memcmp(page->data, host, PAGE) : buffer_is_zero(host, PAGE);
}

static uint8_t *host_page(const Block *b, size_t page)
{
    return b->host + page * PAGE;
}

/* Calls @visit for each page that was written since the last call. */
static void visit_dirty(FuguPages *p, const Block *b,
                        void (*visit)(FuguPages *, const Block *, size_t))
{
    g_autofree DirtyBitmapSnapshot *dirty =
        memory_region_snapshot_and_clear_dirty(b->mr, 0, b->pages * PAGE,
                                               DIRTY_MEMORY_VGA);

    for (size_t i = 0; i < b->pages; i++) {
        if (memory_region_snapshot_get_dirty(b->mr, dirty, i * PAGE, PAGE)) {
            visit(p, b, i);
        }
    }
}

static void keep_page(FuguPages *p, const Block *b, size_t page)
{
    const uint8_t *host = host_page(b, page);

    if (!is_content(version_page(p->now, b, page), host)) {
        set_page(p, b, page, page_new(p, host));
    }
}

/* ---- Versions ------------------------------------------------------------ */

FuguVersion *fugu_version_take(FuguPages *p)
{
    for (size_t i = 0; i < ARRAY_SIZE(p->block); i++) {
        visit_dirty(p, &p->block[i], keep_page);
    }
    return version_new(p, p->now);
}

/* Writes the page to memory. Its translations are dropped. */
static void write_page(const Block *b, size_t page, const Page *new)
{
    ram_addr_t at = memory_region_get_ram_addr(b->mr) + page * PAGE;
    uint8_t *host = host_page(b, page);

    if (is_content(new, host)) {
        return;
    }
    if (new) {
        memcpy(host, new->data, PAGE);
    } else {
        memset(host, 0, PAGE);
    }
    tb_invalidate_phys_range(at, at + PAGE - 1);
}

static void write_back(FuguPages *p, const Block *b, size_t page)
{
    write_page(b, page, version_page(p->now, b, page));
}

static void restore_chunk(FuguPages *p, const Block *b, size_t chunk,
                          const FuguVersion *v)
{
    size_t end = MIN((chunk + 1) * CHUNK_PAGES, b->pages);

    for (size_t i = chunk * CHUNK_PAGES; i < end; i++) {
        Page *page = version_page(v, b, i);

        if (page != version_page(p->now, b, i)) {
            write_page(b, i, page);
        }
    }
}

void fugu_version_restore(FuguPages *p, const FuguVersion *v)
{
    for (size_t i = 0; i < ARRAY_SIZE(p->block); i++) {
        const Block *b = &p->block[i];
        size_t chunks = DIV_ROUND_UP(b->pages, CHUNK_PAGES);

        visit_dirty(p, b, write_back);
        for (size_t k = 0; k < chunks; k++) {
            if (v->chunk[b->first_chunk + k] !=
                p->now->chunk[b->first_chunk + k]) {
                restore_chunk(p, b, k, v);
            }
        }
    }
    fugu_version_free(p, p->now);
    p->now = version_new(p, v);
}

void fugu_version_read(const FuguPages *p, const FuguVersion *v, size_t at,
                       uint8_t *to, unsigned len)
{
    const Page *page = version_page(v, &p->block[0], at / PAGE);

    if (page) {
        memcpy(to, page->data + at % PAGE, len);
    } else {
        memset(to, 0, len);
    }
}

void fugu_pages_all_dirty(FuguPages *p)
{
    for (size_t i = 0; i < ARRAY_SIZE(p->block); i++) {
        memory_region_set_dirty(p->block[i].mr, 0, p->block[i].pages * PAGE);
    }
}

uint64_t fugu_pages_bytes(const FuguPages *p)
{
    return p->bytes;
}

static void log_block(FuguPages *p, Block *b, MemoryRegion *mr)
{
    *b = (Block) {
        .mr = mr,
        .host = memory_region_get_ram_ptr(mr),
        .pages = memory_region_size(mr) / PAGE,
        .first_chunk = p->chunks,
    };
    p->chunks += DIV_ROUND_UP(b->pages, CHUNK_PAGES);
    memory_region_set_log(mr, true, DIRTY_MEMORY_VGA);
}

FuguPages *fugu_pages_new(FuguMachineState *m)
{
    FuguPages *p = g_new0(FuguPages, 1);

    log_block(p, &p->block[0], &m->parts.ram);
    log_block(p, &p->block[1], &m->parts.boot);
    p->now = version_new(p, NULL);
    return p;
}
