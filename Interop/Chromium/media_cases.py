"""Pictures and sound each way, addresses, ICE restarts and renegotiation."""

from __future__ import annotations

from case import case
from meeting import Meeting
from steps import expect

OUR_COLOUR = (200, 60, 40)
PAGE_COLOUR = (40, 160, 90)
OUR_TONE = 523.25
PAGE_TONE = 880
TOLERANCE = 16


def css(colour: tuple[int, int, int]) -> str:
    return f"rgb{colour}"


def close_to(seen: list, colour: tuple[int, int, int]) -> bool:
    return len(seen) == 3 and all(abs(part - wanted) <= TOLERANCE for part, wanted in zip(seen, colour))


# ---------------------------------------------------------------- media

# By mid; the names are ours.
TRACKS = {
    "0": {"name": "our_video", "kind": "video", "send": True},
    "1": {"name": "our_audio", "kind": "audio", "send": True},
    "2": {"name": "page_video", "kind": "video", "send": False},
    "3": {"name": "page_audio", "kind": "audio", "send": False},
}


async def connect_media(m: Meeting, codec: str, page_offers: bool) -> None:
    """A picture and a tone each way."""
    source = {"colour": css(PAGE_COLOUR), "hertz": PAGE_TONE}
    if page_offers:
        wanted = [{"kind": t["kind"], "direction": "recvonly" if t["send"] else "sendonly"} for t in TRACKS.values()]
        await m.page.call("addTransceivers", [entry | source for entry in wanted])
        await m.page.call("preferVideoCodec", codec)
        await m.page_offers(tracks=TRACKS)
    else:
        offer = (await m.ours.call("offer", tracks=list(TRACKS.values())))["sdp"]

        async def prepare() -> None:
            await m.page.call("fillTransceivers", source)
            await m.page.call("preferVideoCodec", codec)

        await m.we_offer(offer, prepare)
    await m.connected()
    await m.ours.call("pictures", track="our_video", colour=list(OUR_COLOUR))
    await m.ours.call("tone", track="our_audio", hertz=OUR_TONE)


async def media_arrives(m: Meeting, codec: str | None = None) -> str:
    """Pictures and tones play on both sides, with the right colours and frequencies, and nothing is lost."""
    before = (await m.page.call("look", 0.5, 0.5))["count"]
    await m.ours.call("report", reset=True)
    played = await m.eventually(
        lambda: m.page.call("look", 0.5, 0.5),
        lambda seen: seen["count"] >= before + 60 and close_to(seen["colour"], OUR_COLOUR),
        "our picture in the page",
    )
    heard = await m.eventually(
        lambda: m.page.call("listen"),
        lambda sound: abs(sound["hertz"] - OUR_TONE) < 4 and sound["loudest"] > 0.1,
        "our tone in the page",
    )
    ours = await m.eventually(
        lambda: m.ours.call("report", spot=[0.5, 0.75]),
        lambda report: report["video"]["page_video"]["frames"] >= 60
        and close_to(report["video"]["page_video"]["colour"], PAGE_COLOUR),
        "the page's picture here",
    )
    await m.eventually(
        lambda: m.ours.call("report"),
        lambda report: abs(report["audio"]["page_audio"].get("hertz", 0) - PAGE_TONE) < 4,
        "the page's tone here",
    )
    figures = await m.page.call("statistics")
    check_figures(figures, codec)
    video = ours["video"]["page_video"]
    return (
        f"{played['count'] - before} pictures {played['width']}x{played['height']} {played['colour']} and "
        f"{heard['hertz']:.1f} Hz there, {video['frames']:.0f} pictures {[int(part) for part in video['colour']]} here"
    )


