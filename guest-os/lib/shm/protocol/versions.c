/*
 * Versions: which intervals of which writers a page has.
 *
 * A home tells with a page which intervals of which writers it has. If the
 * reader has not seen one of them, it has come upon a write without an acquire:
 * a busy flag, or a page that processes share by accident. So that it sees also
 * what was written before, it acquires from that writer.
 *
 * A program that orders all accesses by locks, barriers and flags needs none of this.
 * For such a program, the order can be dropped: then a page brings no versions, and the
 * reader neither ends its interval nor acquires.
 *
 * This file notes the versions of a home's pages, sends them with a page, takes
 * those of a page that comes, and acquires what a page shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "carry.h"
#include "pages.h"

bool order_kept;

/* Defined by the objects of programs with the ANL macros: by those whose sources have
 * the word volatile, and by the others. */
extern const char shm_program_volatile[] __attribute__((weak));
extern const char shm_program_plain[] __attribute__((weak));

/* Returns whether the order is kept, if the user says nothing. */
static bool keeps_order(void)
{
    return shm_program_volatile || !shm_program_plain;
}

static uint32_t *versions;      /* pairs of writer and interval */
static uint32_t version_count;  /* words */

void page_version(struct page *page, uint32_t writer, uint32_t seq)
{
    if (!page->version) {
        page->version = private_take(shm_count * sizeof(uint32_t));
    }
    page->version[writer] = seq;
    page->changes++;
}

void page_changed(struct page *page, uint32_t writer, uint32_t seq)
{
    page_version(page, writer, seq);
    visit_changed(page - pages);
}

uint32_t fetched_version(uint32_t writer)
{
    for (uint32_t k = 0; k < version_count; k += 2) {
        if (versions[k] == writer) {
            return versions[k + 1];
        }
    }
    return 0;
}

void versions_begin(void)
{
    version_count = 0;
}

void acquire_versions(void)
{
    for (uint32_t k = 0; order_kept && k < version_count; k += 2) {
        if (versions[k] != shm_self && versions[k + 1] > vector[versions[k]]) {
            interval_close();
            interval_acquire(versions[k], versions[k + 1]);
        }
    }
}

void shm_on_versions(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    memcpy(versions, words, count * sizeof(uint32_t));
    version_count = count;
}

void take_lasts(uint32_t number)
{
    udm_beginatom();
    lasts_fetched(number, versions, version_count / 2);
    udm_endatom();
}

/* In place of versions, without the order: which stores of locks the page has. */
static void tell_lasts(uint32_t node, uint32_t number, uint32_t near[2 * NEAR])
{
    uint32_t pairs[2 * LASTS_MOST], count = lasts_tell(number, pairs);

    if (count > NEAR) {
        post(node, OP_VERSIONS, pairs, 2 * count);
    } else {
        memcpy(near, pairs, 2 * count * sizeof(uint32_t));
    }
}

void tell_versions(uint32_t node, const struct page *page,
                   uint32_t near[2 * NEAR])
{
    uint32_t found = 0;

    near[0] = near[2] = NO_NODE;
    near[1] = near[3] = 0;
    if (!order_kept) {
        tell_lasts(node, page - pages, near);
        return;
    }
    for (uint32_t k = 0; page->version && k < shm_count; k++) {
        if (page->version[k] <= known_to_all[k] || k == node) {
            continue;
        }
        if (found < NEAR) {
            near[2 * found] = k;
            near[2 * found + 1] = page->version[k];
        } else {
            if (found == NEAR) {
                post_begin(node, OP_VERSIONS);
                post_words(near, 2 * NEAR);
            }
            post_word(k);
            post_word(page->version[k]);
        }
        found++;
    }
    if (found > NEAR) {
        post_end();
        near[0] = near[2] = NO_NODE;
    }
}

bool has_news(const struct page *page)
{
    for (uint32_t k = 0; order_kept && page->version && k < shm_count; k++) {
        if (page->version[k] > known_to_all[k]) {
            return true;
        }
    }
    return false;
}

void take_version(uint32_t writer, uint32_t seq)
{
    if (writer != NO_NODE) {
        versions[version_count++] = writer;
        versions[version_count++] = seq;
    }
}

bool has_unseen(const struct page *page)
{
    for (uint32_t k = 0; order_kept && page->version && k < shm_count; k++) {
        if (page->version[k] > vector[k] && k != shm_self) {
            return true;
        }
    }
    return false;
}

void acquire_own(const struct page *page)
{
    for (uint32_t k = 0; page->version && k < shm_count; k++) {
        if (page->version[k] > vector[k] && k != shm_self) {
            interval_close();
            interval_acquire(k, page->version[k]);
        }
    }
}

void versions_init(void)
{
    uint32_t wanted = glaze_info(GLAZE_I_SHM_ORDER);

    order_kept = wanted ? wanted == GLAZE_ORDER_KEEP : keeps_order();
    counts.order = order_kept ? SHM_ORDER_KEPT : SHM_ORDER_DROPPED;
    versions = private_take(2 * (shm_count + LASTS_MOST) * sizeof(uint32_t));
}
