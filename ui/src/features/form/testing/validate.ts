/** Validates values with Ajv, independently of the validation in Rust. */

import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as formats from "ajv-formats";

// Depending on the module loader, the exports of this CommonJS package are nested in `default`.
const addFormats = formats.default as unknown as (ajv: Ajv | Ajv2020) => void;

const OPTIONS = { strict: false, allErrors: false, validateSchema: false, ownProperties: true, logger: false } as const;

/**
 * Returns a function that validates JSON text against a schema; `null` if the schema can't be compiled. Rust does
 * not enforce formats, because servers interpret them differently. Use `formatsToo = false` to find values that
 * both validators reject.
 */
export function secondOpinion(schema: unknown, formatsToo = true): ((json: string) => boolean) | null {
  const dialect = typeof schema === "object" && schema !== null && "$schema" in schema ? String(schema.$schema) : "";
  const options = { ...OPTIONS, validateFormats: formatsToo };
  const ajv = /draft-0[4-7]/.test(dialect) ? new Ajv(options) : new Ajv2020(options);
  addFormats(ajv);
  let check: ValidateFunction;
  try {
    check = ajv.compile(withoutDialect(schema));
  } catch {
    return null;
  }
  return (json) => check(JSON.parse(json));
}

/** Removes `$schema`. The dialect is already selected, and an unknown one would prevent compilation. */
function withoutDialect(schema: unknown): object | boolean {
  if (typeof schema !== "object" || schema === null) return schema === true;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema"));
}
