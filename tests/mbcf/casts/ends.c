/*
 * Multicasts: tasks that end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "casts.h"
#include "check.h"
#include "glaze-calls.h"

/* A leaf, and then a task with two copies, have ended when the commands come. */
void case_ended(void)
{
    uint32_t leaf = node_of(5), inner = node_of(1);
    const uint8_t *copy = memory[place(0)];

    plant();
    local[0] = 5;
    udm_barrier();
    if (udm_node() == leaf) {
        glaze_exit(0);
    } else if (udm_node()) {
        mbcf_sleep_while(&flag, 0);
        glaze_exit(0);
    }
    wait(1000000);
    check("a leaf has ended", update(1, copy_on(1), 4096),
          MBCF_AT_COPY | MBCF_NO_TASK);
    check("its brother is done", copy[3], 5);
    tell(inner);
    wait(1000000);
    local[0] = 6;
    check("a task with copies has ended", update(1, copy_on(1), 4096),
          MBCF_AT_COPY | MBCF_NO_TASK);
    check("others are done", copy[3], 6);
    check("it is no root", invalidate(inner, copy_on(inner)), MBCF_NO_TASK);
    check("copies beyond it are not done", mbcf_read_now(
          node_of(3), local, copy_on(node_of(3)), 4), MBCF_DONE);
    check("they are as before", local[0], 5);
    for (uint32_t node = 1; node < udm_nodes(); node++) {
        if (node != leaf && node != inner) {
            tell(node);
        }
    }
    glaze_exit(check_failures != 0);
}

/*
 * The root ends while a copy's reply is under way: node 2 is in a section, and
 * a message that it does not take keeps the command waiting in the network.
 */
void case_leaves(void)
{
    const struct mbcf_copy copy = { 2, copy_on(2) };
    volatile uint32_t status = MBCF_PENDING;

    local[0] = 8;
    memory[place(udm_node())][0] = 0;   /* makes the page */
    if (udm_node() == 1) {
        mbcf_pattern(copy_on(1), &copy, 1);
    }
    udm_barrier();
    if (udm_node() == 1) {
        mbcf_sleep_while(&flag, 0);
        glaze_exit(0);
    } else if (udm_node() == 2) {
        udm_beginatom();
        tell(0);
        wait(200000);
        check("the command waits", memory[place(2)][3], 0);
        udm_endatom();
        mbcf_sleep_while(&flag, 0);
        check("the copy is done", memory[place(2)][3], 8);
        glaze_exit(check_failures != 0);
    }
    mbcf_sleep_while(&flag, 0);
    udm_inject(2, ignore);
    mbcf_send(MBCF_UPDATE, 1, copy_on(1), local, 4096, MBCF_STATUS, &status);
    mbcf_read_now(1, local, copy_on(1), 4);
    check("the root has done it", local[0], 8);
    tell(1);
    check("the root ends", mbcf_await(&status), MBCF_NO_TASK);
    wait(1000000);
    tell(2);
    glaze_exit(check_failures != 0);
}
