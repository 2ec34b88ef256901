"""A bad network between two peers on one machine: packets go through here, and some late or not at all.

Each side is told an address of the relay in place of the other's, by the candidates that `route` rewrites. What
happens to a packet depends on the seed and its number alone.
"""

from __future__ import annotations

import asyncio
import random
import socket
from dataclasses import dataclass

Address = tuple[str, int]


@dataclass
class Conditions:
    loss: float = 0.0
    #: Seconds of each way.
    delay: float = 0.0
    #: Up to so many seconds more, each packet by itself: what comes late is overtaken.
    jitter: float = 0.0


class Side:
    """The socket that stands for one peer: the other peer sends here, and gets all from here."""

    def __init__(self, relay: Relay, target: Address, seed: int) -> None:
        self.target = target
        self.other: Side | None = None
        self.passed = self.lost = 0
        self._relay = relay
        self._random = random.Random(seed)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind((target[0], 0))
        asyncio.get_running_loop().add_reader(self.socket, self._readable)

    def _readable(self) -> None:
        loop = asyncio.get_running_loop()
        conditions = self._relay.conditions
        for _ in range(64):
            try:
                data, source = self.socket.recvfrom(65_536)
            except OSError:
                return
            # Only the other peer's own socket: a packet of another one could not be answered.
            if self.other is None or source != self.other.target:
                continue
            chance, wait = self._random.random(), self._random.random()
            if chance < conditions.loss:
                self.lost += 1
                continue
            self.passed += 1
            loop.call_later(conditions.delay + wait * conditions.jitter, self._send, data)

    def _send(self, data: bytes) -> None:
        try:
            self.other.socket.sendto(data, self.target)
        except OSError:
            pass  # closed, or full: lost like any other

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self.socket)
        self.socket.close()


class Relay:
    def __init__(self, conditions: Conditions, seed: int = 1) -> None:
        self.conditions = conditions
        self._seed = seed
        self._sides: dict[bool, Side] = {}

    def route(self, candidate: str, is_ours: bool) -> str | None:
        """The candidate with the relay's address; None for all but each side's first host address."""
        parts = candidate.split(" ")
        address, kind = (parts[4], int(parts[5])), parts[7]
        usable = parts[2].lower() == "udp" and kind == "host" and "." in address[0]
        if not usable or address[0].startswith("127.") or address[0].endswith(".local"):
            return None
        side = self._sides.get(is_ours)
        if side is None:
            side = self._sides[is_ours] = Side(self, address, self._seed * 2 + is_ours)
            if other := self._sides.get(not is_ours):
                side.other, other.other = other, side
        if side.target != address:
            return None
        parts[4], parts[5] = side.socket.getsockname()[0], str(side.socket.getsockname()[1])
        return " ".join(parts)

    def __str__(self) -> str:
        return ", ".join(
            f"{side.lost} of {side.lost + side.passed} packets to {'us' if is_ours else 'them'} lost"
            for is_ours, side in self._sides.items())

    def close(self) -> None:
        for side in self._sides.values():
            side.close()
