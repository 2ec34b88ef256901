"""Our connections with libwebrtc's, in both roles.

    drive.py PROGRAM [STEP...]      PROGRAM: the path of interop-peer; STEP: run those whose names contain it

Prints one line a step, "ok" or "FAIL". Exits 1 if a step failed.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))

from our_peer import Program, Refused  # noqa: E402
from session import Session, Wishes, open_session, tracks_of_offer  # noqa: E402
from stack import Libwebrtc, make_factory, rtc  # noqa: E402
from steps import Steps, expect  # noqa: E402

MIB = 1 << 20
CONNECTS = 50
ROLES = ("ours", "theirs")


async def main() -> int:
    program = await Program.start(sys.argv[1])
    factory = make_factory()
    steps = Steps(sys.argv[2:])

    async def connected(wishes: Wishes, **options) -> Session:
        session = await open_session(program, lambda: Libwebrtc(factory, **options), wishes)
        await session.connect()
        return session

    async def media(offerer: str, codec: str):
        session = await connected(Wishes(offerer, video=True, audio=True, codec=codec))
        await session.start_media()
        shown = await session.check_media()
        outbound = (await session.ours.call("stats"))["outbound"]
        expect(any(s["codec"] == codec for s in outbound), f"{codec} is not what we send: {outbound}")
        theirs = await session.theirs.connection.get_stats()
        used = {s.codec_mime_type for s in theirs.outbound_rtp if s.kind == rtc.StreamKind.Video}
        expect(used == {f"video/{codec.upper()}"}, f"they send {used}")
        await session.close()
        return shown

    async def metadata(offerer: str, codec: str):
        session = await connected(Wishes(offerer, video=True, codec=codec))
        await session.start_media(metadata=True)
        await session.check_media()
        ours = (await session.report())["video"]["video-in"]
        expect(ours["withMetadata"] == ours["frames"], f"{ours}")
        expect(ours["inOrder"] and ours["data"].startswith("theirs-"), f"{ours}")
        expect(0 <= rtc.time_micros() - ours["captureTimeUs"] < 2_000_000, f"capture time {ours}")
        theirs = session.theirs.video.report()["metadata"]
        expect(len(theirs) >= 30, f"{len(theirs)} trailers")
        ids, times, data = zip(*theirs)
        expect(list(ids) == sorted(set(ids)) and list(times) == sorted(times), f"{ids} {times}")
        numbers = [int(re.fullmatch(rb"ours-(\d+)", d).group(1)) for d in data]
        expect(numbers == sorted(set(numbers)), f"{numbers}")
        expect(0 <= time.monotonic_ns() // 1000 - times[-1] < 2_000_000, f"capture time {times[-1]}")
        await session.close()

    async def no_metadata(offerer: str):
        """Neither side may append what the other does not strip."""
        for ours, theirs in ((False, True), (True, False)):
            session = await open_session(
                program, lambda: Libwebrtc(factory, frame_metadata=theirs),
                Wishes(offerer, video=True, ours={"metadata": ours}))
            await session.connect()
            await session.start_media(metadata=True)
            await session.check_media()
            expect((await session.report())["video"]["video-in"]["withMetadata"] == 0, "we saw trailers")
            expect(not session.theirs.video.report()["metadata"], "they saw trailers")
            await session.close()

    async def chunked(offerer: str):
        session = await connected(Wishes(offerer, channels=[{"label": "data"}]))
        for size in (0, 1, 1200, 65_536, 262_144, 262_145, MIB, 16 * MIB, 64 * MIB):
            await session.exchange("data", size)
        expect(session.theirs.channels["data"].is_chunked(), "the channel is not chunked")
        await refused(session, 64 * MIB + 1)
        await session.close()

    async def unchunked(offerer: str):
        session = await connected(Wishes(offerer, channels=[{"label": "data"}]), dc_chunking=False)
        for size in (0, 1, 1200, 65_536, 262_143, 262_144):
            await session.exchange("data", size)
        await refused(session, 262_145)
        await session.exchange("data", 100)
        await session.close()

    async def refused(session: Session, size: int) -> None:
        try:
            await session.ours.call("send", label="data", size=size)
        except Refused as error:
            expect(str(size) in str(error) and str(size - 1) in str(error), f"the sizes are not in: {error}")
        else:
            raise AssertionError(f"{size} bytes were not refused")

    async def texts(offerer: str):
        session = await connected(Wishes(offerer, channels=[{"label": "a"}, {"label": "b"}]))
        for label in ("a", "b"):
            await session.ours.call("echo", label=label)
            for text in ("", "grün 🦊", "x" * 60_000):
                session.theirs.send(label, text)
                back = await session.theirs.message(label, 10)
                expect(back == text, f"{back[:40]!r} for {text[:40]!r}")
        await session.close()

    async def kinds_of_channels(offerer: str):
        """Channels that we open later, of every reliability; libwebrtc's bindings open only the plain kind."""
        session = await connected(Wishes(offerer, channels=[{"label": "first"}]))
        kinds = {
            "unordered": {"ordered": False},
            "retransmits": {"retransmits": 3},
            "lifetime": {"ordered": False, "lifetime": 2000},
            "protocol": {"protocol": "x-test"},
        }
        for label, options in kinds.items():
            await session.ours.call("openChannel", label=label, **options)
            await session.ours.wait("open", label=label)
            await session.theirs.channel_open(label)
            channel = session.theirs.channels[label]
            expect(channel.ordered() == options.get("ordered", True), f"{label}: ordered {channel.ordered()}")
            expect(channel.reliable() == (label in ("unordered", "protocol")), f"{label}: {channel.reliable()}")
            for size in (1, 1200, 65_536, 262_144):
                await session.exchange(label, size)
        await session.close()

    async def channel_ends(offerer: str):
        """What was queued arrives; either side closes; the same stream is used anew."""
        session = await connected(Wishes(offerer, channels=[{"label": "kept"}, {"label": "x"}]))
        for turn in range(3):
            since = len(session.ours.events)
            if turn % 2 == 0:
                await session.ours.call("send", label="x", size=MIB, seed=9)
                await session.ours.call("closeChannel", label="x")
                expect(len(await session.theirs.message("x", 15)) == MIB, "the last message is not whole")
            else:
                session.theirs.send("x", bytes(MIB))
                session.theirs.close_channel("x")
                got = await session.ours.wait("message", since=since, label="x")
                expect(got["size"] == MIB, f"{got}")
            await session.ours.wait("channelClosed", since=since, label="x")
            await session.theirs.channel_closed("x")
            since = len(session.ours.events)
            await session.ours.call("openChannel", label="x")
            await session.ours.wait("open", since=since, label="x")
            await session.theirs.channel_open("x")
            await session.exchange("x", 1000)
        await session.exchange("kept", 1000)
        await session.close()

    async def restart(offerer: str, who: str):
        """`offerer` made the connection; `who` restarts it, and offers in turn."""
        session = await connected(Wishes(offerer, video=True, audio=True, channels=[{"label": "data"}]))
        await session.start_media()
        await session.check_media(2, 20)
        before = (await session.ours.call("stats"))["pair"]
        await session.report(reset=True)
        session.theirs.video.reset()
        if who == "ours":
            offer = (await session.ours.call("restart"))["sdp"]
            await session.ours.call("setAnswer", sdp=await session.theirs.answer(offer, session.wishes))
        else:
            connection = session.theirs.connection
            offer = await connection.create_offer()
            offer = offer.with_ice_credentials(secrets.token_hex(4), secrets.token_hex(16))
            await connection.set_local_description(offer)
            answer = await session.ours.call("answer", sdp=offer.sdp, tracks=tracks_of_offer(offer.sdp))
            await session.theirs.set_answer(answer["sdp"])
        await asyncio.sleep(4)
        after = (await session.ours.call("stats"))["pair"]
        expect(after["local"] != before["local"] or after["remote"] != before["remote"] or
               after["packetsSent"] < before["packetsSent"], f"the pair is the old one: {after}")
        ours, theirs = (await session.report())["video"]["video-in"], session.theirs.video.report()
        for seen in (ours, theirs):
            expect(seen["frames"] >= 60 and seen["longestGapMs"] < 1000, f"media stopped: {seen}")
        await session.exchange("data", 100_000)
        await session.check_media(2, 20)
        await session.close()
        return f"longest gaps {ours['longestGapMs']:.0f} and {theirs['longestGapMs']:.0f} ms"

    async def we_close(offerer: str):
        session = await connected(Wishes(offerer, video=True, channels=[{"label": "data"}]))
        await session.start_media()
        await session.check_media(1, 10)
        began = time.monotonic()
        await session.ours.close()
        await session.theirs.gone(3)
        took = time.monotonic() - began
        await session.theirs.close()
        return f"noticed after {took * 1000:.0f} ms"

    async def they_close(offerer: str):
        session = await connected(Wishes(offerer, video=True, channels=[{"label": "data"}]))
        await session.start_media()
        await session.check_media(1, 10)
        began = time.monotonic()
        await session.theirs.close()
        await session.ours.wait("state", 3, state="closed")
        took = time.monotonic() - began
        await session.ours.close()
        return f"noticed after {took * 1000:.0f} ms"

    async def many_connects():
        took = []
        for number in range(CONNECTS):
            wishes = Wishes(ROLES[number % 2], video=True, audio=True, channels=[{"label": "data"}])
            session = await open_session(program, lambda: Libwebrtc(factory), wishes)
            took.append(await session.connect())
            await session.exchange("data", 1000)
            await session.close()
        took.sort()
        return f"{len(took)} of {CONNECTS}, median {took[len(took) // 2] * 1000:.0f} ms, slowest {took[-1] * 1000:.0f} ms"

    for offerer in ROLES:
        role = "we offer" if offerer == "ours" else "they offer"
        for codec in ("vp8", "vp9"):
            await steps.run(f"{codec.upper()} and Opus both ways, {role}", lambda: media(offerer, codec))
            await steps.run(
                f"frame metadata both ways on {codec.upper()}, {role}", lambda: metadata(offerer, codec))
        await steps.run(f"frame metadata refused by one side, {role}", lambda: no_metadata(offerer))
        await steps.run(f"chunked messages up to 64 MiB, {role}", lambda: chunked(offerer), 120)
        await steps.run(f"plain messages up to 256 KiB, {role}", lambda: unchunked(offerer))
        await steps.run(f"texts on two channels, {role}", lambda: texts(offerer))
        await steps.run(f"channels of every kind, {role}", lambda: kinds_of_channels(offerer))
        await steps.run(f"channels end and begin anew, {role}", lambda: channel_ends(offerer))
        for who, name in (("ours", "we restart"), ("theirs", "they restart")):
            await steps.run(f"ICE restart while media flows, {role}, {name}", lambda: restart(offerer, who))
        await steps.run(f"we close, {role}", lambda: we_close(offerer))
        await steps.run(f"they close, {role}", lambda: they_close(offerer))
    await steps.run(f"{CONNECTS} connects in a row", many_connects, 300)
    await program.quit()
    return steps.finish("libwebrtc, both roles")


if __name__ == "__main__":
    status = asyncio.run(main())
    # libwebrtc's threads may outlive the interpreter's end; nothing is left to be done.
    sys.stdout.flush()
    os._exit(status)
