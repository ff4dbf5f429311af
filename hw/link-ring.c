/*
 * Rings in shared memory: frames between two processes of one host
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include <sys/mman.h>
#include "qapi/error.h"
#include "qemu/atomic.h"
#include "qemu/memfd.h"
#include "hw/fugu/link-ring.h"

/* ---- Memory --------------------------------------------------------------- */

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

/* Memory that could shrink would make us die of a signal. */
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

/* ---- Bytes ---------------------------------------------------------------- */

static void copy_in(LinkRing *ring, uint32_t at, const uint8_t *data, size_t n)
{
    uint32_t place = at % LINK_RING_BYTES;
    size_t first = MIN(n, LINK_RING_BYTES - place);

    memcpy(ring->data + place, data, first);
    memcpy(ring->data, data + first, n - first);
}

static void copy_out(LinkRing *ring, uint32_t at, uint8_t *data, size_t n)
{
    uint32_t place = at % LINK_RING_BYTES;
    size_t first = MIN(n, LINK_RING_BYTES - place);

    memcpy(data, ring->data + place, first);
    memcpy(data + first, ring->data, n - first);
}

ssize_t link_ring_write(LinkRingEnd *end, const uint8_t *data, size_t n)
{
    LinkRing *ring = end->ring;
    uint32_t room = LINK_RING_BYTES - (end->mine - end->other);

    if (room < n) {
        end->other = qatomic_load_acquire(&ring->taken);
        if (end->mine - end->other > LINK_RING_BYTES) {
            return -1;
        }
        room = LINK_RING_BYTES - (end->mine - end->other);
        n = MIN(n, room);
    }
    copy_in(ring, end->mine, data, n);
    end->mine += n;
    qatomic_store_release(&ring->written, end->mine);
    return n;
}

ssize_t link_ring_read(LinkRingEnd *end, uint8_t *data, size_t n)
{
    LinkRing *ring = end->ring;

    if (end->other - end->mine < n) {
        end->other = qatomic_load_acquire(&ring->written);
        if (end->other - end->mine > LINK_RING_BYTES) {
            return -1;
        }
        n = MIN(n, end->other - end->mine);
    }
    if (n == 0) {
        return 0;
    }
    copy_out(ring, end->mine, data, n);
    end->mine += n;
    qatomic_store_release(&ring->taken, end->mine);
    return n;
}

/* ---- Sleep ---------------------------------------------------------------- */

/*
 * The reader says that it sleeps and then looks once more; the writer writes
 * and then looks whether the reader sleeps. With a full barrier in between on
 * both sides, one of them sees the other.
 */
bool link_ring_sleep(LinkRingEnd *end)
{
    qatomic_set_mb(&end->ring->sleeps, 1);
    return qatomic_read(&end->ring->written) == end->mine;
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
