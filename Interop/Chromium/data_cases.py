"""Data channels each way, and how a connection ends."""

from __future__ import annotations

import base64
import hashlib
import os
import time

from case import case
from meeting import Meeting
from our_peer import Refused
from steps import expect

LARGE = 256 * 1024
CHANNELS = {
    "ordered": {},
    "unordered": {"ordered": False},
    "retransmits": {"ordered": False, "maxRetransmits": 3},
    "lifetime": {"maxPacketLifeTime": 2000},
    "protocol": {"protocol": "reactor.test"},
    "größer": {},
}


def ours(label: str, options: dict) -> dict:
    """A page's options in the words of our program."""
    names = {"maxRetransmits": "retransmits", "maxPacketLifeTime": "lifetime"}
    return {"label": label, **{names.get(name, name): value for name, value in options.items()}}


async def all_kinds_each_way(m: Meeting, label: str) -> None:
    """Messages of every kind come through as they were, and none is added."""
    count = 0
    for text in ("hello", "größer 🦊", "", "x" * LARGE):
        await m.page.call("sendText", label, text)
        await m.ours.wait("message", label=label, isText=True, **like(text.encode()))
        await m.ours.call("send", label=label, text=text)
        await m.page_tells("message", label=label, isText=True, **like(text.encode()))
        count += 1
    for size in (1, 0, 1200, LARGE):
        data = os.urandom(size)
        await m.page.call("sendBytes", label, base64.b64encode(data).decode())
        await m.ours.wait("message", label=label, isText=False, **like(data))
        sent = await m.ours.call("send", label=label, size=size, seed=size + 1)
        await m.page_tells("message", label=label, isText=False, size=size, sha256=sent["sha256"])
        count += 1
    for said, key in ((m.told, "type"), (m.ours.events, "event")):
        came = sum(1 for entry in said if entry[key] == "message" and entry["label"] == label)
        expect(came == count, f"{came} messages came on {label}, not {count}")


def like(data: bytes) -> dict:
    return {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}


@case("channels opened by the page, which offers")
async def _(m: Meeting) -> str:
    for label, options in CHANNELS.items():
        await m.page.call("openChannel", label, options)
    await m.page_offers()
    for label in CHANNELS:
        await m.ours.wait("open", label=label)
        await all_kinds_each_way(m, label)
    return f"{len(CHANNELS)} channels, eight messages each way on each"


@case("channels opened by us, who offer")
async def _(m: Meeting) -> str:
    offer = (await m.ours.call("offer", channels=[ours(*channel) for channel in CHANNELS.items()]))["sdp"]
    await m.we_offer(offer)
    for label, options in CHANNELS.items():
        opened = await m.page_tells("channel-open", label=label)
        for name, value in {"ordered": True, **options}.items():
            expect(opened[name] == value, f"{name} of {label} is {opened[name]}, not {value}")
        await all_kinds_each_way(m, label)
    return f"{len(CHANNELS)} channels, eight messages each way on each"


@case("channels opened later by both, and negotiated ones")
async def _(m: Meeting) -> str:
    await m.page.call("openChannel", "first")
    await m.page_offers()
    await m.ours.wait("open", label="first")
    await m.page.call("openChannel", "page", {})
    await m.ours.call("openChannel", label="we")
    await m.page.call("openChannel", "agreed", {"negotiated": True, "id": 100})
    await m.ours.call("openChannel", label="agreed", stream=100)
    ids = []
    for label in ("page", "we", "agreed"):
        ids.append((await m.page_tells("channel-open", label=label))["id"])
        await m.ours.wait("open", label=label)
        await all_kinds_each_way(m, label)
    expect(ids[2] == 100 and ids[0] % 2 != ids[1] % 2, f"ids {ids}")
    return f"ids {ids}"


@case("many messages in order, both ways at once")
async def _(m: Meeting) -> str:
    await m.page.call("openChannel", "data")
    await m.page_offers()
    await m.ours.wait("open", label="data")
    for number in range(300):
        await m.page.call("sendText", "data", f"page {number}")
        await m.ours.call("send", label="data", text=f"we {number}")
    await m.page_tells("message", text="we 299")
    await m.ours.wait("message", text="page 299")
    there = [entry["text"] for entry in m.told if entry["type"] == "message"]
    here = [entry["text"] for entry in m.ours.events if entry["event"] == "message"]
    expect(there == [f"we {number}" for number in range(300)], f"there {there}")
    expect(here == [f"page {number}" for number in range(300)], f"here {here}")
    return "300 each way"


@case("a message that is too large for the page")
async def _(m: Meeting) -> str:
    await m.page.call("openChannel", "data")
    offer, _ = await m.page_offers()
    await m.ours.wait("open", label="data")
    limit = int(offer.split("a=max-message-size:")[1].split()[0])
    try:
        await m.ours.call("send", label="data", size=limit + 1, seed=1)
    except Refused as refusal:
        sent = await m.ours.call("send", label="data", size=limit, seed=2)
        await m.page_tells("message", size=limit, sha256=sent["sha256"])
        return f"{limit} arrive; one more: {refusal}"
    raise AssertionError(f"{limit + 1} bytes were taken")


@case("channels closed by the page and by us")
async def _(m: Meeting) -> str:
    for label in ("mine", "yours", "kept"):
        await m.page.call("openChannel", label)
    await m.page_offers()
    for label in ("mine", "yours", "kept"):
        await m.ours.wait("open", label=label)
    await m.page.call("sendText", "mine", "last words")
    await m.page.call("closeChannel", "mine")
    await m.ours.wait("message", label="mine", text="last words")
    await m.ours.wait("channelClosed", label="mine")
    await m.page_tells("channel-closed", label="mine")
    await m.ours.call("send", label="yours", text="last words")
    await m.ours.call("closeChannel", label="yours")
    await m.page_tells("message", label="yours", text="last words")
    await m.page_tells("channel-closed", label="yours")
    await m.ours.wait("channelClosed", label="yours")
    # Their streams can be used again.
    await m.page.call("openChannel", "again")
    again = await m.page_tells("channel-open", label="again")
    for label in ("again", "kept"):
        await m.ours.wait("open", label=label)
        await all_kinds_each_way(m, label)
    return f"the next channel has id {again['id']}"


# ---------------------------------------------------------------- ends


async def connect_channel(m: Meeting) -> None:
    await m.page.call("openChannel", "data")
    await m.page_offers()
    await m.connected()
    await m.ours.wait("open", label="data")


@case("the page closes its connection")
async def _(m: Meeting) -> str:
    await connect_channel(m)
    began = time.monotonic()
    await m.page.call("hangUp")
    said = await m.ours.wait("state", state="closed")
    return f"closed after {time.monotonic() - began:.2f} s: {said.get('reason')}"


@case("the page is closed")
async def _(m: Meeting) -> str:
    await connect_channel(m)
    began = time.monotonic()
    await m.page.close()
    said = await m.ours.wait("state", state="disconnected", seconds=30)
    return f"{said['state']} after {time.monotonic() - began:.2f} s: {said.get('reason')}"


@case("we close our connection")
async def _(m: Meeting) -> str:
    await connect_channel(m)
    began = time.monotonic()
    await m.ours.call("close")
    await m.page_tells("channel-closed", label="data")
    took = time.monotonic() - began
    expect(took < 3, f"the page hears of it after {took:.1f} s")
    figures = await m.page.call("statistics")
    return f"the page's channel closes after {took:.2f} s, its DTLS is {figures['transport']['dtlsState']}"
