/*
 * What the files of water share: molecules as CRL regions, and the steps of an
 * iteration. Units: angstroms, femtoseconds, atomic mass units.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef WATER_H
#define WATER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crl.h"

#define TIME_STEP 0.15
#define CUTOFF 6.212752         /* as in the input of SPLASH-2 */

enum { X, Y, Z, AXES };
enum { H1, O, H2, ATOMS };
enum { ORDER = 6 };             /* highest time derivative of the motion */

extern const double atom_mass[ATOMS];

/*
 * Returns zeroed memory for `count` things of `size` bytes. Ends the job if
 * there is none. (water.c)
 */
void *memory(size_t count, size_t size);

/* ---- Molecules (molecules.c) -------------------------------------------- */

/* A molecule's region. */
struct molecule {
    /* The k-th time derivative of the atoms' places, times TIME_STEP^k / k! */
    double motion[ORDER + 1][ATOMS][AXES];
    double force[ATOMS][AXES];
    double centre[AXES];        /* of the negative charge */
};

extern uint32_t molecules;      /* their number, a cube */
extern double box;              /* the side of the cube that they are in, which
                                   repeats itself in all directions */
extern double reach_squared;    /* molecules act on each other up to this
                                   distance of their Os: CUTOFF, or half the
                                   box if that is less */

/* All nodes call it, before all else. Makes this node's molecules. */
void molecules_init(uint32_t count);

/*
 * Goes through the molecules of a node: of K nodes, node k owns molecules k,
 * k + K, k + 2 K, and so on.
 */
#define FOR_MOLECULES_OF(node, i) \
    for (uint32_t i = (node); i < molecules; i += crl_num_nodes)

struct molecule *molecule_at(uint32_t number);  /* every node has mapped it */

/* ---- The start (initial.c) ---------------------------------------------- */

/* Fills in places and velocities of this node's molecules. */
void initial(uint32_t seed);

/* ---- Forces ------------------------------------------------------------- */

/*
 * inside.c. The energy of stretched and bent bonds within a molecule. The
 * second function fills in the force on each atom.
 */
double inside_energy(const struct molecule *molecule);
void inside_force(const struct molecule *molecule, double force[ATOMS][AXES]);

/*
 * pair.c. The energy between two molecules, 0 if they are too far apart. The
 * second function adds the forces that they put on each other's atoms.
 */
double pair_energy(const struct molecule *a, const struct molecule *b);
void pair_force(const struct molecule *a, const struct molecule *b,
                double force_a[ATOMS][AXES], double force_b[ATOMS][AXES]);

/*
 * between.c. Each pair of molecules is the task of one node. between_forces()
 * computes the forces between this node's pairs, between_add() adds them to
 * the forces in the molecules, and between_energy() returns the energy of this
 * node's pairs. All nodes call them. A barrier must separate two of these
 * calls.
 */
void between_init(void);
void between_forces(void);
void between_add(void);
double between_energy(void);

/* ---- Motion (motion.c) -------------------------------------------------- */

/* Each function works on this node's molecules. */

void motion_predict(void);      /* extrapolates the motion for a time step */
void motion_forces(void);       /* sets forces to those inside of molecules */
void motion_start(void);        /* sets the accelerations by the forces */
double motion_correct(void);    /* corrects the motion by the forces; returns
                                   the kinetic energy */
double motion_inside_energy(void);

/* ---- The result (result.c) ---------------------------------------------- */

struct energies {
    double kinetic, inside, between;
};

/*
 * Writes a file: a line with the energies; and for each molecule a line with
 * nine coordinates of its atoms, and nine of their velocities. The numbers are
 * hexadecimal, which loses no bit. One node calls it. Returns false, and says
 * why, if the file cannot be written.
 */
bool result_write(const char *name, const struct energies *energies);

#endif /* WATER_H */
