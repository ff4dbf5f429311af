"""Protocol buffers, as far as the head of a timeline needs them: numbers, texts, messages within messages."""

from __future__ import annotations

from collections.abc import Iterable

Value = int | str | bytes
Fields = Iterable[tuple[int, Value]]


def message(fields: Fields) -> bytes:
    """The bytes of a message with these fields: (number, value); a message within it is its bytes."""
    return b"".join(_field(number, value) for number, value in fields)


def _field(number: int, value: Value) -> bytes:
    if isinstance(value, int):
        return _number(number << 3) + _number(value)
    data = value.encode(errors="replace") if isinstance(value, str) else value
    return _number(number << 3 | 2) + _number(len(data)) + data


def _number(value: int) -> bytes:
    found = bytearray()
    while value > 0x7f:
        found.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes([*found, value])
