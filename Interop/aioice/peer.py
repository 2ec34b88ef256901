"""An aioice agent that a test drives line by line.

usage: peer.py controlling|controlled

It writes `param UFRAG PASSWORD`, `cand CANDIDATE` lines and `end`, reads the same from its input, connects, and
then sends every datagram back as it came.
"""

import asyncio
import sys

import aioice


def tell(line: str) -> None:
    print(line, flush=True)


async def main(role: str) -> None:
    connection = aioice.Connection(ice_controlling=role == "controlling", use_ipv6=False)
    await connection.gather_candidates()
    tell(f"param {connection.local_username} {connection.local_password}")
    for candidate in connection.local_candidates:
        tell(f"cand {candidate.to_sdp()}")
    tell("end")

    loop = asyncio.get_running_loop()
    while True:
        line = await loop.run_in_executor(None, sys.stdin.readline)
        word, _, rest = line.strip().partition(" ")
        if word == "param":
            connection.remote_username, connection.remote_password = rest.split(" ")
        elif word == "cand":
            await connection.add_remote_candidate(aioice.Candidate.from_sdp(rest))
        else:
            await connection.add_remote_candidate(None)
            break

    await connection.connect()
    try:
        while True:
            await connection.send(await connection.recv())
    except ConnectionError:
        pass


asyncio.run(main(sys.argv[1]))
