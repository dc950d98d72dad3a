"""Writes the schemas of agentgateway, the Gateway API and ToolHive that the tests of exports use.

    python3 vendor.py AGENTGATEWAY GATEWAY_API TOOLHIVE

The arguments are clones of the three repositories. Needs PyYAML."""

import json
import subprocess
import sys

import yaml

AGENTGATEWAY, GATEWAY_API, TOOLHIVE = ("v1.4.1", "v1.6.1", "v0.44.0")
AGENTGATEWAY_CRDS = "controller/install/helm/agentgateway-crds/templates/agentgateway.dev_%s.yaml"
GATEWAY_CRDS = "config/crd/standard/gateway.networking.k8s.io_%s.yaml"
CRDS = "deploy/charts/operator-crds/files/crds/toolhive.stacklok.dev_%s.yaml"
KINDS = ["mcpgroups", "mcpservers", "mcpserverentries", "mcptelemetryconfigs", "virtualmcpservers"]


def show(repository, tag, path):
    command = ["git", "-C", repository, "show", f"{tag}:{path}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def without_texts(schema):
    """Removes descriptions, which are most of the text."""
    if isinstance(schema, list):
        return [without_texts(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: without_texts(value) for key, value in schema.items()}
    if isinstance(kept.get("description"), str):
        del kept["description"]
    return kept


def closed(schema):
    """Rejects unknown fields, as the API server does with strict field validation."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: closed(value) for key, value in schema.items()}
    fields = schema.get("properties")
    is_open = schema.get("x-kubernetes-preserve-unknown-fields") or "additionalProperties" in schema
    if schema.get("type") == "object" and isinstance(fields, dict) and not is_open:
        out["additionalProperties"] = False
    return out


def crd(text):
    definition = yaml.safe_load(text)
    [version] = [one for one in definition["spec"]["versions"] if one["storage"]]
    schema = closed(without_texts(version["schema"]["openAPIV3Schema"]))
    names = definition["spec"]
    schema["properties"]["apiVersion"]["const"] = f"{names['group']}/{version['name']}"
    schema["properties"]["kind"]["const"] = names["names"]["kind"]
    schema["properties"]["metadata"] = {"type": "object", "required": ["name"]}
    schema["properties"].pop("status", None)
    schema["required"] = ["apiVersion", "kind", "metadata", "spec"]
    return names["names"]["kind"], schema


def write(path, origin, schema):
    schema = {"$comment": f"From {origin} (Apache-2.0), without descriptions.", **schema}
    with open(path, "w") as file:
        json.dump(schema, file, separators=(",", ":"))
        file.write("\n")


def only(schema, *fields):
    """Keeps only these fields, because a whole CRD of agentgateway has 200 KB."""
    schema["properties"] = {field: schema["properties"][field] for field in fields}


agentgateway, gateway_api, toolhive = sys.argv[1:]
schema = without_texts(json.loads(show(agentgateway, AGENTGATEWAY, "schema/config.json")))
write("agentgateway.schema.json", f"agentgateway/agentgateway {AGENTGATEWAY}, schema/config.json", schema)

crds = [show(agentgateway, AGENTGATEWAY, AGENTGATEWAY_CRDS % kind) for kind in ["agentgatewaybackends", "agentgatewaypolicies"]]
crds += [show(gateway_api, GATEWAY_API, GATEWAY_CRDS % kind) for kind in ["gateways", "httproutes"]]
kinds = dict(crd(text) for text in crds)
backend = kinds["AgentgatewayBackend"]["properties"]["spec"]
only(backend, "mcp", "policies")
only(backend["properties"]["policies"], "mcp")
only(kinds["AgentgatewayPolicy"]["properties"]["spec"], "targetRefs", "traffic", "frontend")
origin = (
    f"agentgateway/agentgateway {AGENTGATEWAY}, {AGENTGATEWAY_CRDS % '*'}, with only the fields of exports, and "
    f"kubernetes-sigs/gateway-api {GATEWAY_API}, {GATEWAY_CRDS % '*'}, with unknown fields rejected"
)
write("agentgateway-kubernetes.schema.json", origin, kinds)

kinds = dict(crd(show(toolhive, TOOLHIVE, CRDS % kind)) for kind in KINDS)
write("toolhive.schema.json", f"stacklok/toolhive {TOOLHIVE}, {CRDS % '*'}, with unknown fields rejected", kinds)
