"""Makes disk images in the format qcow2, without qemu-img."""

from __future__ import annotations

import struct
from pathlib import Path

CLUSTER = 1 << 16


def make(path: Path, content: bytes = b"", size: int = 0) -> Path:
    """Writes an image that holds `content` and has at least `size` bytes. Returns its path."""
    size = max(size, len(content))
    count = -(-len(content) // CLUSTER)
    copied = 1 << 63
    header = struct.pack(">4sIQIIQIIQQIIQ", b"QFI\xfb", 2, 0, 0, 16, size, 0, 1, 3 * CLUSTER, CLUSTER, 1, 0, 0)
    clusters = [
        header,
        struct.pack(">Q", 2 * CLUSTER),                                 # counts: where they are
        struct.pack(f">{5 + count}H", *[1] * (5 + count)),              # counts
        struct.pack(">Q", 4 * CLUSTER | copied),                        # first table
        struct.pack(f">{count}Q", *[(5 + i) * CLUSTER | copied for i in range(count)]),
        *(content[i * CLUSTER:(i + 1) * CLUSTER] for i in range(count)),
    ]
    path.write_bytes(b"".join(cluster.ljust(CLUSTER, b"\0") for cluster in clusters))
    return path
