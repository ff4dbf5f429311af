/*
 * Rings in shared memory: bytes between two processes of one host
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include <sys/mman.h>
#include "qapi/error.h"
#include "qemu/atomic.h"
#include "qemu/memfd.h"
#include "hw/fugu/wire/ring.h"

/* ---- Memory ------------------------------------------------------------- */

static LinkRings *map(int fd, Error **errp)
{
    LinkRings *rings = mmap(NULL, sizeof(*rings), PROT_READ | PROT_WRITE,
                            MAP_SHARED, fd, 0);

    if (rings == MAP_FAILED) {
        error_setg_errno(errp, errno, "cannot map the rings");
        return NULL;
    }
    return rings;
}

LinkRings *link_rings_new(int *fd, Error **errp)
{
    *fd = qemu_memfd_create("fugu-link", sizeof(LinkRings), false, 0,
                            F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL, errp);
    return *fd < 0 ? NULL : map(*fd, errp);
}

/* If the other process shrank the memory, an access would raise SIGBUS. */
LinkRings *link_rings_map(int fd, Error **errp)
{
    struct stat st;
    int seals = fcntl(fd, F_GET_SEALS);

    if (fstat(fd, &st) || st.st_size != sizeof(LinkRings) ||
        seals < 0 || !(seals & F_SEAL_SHRINK)) {
        error_setg(errp, "the rings are not what they should be");
        return NULL;
    }
    return map(fd, errp);
}

/* ---- Bytes -------------------------------------------------------------- */

/* The reader updates ring->taken after this many slots. */
#define TELL_SLOTS      64

static LinkSlot *next_slot(LinkRingEnd *end)
{
    return &end->ring->slot[end->next % LINK_RING_SLOTS];
}

/* Returns the stamp of the next slot if it holds @n bytes. */
static uint32_t stamp(LinkRingEnd *end, uint32_t n)
{
    return (end->next + 1) << 8 | n;
}

/*
 * Returns how many slots the writer can write, or -1 if the reader's count
 * makes no sense.
 */
static int room(LinkRingEnd *end)
{
    if (end->next - end->taken == LINK_RING_SLOTS) {
        end->taken = qatomic_load_acquire(&end->ring->taken);
        if (end->next - end->taken > LINK_RING_SLOTS) {
            return -1;
        }
    }
    return LINK_RING_SLOTS - (end->next - end->taken);
}

ssize_t link_ring_write(LinkRingEnd *end, const uint8_t *data, size_t n)
{
    size_t done = 0;

    while (done < n) {
        size_t part = MIN(n - done, LINK_SLOT_BYTES);
        LinkSlot *slot = next_slot(end);
        int free = room(end);

        if (free <= 0) {
            return free < 0 ? -1 : done;
        }
        memcpy(slot->data, data + done, part);
        qatomic_store_release(&slot->stamp, stamp(end, part));
        end->next++;
        done += part;
    }
    return done;
}

ssize_t link_ring_read(LinkRingEnd *end, uint8_t *data, size_t n)
{
    size_t done = 0;

    while (n - done >= LINK_SLOT_BYTES) {
        LinkSlot *slot = next_slot(end);
        uint32_t found = qatomic_load_acquire(&slot->stamp);
        uint32_t part = found & 0xff;

        if (found != stamp(end, part)) {
            break;
        }
        if (part == 0 || part > LINK_SLOT_BYTES) {
            return -1;
        }
        memcpy(data + done, slot->data, part);
        done += part;
        end->next++;
    }
    if (end->next - end->taken >= TELL_SLOTS) {
        end->taken = end->next;
        qatomic_store_release(&end->ring->taken, end->taken);
    }
    return done;
}

static bool is_empty(LinkRingEnd *end)
{
    uint32_t found = qatomic_read(&next_slot(end)->stamp);

    return found != stamp(end, found & 0xff);
}

/* ---- Sleep -------------------------------------------------------------- */

/*
 * The reader sets `sleeps` and then looks for bytes once more. The writer
 * writes bytes and then looks at `sleeps`. Both sides have a full memory
 * barrier in between, so at least one of them sees what the other has written.
 */
bool link_ring_sleep(LinkRingEnd *end)
{
    qatomic_set_mb(&end->ring->sleeps, 1);
    return is_empty(end);
}

void link_ring_awake(LinkRingEnd *end)
{
    qatomic_set(&end->ring->sleeps, 0);
}

bool link_ring_must_wake(LinkRingEnd *end)
{
    smp_mb();
    return qatomic_read(&end->ring->sleeps) &&
           qatomic_xchg(&end->ring->sleeps, 0);
}
