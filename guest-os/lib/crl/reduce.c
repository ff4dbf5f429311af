/*
 * Reductions. The one file that may use the FPU: threads alone run this code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "region.h"
#include "udm-collective.h"

static double reduce(enum udm_operation operation, double value,
                     uint32_t caller)
{
    double result;

    crl_enter(CRL_REDUCE, 0, udm_uac(), caller);
    result = udm_reduce_all_double(operation, value);
    crl_miss();
    return result;
}

double rgn_reduce_dadd(double value)
{
    return reduce(UDM_SUM, value, (uintptr_t)__builtin_return_address(0));
}

double rgn_reduce_dmin(double value)
{
    return reduce(UDM_MIN, value, (uintptr_t)__builtin_return_address(0));
}

double rgn_reduce_dmax(double value)
{
    return reduce(UDM_MAX, value, (uintptr_t)__builtin_return_address(0));
}
