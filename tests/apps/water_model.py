"""What the app water has to compute: the same molecules, alone and in Python.

A place, velocity or force is a list of x, y and z; a molecule's are three such lists, for H, O and H.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from app_numbers import Random48, reals

N = reals("apps/water/model.h") | reals("apps/water/water.h") | reals("apps/water/initial.c")
STEP = N["TIME_STEP"]
MASSES = [N["MASS_H"], N["MASS_O"], N["MASS_H"]]
AXES = range(3)

# Gear's corrector of order 6 for equations of second order.
GEAR = [863 / 6048, 665 / 1008, 1, 25 / 36, 35 / 144, 1 / 24, 1 / 360]

Vector = list[float]


@dataclass
class Molecule:
    """`motion[k]` has the k-th derivatives of all nine coordinates, times STEP ** k / k!."""

    motion: list[Vector]
    force: Vector = field(default_factory=lambda: [0.0] * 9)

    def place(self, atom: int) -> Vector:
        """The place of an atom."""
        return self.motion[0][3 * atom:3 * atom + 3]

    def velocity(self) -> Vector:
        """The velocities of the atoms."""
        return [x / STEP for x in self.motion[1]]


@dataclass
class Water:
    """A box of molecules."""

    molecules: list[Molecule]
    box: float

    def energies(self) -> tuple[float, float, float]:
        """Kinetic energy, energy inside of molecules, and between them."""
        kinetic = sum(MASSES[i // 3] * v * v / 2 for one in self.molecules for i, v in enumerate(one.velocity()))
        inside = sum(_inside(one)[0] for one in self.molecules)
        return kinetic, inside, sum(energy for _, _, energy, _, _ in self._between())

    def find_forces(self) -> None:
        """Sets the forces of all molecules."""
        for one in self.molecules:
            one.force = _inside(one)[1]
        for a, b, _, force_a, force_b in self._between():
            for molecule, force in ((a, force_a), (b, force_b)):
                molecule.force = [x + y for x, y in zip(molecule.force, force)]

    def step(self) -> None:
        """One time step."""
        for one in self.molecules:
            one.motion = [[sum(math.comb(n, k) * one.motion[n][i] for n in range(k, 7)) for i in range(9)]
                          for k in range(7)]
        self.find_forces()
        for one in self.molecules:
            for i, acceleration in enumerate(accelerations(one)):
                error = acceleration - one.motion[2][i]
                for k, part in enumerate(GEAR):
                    one.motion[k][i] += part * error
            for axis in AXES:
                turns = math.floor(one.place(1)[axis] / self.box)
                for atom in range(3):
                    one.motion[0][3 * atom + axis] -= turns * self.box

    def _between(self) -> Iterator[tuple[Molecule, Molecule, float, Vector, Vector]]:
        reach = min(N["CUTOFF"], self.box / 2)
        for i, a in enumerate(self.molecules):
            for b in self.molecules[:i]:
                shift = [self.box * round((x - y) / self.box) for x, y in zip(a.place(1), b.place(1))]
                if math.dist(a.place(1), [x + y for x, y in zip(b.place(1), shift)]) < reach:
                    yield a, b, *pair(a, b, shift)


def water_at(count: int, steps: int, seed: int) -> Water:
    """The molecules after some steps."""
    water = initial(count, seed)
    water.find_forces()
    for one in water.molecules:
        one.motion[2] = accelerations(one)
    for _ in range(steps):
        water.step()
    return water


def accelerations(molecule: Molecule) -> Vector:
    """The second derivatives that the forces make, times STEP ** 2 / 2."""
    return [force * STEP ** 2 / 2 / MASSES[i // 3] for i, force in enumerate(molecule.force)]


# ---- the start ------------------------------------------------------------------

def initial(count: int, seed: int) -> Water:
    """Nearly a cubic lattice, with random velocities."""
    edge = round(count ** (1 / 3))
    box = (count * sum(MASSES) * N["UNIT_DENSITY"] / N["DENSITY"]) ** (1 / 3)
    random = Random48(seed)
    molecules = []
    for i in range(count):
        at = [i % edge, i // edge % edge, i // edge ** 2]
        middle = [(x + 0.5) * box / edge + N["ASIDE"] * (2 * random.uniform() - 1) for x in at]
        aside = N["BOND"] * math.sin(N["ANGLE"] / 2)
        up = N["BOND"] * math.cos(N["ANGLE"] / 2) * (-1) ** sum(at)
        place = [*middle, *middle, *middle]
        place[0] -= aside
        place[6] += aside
        place[2] += up
        place[8] += up
        velocity = [STEP * math.sqrt(N["BOLTZMANN"] * N["TEMPERATURE"] / MASSES[k // 3]) * _normal(random)
                    for k in range(9)]
        molecules.append(Molecule([place, velocity, *([0.0] * 9 for _ in range(5))]))
    for axis in AXES:
        drift = sum(MASSES[atom] * one.motion[1][3 * atom + axis] for one in molecules for atom in range(3))
        for one in molecules:
            for atom in range(3):
                one.motion[1][3 * atom + axis] -= drift / (count * sum(MASSES))
    return Water(molecules, box)


def _normal(random: Random48) -> float:
    return math.sqrt(-2 * math.log(1 - random.uniform())) * math.cos(2 * math.pi * random.uniform())


# ---- inside of a molecule -------------------------------------------------------

# The terms of the potential: the name of the number, and the powers of the two stretches and the bend. A term that is
# not the same with the stretches exchanged stands for both.
TERMS = [("K11", 2, 0, 0), ("K33", 0, 0, 2), ("K12", 1, 1, 0), ("K13", 1, 0, 1), ("K111", 3, 0, 0), ("K333", 0, 0, 3),
         ("K112", 2, 1, 0), ("K113", 2, 0, 1), ("K123", 1, 1, 1), ("K133", 1, 0, 2), ("K1111", 4, 0, 0),
         ("K3333", 0, 0, 4), ("K1112", 3, 1, 0), ("K1122", 2, 2, 0), ("K1113", 3, 0, 1), ("K1123", 2, 1, 1),
         ("K1133", 2, 0, 2), ("K1233", 1, 1, 2), ("K1333", 1, 0, 3)]
HALVED = ("K11", "K33")


def _polynomial() -> list[tuple[float, tuple[int, int, int]]]:
    terms = []
    for name, *powers in TERMS:
        factor = N[name] / N["BOND"] ** (sum(powers) - 2) / (2 if name in HALVED else 1)
        s, t, b = powers
        terms += [(factor, one) for one in {(s, t, b), (t, s, b)}]
    return terms


POLYNOMIAL = _polynomial()


def _inside(molecule: Molecule) -> tuple[float, Vector]:
    """The energy, and the forces on the atoms."""
    bonds = [[x - y for x, y in zip(molecule.place(atom), molecule.place(1))] for atom in (0, 2)]
    lengths = [math.hypot(*bond) for bond in bonds]
    angle = math.acos(sum(x * y for x, y in zip(*bonds)) / math.prod(lengths))
    strains = [lengths[0] - N["BOND"], lengths[1] - N["BOND"], (angle - N["ANGLE"]) * N["BOND"]]
    energy = sum(factor * math.prod(x ** n for x, n in zip(strains, powers)) for factor, powers in POLYNOMIAL)
    slopes = [sum(factor * powers[k] * math.prod(x ** (n - (i == k)) for i, (x, n) in enumerate(zip(strains, powers)))
                  for factor, powers in POLYNOMIAL if powers[k]) for k in AXES]
    forces = []
    for bond, other, length, far, slope in zip(bonds, bonds[::-1], lengths, lengths[::-1], slopes):
        # The angle's gradient is at a right angle to the bond, away from the other one.
        gradient = [(x * math.cos(angle) / length - y / far) / (math.sin(angle) * length)
                    for x, y in zip(bond, other)]
        forces.append([-slope * x / length - slopes[2] * N["BOND"] * g for x, g in zip(bond, gradient)])
    return energy, [*forces[0], *(-x - y for x, y in zip(*forces)), *forces[1]]


# ---- between two molecules ------------------------------------------------------

# The sites of a molecule: H, O, H and the negative charge; how each is made of the atoms' places.
SITES = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (N["CENTRE"] / 2, 1 - N["CENTRE"], N["CENTRE"] / 2)]
CHARGES = [1, 0, 1, -2]
EXPONENTIALS = {"OO": [("A_OO", "B_OO", 1)], "HH": [("A_HH", "B_HH", 1)],
                "HO": [("A_OH", "B_OH", 1), ("A_OH_ATTRACTION", "B_OH_ATTRACTION", -1)]}
KINDS = "HOH-"


def _law(p: int, q: int) -> Callable[[float], tuple[float, float]] | None:
    """From a distance to energy and force between two sites; None if there is none."""
    product = N["CHARGE_SQUARED"] * CHARGES[p] * CHARGES[q]
    terms = [(sign * N[a], N[b]) for a, b, sign in EXPONENTIALS.get("".join(sorted(KINDS[p] + KINDS[q])), [])]

    def law(distance: float) -> tuple[float, float]:
        parts = [(a * math.exp(-b * distance), b) for a, b in terms]
        return (product / distance + sum(part for part, _ in parts),
                product / distance ** 2 + sum(part * b for part, b in parts))

    return law if product or terms else None


LAWS = [(p, q, law) for p in range(4) for q in range(4) if (law := _law(p, q))]


def _sites(molecule: Molecule) -> list[Vector]:
    atoms = [molecule.place(atom) for atom in range(3)]
    return [[sum(part * atom[axis] for part, atom in zip(parts, atoms)) for axis in AXES] for parts in SITES]


def pair(a: Molecule, b: Molecule, shift: Vector) -> tuple[float, Vector, Vector]:
    """The energy, and the forces on the atoms of each."""
    sites = _sites(a), [[x + y for x, y in zip(site, shift)] for site in _sites(b)]
    forces = [0.0] * 9, [0.0] * 9
    total = 0.0
    for p, q, law in LAWS:
        distance = math.dist(sites[0][p], sites[1][q])
        energy, push = law(distance)
        total += energy
        for axis in AXES:
            along = push * (sites[0][p][axis] - sites[1][q][axis]) / distance
            for force, site, sign in ((forces[0], p, 1), (forces[1], q, -1)):
                for atom, part in enumerate(SITES[site]):
                    force[3 * atom + axis] += sign * part * along
    return total, *forces
