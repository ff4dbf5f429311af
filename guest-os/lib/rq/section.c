/*
 * Where the program polls: with RQ_BY_NI, in an atomic section. Sections of the
 * library itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rq-state.h"

void rq_begin(void)
{
    if (rq_back_end == RQ_BY_NI) {
        udm_beginatom();
    }
}

void rq_end(void)
{
    if (rq_back_end == RQ_BY_NI) {
        udm_endatom();
    }
}

void rq_let_in(void)
{
    if (rq_back_end == RQ_BY_NI) {
        udm_endatom();
        udm_beginatom();
    }
}

bool rq_close(void)
{
    if (udm_atomic()) {
        return false;
    }
    udm_beginatom();
    return true;
}

void rq_open(bool closed)
{
    if (closed) {
        udm_endatom();
    }
}
