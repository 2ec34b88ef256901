"""Our connections with libwebrtc's over a bad network: 5 % loss, 50 ms each way, jitter that reorders.

    badnetwork.py PROGRAM [STEP...]
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))

from media import digest  # noqa: E402
from our_peer import Program  # noqa: E402
from relay import Conditions, Relay  # noqa: E402
from session import Session, Wishes, open_session  # noqa: E402
from stack import Libwebrtc, make_factory  # noqa: E402
from steps import Steps, expect  # noqa: E402

BAD = Conditions(loss=0.05, delay=0.05, jitter=0.02)
SECONDS = 20
FRAMES_PER_SECOND = 24
MESSAGES = 150


async def main() -> int:
    program = await Program.start(sys.argv[1])
    factory = make_factory()
    steps = Steps(sys.argv[2:])

    async def connect(offerer: str, codec: str, seed: int) -> tuple[Session, Relay]:
        relay = Relay(BAD, seed)
        wishes = Wishes(
            offerer, video=True, audio=True, codec=codec, channels=[{"label": "data"}],
            ours={"loopback": False})
        session = await open_session(program, lambda: Libwebrtc(factory), wishes)
        session.route = relay.route
        await session.connect()
        return session, relay

    async def our_messages(session: Session, seed: int) -> None:
        """All arrive, in order and unchanged; as many a second as a session sends at its busiest."""
        sizes = random.Random(seed)
        sent = []
        for number in range(MESSAGES):
            size = sizes.choice((20, 200, 2000, 20_000))
            sent.append((await session.ours.call("send", label="data", size=size, seed=number))["sha256"])
            await asyncio.sleep(SECONDS / MESSAGES)
        got = [digest(await session.theirs.message("data", 15)) for _ in sent]
        expect(got == sent, f"{len(got)} messages of ours came, in another order or changed")

    async def their_messages(session: Session, seed: int) -> None:
        sizes = random.Random(seed)
        sent = []
        for number in range(MESSAGES):
            data = sizes.randbytes(sizes.choice((20, 200, 2000, 20_000)))
            session.theirs.send("data", data)
            sent.append(digest(data))
            await asyncio.sleep(SECONDS / MESSAGES)
        for _ in range(150):
            got = [e["sha256"] for e in session.ours.events if e["event"] == "message"]
            if len(got) >= MESSAGES:
                break
            await asyncio.sleep(0.1)
        expect(got == sent, f"{len(got)} messages of theirs came, in another order or changed")

    async def media_and_messages(offerer: str, codec: str, seed: int):
        session, relay = await connect(offerer, codec, seed)
        await session.start_media()
        await asyncio.sleep(5)
        await session.report(reset=True)
        session.theirs.video.reset()
        await asyncio.gather(our_messages(session, seed), their_messages(session, seed + 1),
                             asyncio.sleep(SECONDS))
        ours, theirs = await session.report(), session.theirs.video.report()
        stats = await session.ours.call("stats")
        received = ours["video"]["video-in"]
        shown = {
            "received": f"{received['fps']:.1f} fps, longest gap {received['longestGapMs']:.0f} ms",
            "shown": f"{theirs['fps']:.1f} fps, longest gap {theirs['longestGapMs']:.0f} ms",
            "target": stats["targetBitrate"],
            "encoder": stats["encoders"],
            "relay": str(relay),
        }
        print(f"     {shown}", flush=True)
        await session.close()
        relay.close()
        expect(received["fps"] >= FRAMES_PER_SECOND, f"received: {received}")
        expect(theirs["fps"] >= FRAMES_PER_SECOND, f"shown: {theirs}")
        return f"received {received['fps']:.1f}, shown {theirs['fps']:.1f} fps"

    seed = 1
    for offerer in ("ours", "theirs"):
        for codec in ("vp8", "vp9"):
            role = "we offer" if offerer == "ours" else "they offer"
            name = f"{codec.upper()}, Opus and messages at 5 % loss, {role}"
            await steps.run(name, lambda: media_and_messages(offerer, codec, seed), 90)
            seed += 1
    await program.quit()
    return steps.finish("libwebrtc at 5 % loss, 50 ms and jitter")


if __name__ == "__main__":
    status = asyncio.run(main())
    # libwebrtc's threads may outlive the interpreter's end; nothing is left to be done.
    sys.stdout.flush()
    os._exit(status)
