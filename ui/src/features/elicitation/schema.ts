/** The form of a question's schema. The check in Rust uses the schema itself. */
import type { Draft } from "../form/model/draft";
import type { FormNode } from "../form/model/node";
import { normalize } from "../form/model/normalize";
import { readSchema } from "../form/model/readSchema";
import { fillDefaults, initialDraft } from "../form/model/start";

/** The form of a question's schema, as JSON text. */
export function formOfQuestion(schema: string): FormNode {
  return normalize(drawn(readSchema(schema)));
}

/** The initial answer, with the defaults that the protocol requires a client to fill in. */
export function firstAnswer(node: FormNode): Draft {
  return fillDefaults(node, initialDraft(node));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The schema with the names of its options, and without a field for additional keys, which servers don't
 * read. JSON can still have them.
 */
function drawn(schema: unknown): unknown {
  const titled = withNamedOptions(schema);
  return isRecord(titled) && isRecord(titled["properties"]) ? { additionalProperties: false, ...titled } : titled;
}

/** The protocol's older way to name the options of an `enum` (`enumNames`), as titles of constants. */
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
