import sys,json
for l in sys.stdin:
    m=json.loads(l)
    if 'id' not in m: continue
    r={"initialize":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}},"tools/list":{"tools":[{"name":"weigh","description":"Weighs a thing.","inputSchema":{"type":"object"}}]}}.get(m['method'])
    print(json.dumps({"jsonrpc":"2.0","id":m['id'],"result":r or {}}),flush=True)