def check_figures(figures: dict, codec: str | None) -> None:
    """On loopback nothing is lost and nobody thinks so; a machine that is too busy may drop a packet or two."""

    def few(count: int, packets: int) -> bool:
        return count <= 3 + packets / 100

    for stream in figures["inbound"]:
        packets = stream["packetsReceived"]
        expect(few(stream["packetsLost"], packets), f"the page misses packets of ours: {stream}")
        expect(few(stream.get("nackCount", 0), packets), f"the page asks again and again: {stream}")
        expect(stream.get("pliCount", 0) <= 3, f"the page asks for keyframes: {stream}")
    for stream in figures["outbound"]:
        expect(few(stream.get("nackCount", 0), stream["packetsSent"]), f"we ask again and again: {stream}")
        expect(stream.get("pliCount", 0) + stream.get("firCount", 0) <= 3, f"we ask for keyframes: {stream}")
    for stream in figures["remoteInbound"]:
        expect(stream["packetsLost"] <= 10, f"we report losses: {stream}")
    kinds = sorted(stream["kind"] for stream in figures["remoteInbound"])
    expect(kinds == ["audio", "video"], f"we reported on {kinds} only")
    kinds = sorted(stream["kind"] for stream in figures["remoteOutbound"])
    expect(kinds == ["audio", "video"], f"sender reports came for {kinds} only")
    if codec:
        codecs = [stream["codec"] for stream in figures["inbound"] + figures["outbound"]]
        expect(set(codecs) == {f"video/{codec}", "audio/opus"}, f"codecs {codecs}")


for codec in ("VP8", "VP9"):
    for page_offers in (True, False):

        ours = [codec.lower(), "vp9" if codec == "VP8" else "vp8"]

        @case(f"media, {codec}, {'the page offers' if page_offers else 'we offer'}", codecs=ours)
        async def _(m: Meeting, codec=codec, page_offers=page_offers) -> str:
            await connect_media(m, codec, page_offers)
            return await media_arrives(m, codec)


# Chromium's answer has VP9 alone, and it sends our offer's first format all the same.
@case("media, VP8 offered first, VP9 answered", codecs=["vp8", "vp9"])
async def _(m: Meeting) -> str:
    await connect_media(m, "VP9", page_offers=False)
    said = await media_arrives(m)
    figures = await m.page.call("statistics")
    codecs = [next(s["codec"] for s in figures[way] if s["kind"] == "video") for way in ("inbound", "outbound")]
    expect(codecs[0] == "video/VP9", f"we send {codecs[0]}")
    return f"it gets {codecs[0]} and sends {codecs[1]}; {said}"


@case("keyframe asked for by the page")
async def _(m: Meeting) -> str:
    await connect_media(m, "VP8", page_offers=True)
    await media_arrives(m)

    async def video() -> dict:
        return next(s for s in (await m.page.call("statistics"))["inbound"] if s["kind"] == "video")

    before = await video()
    sent = await m.page.call("requestKeyframe")
    expect(sent == "sent", f"the page cannot ask: {sent}")
    after = await m.eventually(
        video, lambda seen: seen["keyFramesDecoded"] > before["keyFramesDecoded"], "a further keyframe"
    )
    expect(after["pliCount"] == before["pliCount"] + 1, f"{after['pliCount']} requests")
    return f"{before['keyFramesDecoded']}, then {after['keyFramesDecoded']} keyframes; {after['pliCount']} requests"


# ---------------------------------------------------------------- addresses


@case("hidden addresses, the page offers", hides_addresses=True)
async def _(m: Meeting) -> str:
    await connect_media(m, "VP8", page_offers=True)
    return await check_hidden(m)


@case("hidden addresses, we offer", hides_addresses=True)
async def _(m: Meeting) -> str:
    await connect_media(m, "VP8", page_offers=False)
    return await check_hidden(m)


async def check_hidden(m: Meeting) -> str:
    said = [entry["candidate"] for entry in m.told if entry["type"] == "candidate" and entry["candidate"]]
    hidden = [candidate for candidate in said if ".local " in candidate]
    expect(hidden and len(hidden) == len(said), f"candidates {said}")
    await media_arrives(m)
    remote = (await m.ours.call("stats"))["pair"]["remote"]
    kind = "peer reflexive" if "peerReflexive" in remote else "resolved"
    return f"{len(hidden)} candidates with names; the page's is {kind} for us"


@case("ICE restart by the page")
async def _(m: Meeting) -> str:
    await connect_media(m, "VP8", page_offers=True)
    await media_arrives(m)
    before = (await m.page.call("statistics"))["local"]
    await m.page.call("restartICE")
    await m.page_offers(tracks=TRACKS)
    return await check_restart(m, before)


@case("ICE restart by us")
async def _(m: Meeting) -> str:
    await connect_media(m, "VP8", page_offers=False)
    await media_arrives(m)
    before = (await m.page.call("statistics"))["local"]
    offer = (await m.ours.call("restart"))["sdp"]
    await m.we_offer(offer)
    return await check_restart(m, before)


