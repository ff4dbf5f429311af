/*
 * Structures that make no sense, and first messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "cases.h"
#include "check.h"

static uint32_t buffer[16], stored[8];
static struct mbcf_signal signals[6];

void case_structures(void)
{
    static const struct mbcf_fifo good = {
        .buffer = (uintptr_t)buffer, .size = sizeof(buffer),
    };
    static struct mbcf_fifo bad[12], last[5];

    for (unsigned k = 0; k < 12; k++) {
        bad[k] = good;
    }
    for (unsigned k = 0; k < 5; k++) {
        last[k] = good;
    }
    bad[0].buffer++;
    bad[1].size = 0;
    bad[2].size = MBCF_FIFO_MAX + 4;
    bad[3].head = sizeof(buffer);
    bad[4].used = sizeof(buffer) + 4;
    bad[5].buffer = 0xfffffff0;
    bad[6].buffer = FUGU_RAM_BASE;
    bad[7].size -= 2;
    bad[8].head = 2;
    bad[9].used = 2;
    bad[10].size = 4;
    bad[11].buffer = -sizeof(buffer) + 4;
    last[0].size = 8;
    last[1].size = MBCF_FIFO_MAX;
    last[2].head = sizeof(buffer) - 4;
    last[3].used = sizeof(buffer);
    last[4].buffer = -sizeof(buffer);
    signals[0].invoke = MBCF_INVOKE_CLIENT + 1;
    signals[1].store = 8;
    signals[2].store = 3;
    signals[3].during = 3;
    signals[4].store = MBCF_STORE_BUFFER;
    signals[4].to = GLAZE_INFO;
    signals[4].size = 100;
    signals[5].store = MBCF_STORE_BUFFER;
    signals[5].to = (uintptr_t)stored;
    signals[5].size = 3;
    udm_barrier();
    if (udm_node() == 1) {
        check("take", mbcf_take(&bad[3], stored, 4), -EINVAL);
        bad[6] = good;
        bad[6].used = 8;
        buffer[0] = 5;
        check("take an entry that cannot be", mbcf_take(&bad[6], stored, 16),
              -EINVAL);
        bad[6].used = 12;
        check("take one that just can be", mbcf_take(&bad[6], stored, 16), 5);
        check("it is gone", bad[6].used, 0);
        check("and where it was", bad[6].head, 12);
        bad[6].head = 0;
        bad[6].size = bad[6].used = 2 * GLAZE_PAGE;
        buffer[0] = MBCF_BYTES_MAX + sizeof(struct mbcf_source) + 1;
        check("take one that is too long", mbcf_take(&bad[6], stored, UINT32_MAX),
              -EINVAL);
        buffer[0] = UINT32_MAX;
        check("take the longest", mbcf_take(&bad[6], stored, UINT32_MAX),
              -EINVAL);
        bad[6] = good;
        bad[6].buffer = FUGU_RAM_BASE;
    }
    udm_barrier();
    if (udm_node()) {
        return;
    }
    for (unsigned k = 0; k < 12; k++) {
        check("fifo", send_bytes(MBCF_FIFO, &bad[k], "a", 1),
              k == 6 ? MBCF_BAD_ADDRESS : MBCF_BAD_STRUCTURE);
    }
    check("least size", send_bytes(MBCF_FIFO, &last[0], "a", 1), MBCF_DONE);
    check("no more in it", send_bytes(MBCF_FIFO, &last[0], "a", 1), MBCF_FULL);
    check("largest size", send_bytes(MBCF_FIFO, &last[1], "a", 1), MBCF_DONE);
    check("last head", send_bytes(MBCF_FIFO, &last[2], "a", 1), MBCF_DONE);
    check("all is used", send_bytes(MBCF_FIFO, &last[3], "a", 1), MBCF_FULL);
    check("the last addresses", send_bytes(MBCF_FIFO, &last[4], "a", 1),
          MBCF_BAD_ADDRESS);
    check("no structure", send_bytes(MBCF_FIFO, (void *)8, "a", 1),
          MBCF_BAD_ADDRESS);
    check("unaligned", send_bytes(MBCF_FIFO, (void *)((uintptr_t)&last[0] + 2), "a",
                               1), MBCF_UNALIGNED);
    check("signal", send_signal(&signals[0], 0, "a", 1), MBCF_BAD_STRUCTURE);
    check("signal", send_signal(&signals[1], 0, "a", 1), MBCF_BAD_STRUCTURE);
    check("signal", send_signal(&signals[2], 0, "a", 1), MBCF_BAD_STRUCTURE);
    check("signal", send_signal(&signals[3], 0, "a", 1), MBCF_BAD_STRUCTURE);
    check("a buffer that cannot be written", send_signal(&signals[4], 0, "a", 1),
          MBCF_BAD_ADDRESS);
    check("a short buffer", send_signal(&signals[5], 0, "abcd", 4), MBCF_FULL);
    check("it was not invoked", signals[5].running, 0);
}

/* ---- First messages ------------------------------------------------------ */

void case_queue(void)
{
    uint32_t task = mbcf_enter(0, 1, mbcf_page()->task, 0);
    volatile uint32_t status = MBCF_PENDING;
    struct mbcf_first first;

    if (udm_node() == 0) {
        mbcf_send(MBCF_WRITE_QUEUE, task, 0, "a", 1, MBCF_STATUS, &status);
        check("no queue", mbcf_await(&status), MBCF_NO_QUEUE);
    }
    udm_barrier();
    if (udm_node() == 1) {
        check("no queue to read", mbcf_read_queue(&first), false);
        check("make", mbcf_queue(), true);
        check("nothing to read", mbcf_read_queue(&first), false);
    }
    udm_barrier();
    for (uint32_t k = 0; k <= MBCF_QUEUE_MAX && udm_node() == 0; k++) {
        status = MBCF_PENDING;
        mbcf_send(MBCF_WRITE_QUEUE, task, 0, &k, sizeof(k), MBCF_STATUS,
                  &status);
        if (mbcf_await(&status) != MBCF_DONE) {
            check("full", status, MBCF_FULL);
            check("after", k, MBCF_QUEUE_MAX);
        }
    }
    udm_barrier();
    for (uint32_t k = 0; k < MBCF_QUEUE_MAX && udm_node() == 1; k++) {
        if (!mbcf_read_queue(&first) || first.data[0] != k) {
            check("in order", first.data[0], k);
        }
    }
    if (udm_node() == 1) {
        check("source: node", first.source.node, 0);
        check("source: number", first.source.number, mbcf_page()->task);
        check("bytes", first.bytes, sizeof(uint32_t));
        check("empty", mbcf_read_queue(&first), false);
    }
}
