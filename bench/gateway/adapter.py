"""Guild Hall as a peer of a bench that measures MCP gateways beside each other: README.md says how."""

import json
import os

from adapters import Launch, peer, url


@peer("guild-hall", "0.2.0", ups="http stdio", install=[],
      note="history, policies, traffic and log as they are by default; lists in mode full")
def guild_hall(r):
    for u in r.ups:
        how = {"transport": "http", "url": u.url} if u.url else {"transport": "stdio", "command": u.argv[0], "args": u.argv[1:]}
        member = r.dir / "members" / u.name
        member.mkdir(parents=True)
        manifest = {"name": u.name, "version": "1.0.0", "description": f"The server {u.name} of the bench", **how}
        (member / "plugin.json").write_text(json.dumps(manifest))
    return Launch([os.environ.get("GUILDHALL", "guildhall"), "--members", str(r.dir / "members"), "--data", str(r.dir / "data"),
                   "serve", "--no-token", "--gateway-port", str(r.port)], url(r, "/mcp?mode=full"))
