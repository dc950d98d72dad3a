"""The Python SDK in one era: what it sees through the gateway, as one JSON value.

`python.py URL MODE`, where MODE is `legacy`, `auto` or a version.
"""

import asyncio
import json
import sys

from mcp.client import Client
from mcp_types import ElicitResult


async def answer(_context, question):
    assert question.message == "Which colour?"
    return ElicitResult(action="accept", content={"colour": "red"})


async def main(url: str, mode: str) -> None:
    seen = {}
    async with Client(url, mode=mode, elicitation_callback=answer) as client:
        seen["version"] = client.protocol_version
        listed = await client.list_tools()
        seen["tools"] = [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed.tools]
        described = await client.call_tool("tools_describe", {"name": "desk__add"})
        seen["described"] = described.content[0].text
        seen["members"] = {}
        for member in ["desk", "shop"]:
            steps = []

            async def step(progress, _total, _message):
                steps.append(progress)

            added = await client.call_tool(f"{member}__add", {"a": 2, "b": 3})
            await client.call_tool(
                f"{member}__progress", {"steps": 3, "ms": 20}, progress_callback=step
            )
            asked = await client.call_tool(f"{member}__ask", {})
            failed = await client.call_tool(f"{member}__fail", {})
            seen["members"][member] = {
                "sum": added.content[0].text,
                "steps": steps,
                "answers": asked.structured_content["answers"],
                "failed": failed.is_error,
            }
    print(json.dumps(seen))


asyncio.run(main(sys.argv[1], sys.argv[2]))
