/*
 * contract NAME: misuse that also ends the job in buffered mode. The kernel
 * prints one line about the misuse; the job's status is 101.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"

static void no_dispose(void)
{
}

static void no_dispose_endatom(void)
{
    udm_endatom();
}

static void second_no_dispose(void)
{
    if (udm_arg(0) == 0) {
        udm_dispose();
    }
}

static void moved_no_dispose(void)
{
    page_fault();
}

/* Resumes another section before the handler has disposed. */
static void resumes(void)
{
    uint32_t word = glaze_suspend();

    glaze_suspend();
    glaze_resume(word);
    glaze_resume(0);
}

/* Fills the buffer with `count` messages, in a section in buffered mode. */
static void with(udm_handler_t handler, uint32_t count)
{
    udm_beginatom();
    glaze_divert();
    fill(handler, count);
}

static void store(uint32_t address)
{
    *(volatile uint32_t *)(uintptr_t)address = 1;
}

static void buffered_storeback(void)
{
    static uint32_t to;

    with(looks, 0);
    udm_storeback(&to, 0, 4);
}

static void body_beyond(void)
{
    static uint32_t body[4];

    with(looks, 0);
    udm_inject_body(udm_node(), looks, body, 8);
    UNTIL(inserted() == 1);
    udm_storeback(body, 4, 8);
}

/* The bodies of the next messages lie right after the oldest one. */
static void neighbours_body(uint32_t offset, uint32_t bytes)
{
    static uint32_t body[4];

    with(looks, 0);
    for (unsigned i = 1; i <= 3; i++) {
        udm_inject_body(udm_node(), looks, body, 8);
        UNTIL(inserted() == i);
    }
    udm_storeback(body, offset, bytes);
}

static void not_its_turn(void)
{
    udm_beginatom();
    udm_inject(udm_node(), looks, 0);
    UNTIL(udm_available());
    glaze_suspend();
    udm_beginatom();
    udm_dispose();
}

static void read_body(void)
{
    static uint32_t body[4];

    with(looks, 0);
    udm_inject_body(udm_node(), looks, body, 16);
    UNTIL(inserted() == 1);
    (void)*(volatile uint32_t *)GLAZE_BODIES;
}

void misuse(const char *what)
{
    if (!strcmp(what, "no-dispose")) {
        with(no_dispose, 1);
        udm_endatom();
    } else if (!strcmp(what, "no-dispose-endatom")) {
        with(no_dispose_endatom, 1);
        udm_endatom();
    } else if (!strcmp(what, "second-no-dispose")) {
        with(second_no_dispose, 2);
        udm_endatom();
    } else if (!strcmp(what, "moved-no-dispose")) {
        udm_inject(udm_node(), moved_no_dispose);
        settle();
    } else if (!strcmp(what, "resume-no-dispose")) {
        udm_inject(udm_node(), resumes);
        settle();
    } else if (!strcmp(what, "no-message")) {
        with(looks, 0);
        udm_dispose();
    } else if (!strcmp(what, "no-message-storeback")) {
        buffered_storeback();
    } else if (!strcmp(what, "beyond-storeback")) {
        body_beyond();
    } else if (!strcmp(what, "neighbour-count")) {
        neighbours_body(0, 16);
    } else if (!strcmp(what, "neighbour-offset")) {
        neighbours_body(8, 4);
    } else if (!strcmp(what, "neighbour-before")) {
        neighbours_body(-8, 8);
    } else if (!strcmp(what, "neighbour-wrap")) {
        neighbours_body(4, -4);
    } else if (!strcmp(what, "not-its-turn")) {
        not_its_turn();
    } else if (!strcmp(what, "write-record")) {
        with(looks, 1);
        store(glaze_info(GLAZE_I_HEAD));
    } else if (!strcmp(what, "write-behind")) {
        with(looks, 1);
        store(glaze_info(GLAZE_I_HEAD) + RECORD_SIZE);
    } else if (!strcmp(what, "write-empty")) {
        store(GLAZE_INFO + GLAZE_I_EMPTY);
    } else if (!strcmp(what, "write-head")) {
        store(GLAZE_INFO + GLAZE_I_HEAD);
    } else if (!strcmp(what, "storeback-to-record")) {
        static uint32_t body[4];

        with(looks, 0);
        udm_inject_body(udm_node(), looks, body, 16);
        UNTIL(inserted() == 1);
        udm_storeback((void *)(uintptr_t)GLAZE_BUFFER, 0, 16);
    } else if (!strcmp(what, "read-body")) {
        read_body();
    } else if (!strcmp(what, "read-process")) {
        (void)*(volatile uint32_t *)GLAZE_PROCESS;
    }
}
