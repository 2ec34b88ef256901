"""Our connections under an asyncio program's hand: starts `interop-peer` and speaks its protocol, which is
described at the top of Interop/Peer/InteropPeer.swift."""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any, Callable

Event = dict[str, Any]


class Refused(Exception):
    """A call that was answered with an error."""


class Program:
    """The running program."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._replies: dict[int, asyncio.Future] = {}
        self._ids = itertools.count(1)
        self._names = itertools.count(1)
        self._connections: dict[str, Connection] = {}
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, path: str) -> Program:
        pipe = asyncio.subprocess.PIPE
        return cls(await asyncio.create_subprocess_exec(path, stdin=pipe, stdout=pipe, limit=1 << 24))

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        number = next(self._ids)
        reply = self._replies[number] = asyncio.get_running_loop().create_future()
        line = json.dumps({"id": number, "call": name, **arguments})
        self._process.stdin.write(line.encode() + b"\n")
        await self._process.stdin.drain()
        return await asyncio.wait_for(reply, 60)

    async def create(self, **options: Any) -> Connection:
        name = f"c{next(self._names)}"
        connection = self._connections[name] = Connection(self, name)
        await self.call("create", peer=name, **options)
        return connection

    async def quit(self) -> None:
        self._process.stdin.close()
        await asyncio.wait_for(self._process.wait(), 20)
        await self._reader

    async def _read(self) -> None:
        while line := await self._process.stdout.readline():
            value = json.loads(line)
            if "event" in value:
                if connection := self._connections.get(value.get("peer", "")):
                    connection.saw(value)
            elif (reply := self._replies.pop(value["id"], None)) and not reply.done():
                if "error" in value:
                    reply.set_exception(Refused(value["error"]))
                else:
                    reply.set_result(value["result"])
        for reply in self._replies.values():
            if not reply.done():
                reply.set_exception(RuntimeError("interop-peer has ended"))

    def forget(self, connection: Connection) -> None:
        self._connections.pop(connection.name, None)


class Connection:
    """One connection of ours, and what it has told."""

    def __init__(self, program: Program, name: str) -> None:
        self.name = name
        self.events: list[Event] = []
        self.on_event: Callable[[Event], None] = lambda event: None
        self._program = program
        self._news = asyncio.Event()

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return await self._program.call(name, peer=self.name, **arguments)

    def saw(self, event: Event) -> None:
        self.events.append(event)
        self.on_event(event)
        self._news.set()

    async def wait(self, event: str, seconds: float = 15, since: int = 0, **members: Any) -> Event:
        """The first event of that kind, from number `since` on, with these members."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    self._news.clear()
                    for seen in self.events[since:]:
                        if seen["event"] == event and all(seen.get(k) == v for k, v in members.items()):
                            return seen
                    await self._news.wait()
        except TimeoutError:
            told = [e for e in self.events if e["event"] in ("state", "note", "channelClosed")]
            raise AssertionError(f"no {event} {members} within {seconds} s; told: {told[-6:]}") from None

    async def close(self, call: str = "close") -> None:
        await self.call(call)
        self._program.forget(self)
