"""Our connections with libwebrtc's for long: whether memory, descriptors and threads stay what they are.

    soak.py PROGRAM [--minutes N] [--cycles N] [STEP...]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))

from our_peer import Program  # noqa: E402
from session import Wishes, open_session  # noqa: E402
from stack import Libwebrtc, make_factory  # noqa: E402
from steps import Steps, expect  # noqa: E402

MEBIBYTE = 1 << 20


async def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument("steps", nargs="*")
    options = parser.parse_args()
    program = await Program.start(options.program)
    factory = make_factory()
    steps = Steps(options.steps)

    async def media():
        wishes = Wishes("ours", video=True, audio=True, channels=[{"label": "data"}])
        session = await open_session(program, lambda: Libwebrtc(factory), wishes)
        await session.connect()
        await session.start_media(metadata=True)
        began = time.monotonic()
        samples = []
        while (minutes := (time.monotonic() - began) / 60) < options.minutes:
            await asyncio.sleep(5)
            await session.exchange("data", 10_000)
            # What was told is not needed any more, and would fill this program.
            session.ours.events.clear()
            process = await program.call("process")
            if minutes >= min(1, options.minutes / 4):
                samples.append((minutes, process["rss"] / MEBIBYTE))
        ours, theirs = (await session.report())["video"]["video-in"], session.theirs.video.report()
        slope = float(np.polyfit(*np.array(samples).T, 1)[0])
        await session.close()
        expect(slope < 1, f"memory grows by {slope:.2f} MiB a minute: {samples[::6]}")
        for seen in (ours, theirs):
            expect(seen["fps"] > 24, f"{seen}")
        return (f"{slope:+.2f} MiB a minute from {samples[0][1]:.0f} MiB, received {ours['fps']:.1f} "
                f"and shown {theirs['fps']:.1f} fps")

    async def cycle(number: int) -> None:
        wishes = Wishes(
            "ours" if number % 2 else "theirs", video=True, audio=True, channels=[{"label": "data"}])
        session = await open_session(program, lambda: Libwebrtc(factory), wishes)
        await session.connect()
        await session.start_media()
        await session.exchange("data", 1000)
        if number % 3 == 0:
            await session.theirs.close()
            await session.ours.wait("state", state="closed")
            await session.ours.close()
        else:
            await session.close()

    async def cycles():
        # The first ones fill what the program keeps for good: pools, the allocator's arenas.
        for number in range(options.cycles // 4):
            await cycle(number)
        await asyncio.sleep(1)
        before = await program.call("process")
        for number in range(options.cycles - options.cycles // 4):
            await cycle(number)
        await asyncio.sleep(2)
        after = await program.call("process")
        for what in ("descriptors", "threads"):
            expect(after[what] <= before[what], f"{what}: {before[what]} before, {after[what]} after")
        grown = (after["rss"] - before["rss"]) / MEBIBYTE
        expect(grown < 16, f"memory grew by {grown:.1f} MiB")
        return (f"{after['descriptors']:.0f} descriptors, {after['threads']:.0f} threads as before, "
                f"{grown:+.1f} MiB")

    await steps.run(f"{options.cycles} times connect and close", cycles, 600)
    await steps.run(f"{options.minutes:g} minutes of media both ways", media, options.minutes * 60 + 60)
    await program.quit()
    return steps.finish("libwebrtc for long")


if __name__ == "__main__":
    status = asyncio.run(main())
    # libwebrtc's threads may outlive the interpreter's end; nothing is left to be done.
    sys.stdout.flush()
    os._exit(status)