async def check_restart(m: Meeting, before: dict) -> str:
    def uses_new_credentials(figures: dict) -> bool:
        local = figures["local"]
        return local is not None and local["usernameFragment"] != before["usernameFragment"]

    after = await m.eventually(lambda: m.page.call("statistics"), uses_new_credentials, "a new path")
    said = await media_arrives(m)
    expect(after["transport"]["dtlsState"] == "connected", f"{after['transport']}")
    return f"{before['port']} to {after['local']['port']}; {said}"


# ---------------------------------------------------------------- renegotiation


@case("the page adds its tracks later")
async def _(m: Meeting) -> str:
    await m.page.call("openChannel", "first")
    await m.page_offers()
    await m.page_tells("channel-open", label="first")
    wanted = [
        {"kind": "video", "direction": "sendonly", "colour": css(PAGE_COLOUR)},
        {"kind": "video", "direction": "recvonly"},
    ]
    await m.page.call("addTransceivers", wanted)
    await m.page_offers(
        tracks={
            "1": {"name": "page_video", "kind": "video", "send": False},
            "2": {"name": "our_video", "kind": "video", "send": True},
        }
    )
    await m.ours.call("pictures", track="our_video", colour=list(OUR_COLOUR))
    return await pictures_arrive(m)


async def pictures_arrive(m: Meeting) -> str:
    before = (await m.page.call("look", 0.5, 0.5))["count"]
    await m.ours.call("report", reset=True)
    seen = await m.eventually(
        lambda: m.page.call("look", 0.5, 0.5),
        lambda seen: seen["count"] >= before + 30 and close_to(seen["colour"], OUR_COLOUR),
        "our picture in the page",
    )
    ours = await m.eventually(
        lambda: m.ours.call("report", spot=[0.5, 0.75]),
        lambda report: report["video"]["page_video"]["frames"] >= 30
        and close_to(report["video"]["page_video"]["colour"], PAGE_COLOUR),
        "the page's picture here",
    )
    return f"{seen['count'] - before} pictures there, {ours['video']['page_video']['frames']:.0f} here"


@case("we add our tracks later")
async def _(m: Meeting) -> str:
    offer = (await m.ours.call("offer", channels=[{"label": "first"}]))["sdp"]
    await m.we_offer(offer)
    await m.ours.wait("open", label="first")
    tracks = [
        {"name": "our_video", "kind": "video", "send": True},
        {"name": "page_video", "kind": "video", "send": False},
    ]
    offer = (await m.ours.call("offer", tracks=tracks))["sdp"]
    await m.we_offer(
        offer, lambda: m.page.call("fillTransceivers", {"colour": css(PAGE_COLOUR), "hertz": PAGE_TONE})
    )
    await m.ours.call("pictures", track="our_video", colour=list(OUR_COLOUR))
    return await pictures_arrive(m)


@case("the page turns its sections off and on")
async def _(m: Meeting) -> str:
    await connect_media(m, "VP8", page_offers=True)
    await media_arrives(m)
    # Ours to the page, then the page's to us.
    for mid, direction, back in (("0", "inactive", "recvonly"), ("2", "inactive", "sendonly")):
        await m.page.call("setDirection", mid, direction)
        _, answer = await m.page_offers(tracks=TRACKS)
        section = answer.split("\r\nm=")[int(mid) + 1]
        expect("a=inactive" in section, f"section {mid} is answered with {section}")
        await stands_still(m, mid)
        await m.page.call("setDirection", mid, back)
        await m.page_offers(tracks=TRACKS)
        await pictures_arrive(m)
    return await media_arrives(m)


async def stands_still(m: Meeting, mid: str) -> None:
    """No picture comes any more in that section."""

    async def count() -> int:
        if mid == "0":
            return (await m.page.call("look", 0.5, 0.5))["count"]
        return (await m.ours.call("report"))["video"]["page_video"]["frames"]

    last = [-1]

    async def look() -> tuple[int, int]:
        before, last[0] = last[0], await count()
        return before, last[0]

    await m.eventually(look, lambda pair: pair[0] == pair[1], f"section {mid} does not stop")
