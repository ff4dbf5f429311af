/*
 * The numbers of System V's values.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VALUES_H
#define VALUES_H

#include <float.h>
#include <limits.h>

#define BITSPERBYTE             CHAR_BIT
#define BITS(type)              (BITSPERBYTE * (int)sizeof(type))

#define MAXSHORT                SHRT_MAX
#define MAXINT                  INT_MAX
#define MAXLONG                 LONG_MAX
#define MINSHORT                SHRT_MIN
#define MININT                  INT_MIN
#define MINLONG                 LONG_MIN
#define HIBITS                  ((short)SHRT_MIN)
#define HIBITI                  INT_MIN
#define HIBITL                  LONG_MIN

#ifndef MAXFLOAT                        /* math.h may have it */
#define MAXFLOAT                FLT_MAX
#endif
#define MINFLOAT                FLT_MIN
#define MAXDOUBLE               DBL_MAX
#define MINDOUBLE               DBL_MIN
#define FSIGNIF                 FLT_MANT_DIG
#define DSIGNIF                 DBL_MANT_DIG
#define FMAXEXP                 FLT_MAX_EXP
#define FMINEXP                 FLT_MIN_EXP
#define DMAXEXP                 DBL_MAX_EXP
#define DMINEXP                 DBL_MIN_EXP

#define LN_MAXDOUBLE            7.0978271289338397e2    /* log(MAXDOUBLE) */
#define LN_MINDOUBLE            (-7.0839641853226411e2) /* log(MINDOUBLE) */

#endif /* VALUES_H */
