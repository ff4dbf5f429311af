/*
 * The model of water: flexible molecules with the potential of Matsuoka,
 * Clementi and Yoshimine between them (J. Chem. Phys. 64, 1976), and that of
 * Bartlett, Shavitt and Purvis (J. Chem. Phys. 71, 1979) inside of them, as
 * Lie and Clementi put both together (Phys. Rev. A 33, 1986) and as Water of
 * SPLASH (Singh, Weber and Gupta, 1992) has them.
 *
 * The numbers are the published ones. The unit of energy is one atomic mass
 * unit times the square of an angstrom a femtosecond: 10 MJ/mol.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef WATER_MODEL_H
#define WATER_MODEL_H

#define BOLTZMANN 8.314462618e-7    /* units of energy a kelvin */
#define TEMPERATURE 298.0           /* kelvin */
#define DENSITY 0.998               /* g/cm^3 */
#define UNIT_DENSITY 1.66053906660  /* g/cm^3: a mass unit a cubic angstrom */

#define MASS_H 1.007825
#define MASS_O 15.99945

/* ---- Inside of a molecule ----------------------------------------------- */

#define BOND 0.9572                 /* length of O-H at rest */
#define ANGLE 1.824218              /* H-O-H at rest, radians */

/*
 * The energy is a polynomial in the stretches s and t of the two bonds, and the
 * bend b: the change of the angle times BOND. A name has a 1 for a factor s, a
 * 2 for t and a 3 for b. Powers above 2 are divided by BOND for each.
 */
#define K11 0.512596                /* (s^2 + t^2) / 2 */
#define K33 0.048098                /* b^2 / 2 */
#define K12 -0.005823               /* s t */
#define K13 0.016452                /* (s + t) b */
#define K111 -0.57191               /* s^3 + t^3 */
#define K333 -0.007636              /* b^3 */
#define K112 -0.001867              /* (s + t) s t */
#define K113 -0.002047              /* (s^2 + t^2) b */
#define K123 -0.03083               /* s t b */
#define K133 -0.0094245             /* (s + t) b^2 */
#define K1111 0.8431                /* s^4 + t^4 */
#define K3333 -0.00193              /* b^4 */
#define K1112 -0.0030               /* (s^2 + t^2) s t */
#define K1122 0.0036                /* s^2 t^2 */
#define K1113 -0.012                /* (s^3 + t^3) b */
#define K1123 0.0060                /* (s + t) s t b */
#define K1133 -0.0048               /* (s^2 + t^2) b^2 */
#define K1233 0.0211                /* s t b^2 */
#define K1333 0.006263              /* (s + t) b^3 */

/* ---- Between two molecules ---------------------------------------------- */

/*
 * Each H has a charge, and the negative charge of both is at a point on the
 * bisector of the angle, at CENTRE of the way from O to the middle of the Hs.
 */
#define CHARGE_SQUARED 0.07152158   /* product of the charges of two Hs */
#define CENTRE 0.45682590

/* Exponentials A exp(-B r) of the distance r between atoms. */
#define A_OO 455.313100
#define B_OO 5.15271070
#define A_HH 0.27879839
#define B_HH 2.76084370
#define A_OH 0.60895706
#define B_OH 2.96189550
#define A_OH_ATTRACTION 0.11447336  /* negative energy */
#define B_OH_ATTRACTION 2.23326410

#endif /* WATER_MODEL_H */
