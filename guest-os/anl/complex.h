/*
 * C99's complex numbers. anl.h gives sources the name _Complex, which is a keyword
 * of C99; a source that includes this file wants the keyword.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#undef _Complex
#include_next <complex.h>
