/** Builds the form of a question from its schema. The validation in Rust uses the unchanged schema. */
import type { Draft } from "../form/model/draft";
import type { FormNode } from "../form/model/node";
import { normalize } from "../form/model/normalize";
import { readSchema } from "../form/model/readSchema";
import { fillDefaults, initialDraft } from "../form/model/start";

/** The form for a schema, which is JSON text. */
export function formOfQuestion(schema: string): FormNode {
  return normalize(drawn(readSchema(schema)));
}

/** The initial answer, filled with the default values of the schema, as the MCP specification asks of clients. */
export function firstAnswer(node: FormNode): Draft {
  return fillDefaults(node, initialDraft(node));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The schema with option labels, and without the form field for additional properties, because servers don't read
 * additional properties. The JSON view still accepts them.
 */
function drawn(schema: unknown): unknown {
  const titled = withNamedOptions(schema);
  return isRecord(titled) && isRecord(titled["properties"]) ? { additionalProperties: false, ...titled } : titled;
}

/** Converts `enumNames`, which the protocol used earlier for option labels, to a `oneOf` of titled constants. */
function withNamedOptions(schema: unknown): unknown {
  if (!isRecord(schema) || !isRecord(schema["properties"])) return schema;
  const properties = Object.entries(schema["properties"]).map(([key, property]) => [key, named(property)] as const);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function named(property: unknown): unknown {
  if (!isRecord(property)) return property;
  const { enum: values, enumNames: names, ...rest } = property;
  if (!Array.isArray(values) || !Array.isArray(names) || values.length !== names.length) return property;
  return { ...rest, oneOf: values.map((value: unknown, index) => ({ const: value, title: String(names[index]) })) };
}
