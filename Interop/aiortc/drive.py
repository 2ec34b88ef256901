"""Our connections with aiortc's, in both roles.

    drive.py PROGRAM [STEP...]      PROGRAM: the path of interop-peer; STEP: run those whose names contain it

Prints one line a step, "ok" or "FAIL". Exits 1 if a step failed.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))

from our_peer import Program, Refused  # noqa: E402
from session import Session, Wishes, open_session  # noqa: E402
from stack import Aiortc  # noqa: E402
from steps import Steps, expect  # noqa: E402

MIB = 1 << 20
CONNECTS = 50
ROLES = ("ours", "theirs")
KINDS = {
    "ordered": {},
    "unordered": {"ordered": False},
    "retransmits": {"retransmits": 3},
    "lifetime": {"ordered": False, "lifetime": 2000},
    "protocol": {"protocol": "x-test"},
    "negotiated": {"stream": 40},
}


async def main() -> int:
    program = await Program.start(sys.argv[1])
    steps = Steps(sys.argv[2:])

    async def connected(wishes: Wishes) -> Session:
        wishes.ours.setdefault("messages", MIB)
        session = await open_session(program, Aiortc, wishes)
        await session.connect()
        return session

    async def media(offerer: str):
        session = await connected(Wishes(offerer, video=True, audio=True))
        await session.start_media()
        shown = await session.check_media()
        await session.close()
        return shown

    async def channels(offerer: str):
        """Every kind of channel, opened by the offerer."""
        wishes = Wishes(offerer, channels=[{"label": label, **options} for label, options in KINDS.items()])
        if offerer == "theirs":
            wishes.channels = [c for c in wishes.channels if c["label"] != "negotiated"]
        session = await open_session(program, Aiortc, wishes)
        await session.negotiate()
        if offerer == "ours":
            session.theirs.open_channel("negotiated", **KINDS["negotiated"])
        for channel in wishes.channels:
            await session.ours.wait("open", label=channel["label"])
            await session.theirs.channel_open(channel["label"])
            theirs = session.theirs.channels[channel["label"]]
            expect(theirs.ordered == channel.get("ordered", True), f"{channel}: ordered {theirs.ordered}")
            for size in (1, 1200, 16_384, 65_536):
                await session.exchange(channel["label"], size)
        await session.close()

    async def sizes(offerer: str):
        session = await connected(Wishes(offerer, channels=[{"label": "ordered"}]))
        await session.ours.call("openChannel", label="unordered", ordered=False)
        await session.theirs.channel_open("unordered")
        for label in ("ordered", "unordered"):
            for size in (1, 1000, 65_536, 262_144):
                await session.exchange(label, size)
            # It takes 256 KiB, and sends what we take.
            session.theirs.send(label, bytes(MIB))
            got = await session.ours.wait("message", 30, label=label, size=MIB)
            expect(not got["isText"], "bytes came as text")
        try:
            await session.ours.call("send", label="ordered", size=262_145)
        except Refused as error:
            expect("262145" in str(error) and "262144" in str(error), f"the sizes are not in: {error}")
        else:
            raise AssertionError("more than it takes was not refused")
        await session.close()

    async def texts(offerer: str):
        session = await connected(Wishes(offerer, channels=[{"label": "a"}, {"label": "b"}]))
        for label in ("a", "b"):
            await session.ours.call("echo", label=label)
            for text in ("", "grün 🦊", "x" * 60_000):
                session.theirs.send(label, text)
                back = await session.theirs.message(label, 10)
                expect(back == text, f"{back[:40]!r} for {text[:40]!r}")
        await session.close()

    async def channel_ends(offerer: str):
        session = await connected(Wishes(offerer, channels=[{"label": "kept"}, {"label": "x"}]))
        streams = []
        for turn in range(4):
            since = len(session.ours.events)
            streams.append(session.theirs.channels["x"].id)
            if turn % 2 == 0:
                await session.ours.call("send", label="x", size=65_536, seed=9)
                await session.ours.call("closeChannel", label="x")
                expect(len(await session.theirs.message("x", 15)) == 65_536, "the last message is not whole")
            else:
                session.theirs.send("x", bytes(60_000))
                await session.ours.wait("message", since=since, label="x", size=60_000)
                session.theirs.close_channel("x")
            await session.ours.wait("channelClosed", since=since, label="x")
            await session.theirs.channel_closed("x")
            since = len(session.ours.events)
            if turn < 2:
                await session.ours.call("openChannel", label="x")
            else:
                session.theirs.open_channel("x")
            await session.ours.wait("open", since=since, label="x")
            await session.theirs.channel_open("x")
            await session.exchange("x", 1000)
        await session.exchange("kept", 1000)
        await session.close()
        return f"streams {streams}"

    async def we_close(offerer: str):
        session = await connected(Wishes(offerer, video=True, channels=[{"label": "data"}]))
        began = time.monotonic()
        await session.ours.close()
        await session.theirs.gone(3)
        took = time.monotonic() - began
        await session.theirs.close()
        return f"noticed after {took * 1000:.0f} ms"

    async def they_close(offerer: str):
        session = await connected(Wishes(offerer, video=True, channels=[{"label": "data"}]))
        began = time.monotonic()
        await session.theirs.close()
        await session.ours.wait("state", 3, state="closed")
        took = time.monotonic() - began
        await session.ours.close()
        return f"noticed after {took * 1000:.0f} ms"

    async def many_connects():
        took = []
        for number in range(CONNECTS):
            wishes = Wishes(ROLES[number % 2], audio=True, channels=[{"label": "data"}])
            session = await open_session(program, Aiortc, wishes)
            took.append(await session.connect())
            await session.exchange("data", 1000)
            await session.close()
        took.sort()
        return f"{len(took)} of {CONNECTS}, median {took[len(took) // 2] * 1000:.0f} ms"

    for offerer in ROLES:
        role = "we offer" if offerer == "ours" else "they offer"
        await steps.run(f"VP8 and Opus both ways, {role}", lambda: media(offerer))
        await steps.run(f"channels of every kind, {role}", lambda: channels(offerer))
        await steps.run(f"messages of 1 B to 1 MiB, {role}", lambda: sizes(offerer))
        await steps.run(f"texts on two channels, {role}", lambda: texts(offerer))
        await steps.run(f"channels end and begin anew, {role}", lambda: channel_ends(offerer))
        await steps.run(f"we close, {role}", lambda: we_close(offerer))
        await steps.run(f"they close, {role}", lambda: they_close(offerer))
    await steps.run(f"{CONNECTS} connects in a row", many_connects, 300)
    await program.quit()
    return steps.finish("aiortc, both roles")


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
