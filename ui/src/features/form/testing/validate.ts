/** An independent validator that gives a second opinion on the engine's results. */

import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as formats from "ajv-formats";

// This CommonJS package's exports are nested one level deeper for some loaders.
const addFormats = formats.default as unknown as (ajv: Ajv | Ajv2020) => void;

const OPTIONS = { strict: false, allErrors: false, validateSchema: false, ownProperties: true, logger: false } as const;

/**
 * What checks values against a schema; `null` when the schema can't be compiled. Servers disagree
 * on what a format means, so the engine does not enforce it: where something has to be wrong for
 * both, formats are left out.
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

/** Removes `$schema`: the dialect is known already, and an unknown one would prevent compilation. */
function withoutDialect(schema: unknown): object | boolean {
  if (typeof schema !== "object" || schema === null) return schema === true;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema"));
}
