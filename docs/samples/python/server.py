"""A member with two tools: one counts words, one takes its time and says how far it is."""

import asyncio
from typing import Annotated

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

READ_ONLY = ToolAnnotations(readOnlyHint=True)

server = MCPServer("words-python", version="1.0.0")


# What is returned has a schema as well: it is checked, and shown as fields.
class Count(BaseModel):
    words: int
    letters: int


@server.tool(annotations=READ_ONLY)
def count_words(text: Annotated[str, Field(description="What is counted", max_length=10_000)]) -> Count:
    """Counts the words and letters of a text."""
    words = text.split()
    if not words:
        # A result that the caller can read and act on, not a crash.
        raise ToolError("The text contains no words.")
    return Count(words=len(words), letters=sum(len(word) for word in words))


@server.tool(annotations=READ_ONLY, structured_output=False)
async def count_down(
    ctx: Context,
    start: Annotated[int, Field(description="Where it begins", ge=1, le=10)] = 3,
    pause_ms: Annotated[int, Field(description="The pause after each number", ge=0, le=1_000)] = 100,
) -> str:
    """Counts down to zero and reports each step."""
    for step in range(1, start + 1):
        await ctx.report_progress(step, start, f"{start - step} to go")
        await asyncio.sleep(pause_ms / 1_000)
    return f"Counted down from {start}."


if __name__ == "__main__":
    # stdout is the protocol's; whatever is printed for people goes to stderr.
    server.run("stdio")
