"""The table of cases."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from browser import Browser
from meeting import Meeting, meeting
from our_peer import Program


@dataclass
class Case:
    name: str
    run: Callable[[Browser, Program, str], Awaitable[str]]
    hides_addresses: bool = False


CASES: list[Case] = []


def case(name: str, hides_addresses: bool = False, **configuration: object):
    """Makes a case of a function that takes a meeting; each has a page and a connection of its own."""

    def take(body: Callable[[Meeting], Awaitable[str]]):
        async def run(browser: Browser, program: Program, url: str) -> str:
            async with meeting(browser, program, url, **configuration) as m:
                return await body(m)

        CASES.append(Case(name, run, hides_addresses))
        return body

    return take
