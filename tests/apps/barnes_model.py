"""What the app barnes has to compute: the same bodies, alone and in Python.

The tree is built from the top, by dividing lists of bodies, and forces are
computed recursively.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from app_numbers import Random48, reals

NUMBERS = reals("apps/barnes/barnes.h") | reals("apps/barnes/plummer.c")
THETA, SOFTENING, TIME_STEP = (NUMBERS[name] for name in ("THETA", "SOFTENING", "TIME_STEP"))

Vector = list[float]


@dataclass
class Body:
    """Position, velocity in the middle of the time step, and mass."""

    mass: float
    position: Vector
    velocity: Vector
    acceleration: Vector = field(default_factory=lambda: [0.0, 0.0, 0.0])


@dataclass
class Cell:
    """A cube of the tree that has at least two bodies. `parts` are bodies and cells, by octants."""

    side: float
    parts: list[Body | Cell]
    mass: float
    position: Vector


def bodies_at(count: int, iterations: int, seed: int) -> list[Body]:
    """The bodies after some iterations."""
    bodies = plummer(count, seed)
    for iteration in range(iterations):
        move(bodies, TIME_STEP / 2 if iteration == 0 else TIME_STEP)
    return bodies


# ---- the bodies at the start ----------------------------------------------------

def plummer(count: int, seed: int) -> list[Body]:
    """Plummer's model, after Aarseth, Henon and Wielen (1974)."""
    random = Random48(seed)
    bodies = [_body(random, 1.0 / count) for _ in range(count)]
    for axis in range(3):
        position = velocity = 0.0
        for body in bodies:
            position += body.position[axis] / count
            velocity += body.velocity[axis] / count
        for body in bodies:
            body.position[axis] -= position
            body.velocity[axis] -= velocity
    return bodies


def _body(random: Random48, mass: float) -> Body:
    length = 3 * math.pi / 16
    radius = 1 / math.sqrt((NUMBERS["MASS_MAX"] * random.uniform()) ** (-2 / 3) - 1)
    position = _anywhere(random, length * radius)
    while True:
        speed, below = random.uniform(), 0.1 * random.uniform()
        if below <= speed ** 2 * (1 - speed ** 2) ** 3.5:
            break
    speed *= math.sqrt(2) * (1 + radius ** 2) ** -0.25 / math.sqrt(length)
    return Body(mass, position, _anywhere(random, speed))


def _anywhere(random: Random48, length: float) -> Vector:
    z, angle = 2 * random.uniform() - 1, 2 * math.pi * random.uniform()
    rest = math.sqrt(1 - z * z)
    return [length * rest * math.cos(angle), length * rest * math.sin(angle), length * z]


# ---- the tree -------------------------------------------------------------------

def tree(bodies: list[Body]) -> Cell:
    """The root: a cube around the origin whose side is a power of two."""
    side = 1.0
    while side <= 2 * max(abs(x) for body in bodies for x in body.position):
        side *= 2
    return _cell(bodies, [0.0, 0.0, 0.0], side)


def _cell(bodies: list[Body], centre: Vector, side: float) -> Cell:
    octants: list[list[Body]] = [[] for _ in range(8)]
    for body in bodies:
        octants[sum((body.position[axis] >= centre[axis]) << axis for axis in range(3))].append(body)
    parts: list[Body | Cell] = []
    for number, inside in enumerate(octants):
        if len(inside) > 1:
            middle = [centre[axis] + side / (4 if number >> axis & 1 else -4) for axis in range(3)]
            parts.append(_cell(inside, middle, side / 2))
        else:
            parts += inside
    mass = sum(part.mass for part in parts)
    return Cell(side, parts, mass, [sum(part.mass * part.position[axis] for part in parts) / mass
                                    for axis in range(3)])


# ---- forces and motion ----------------------------------------------------------

def _attract(body: Body, part: Body | Cell) -> None:
    if part is body:
        return
    way = [to - here for to, here in zip(part.position, body.position)]
    squared = sum(x * x for x in way)
    if isinstance(part, Cell) and part.side ** 2 >= THETA ** 2 * squared:
        for inner in part.parts:
            _attract(body, inner)
        return
    softened = squared + SOFTENING ** 2
    factor = part.mass / (softened * math.sqrt(softened))
    for axis in range(3):
        body.acceleration[axis] += factor * way[axis]


def move(bodies: list[Body], kick: float) -> None:
    """One iteration of the leapfrog method."""
    root = tree(bodies)
    for body in bodies:
        body.acceleration = [0.0, 0.0, 0.0]
        _attract(body, root)
    for body in bodies:
        for axis in range(3):
            body.velocity[axis] += kick * body.acceleration[axis]
            body.position[axis] += TIME_STEP * body.velocity[axis]
