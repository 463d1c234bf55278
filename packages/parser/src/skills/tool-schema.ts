import { getNodePath } from "jsonc-parser";
import { readLocatedJson } from "../mdx/located-json.ts";
import { checkSchema } from "../mdx/schema/check-schema.ts";
import { rules } from "../rules.ts";
import type { JsonObject, JsonSchema } from "../types/json.ts";

/** Records a mistake at the keys that lead from the schema to it. */
type ReportAt = (path: readonly string[], mistake: { readonly message: string; readonly hint: string }) => void;

/** Reports what is wrong in the schema of a skill's tool; undefined if no call could be checked with it. Never throws. */
export function readToolSchema(schema: JsonObject, report: ReportAt): JsonSchema | undefined {
  const json = readLocatedJson(JSON.stringify(schema));
  if ("message" in json) {
    report([], { message: `unexpected schema (${json.message})`, hint: "simplify the schema" });
    return undefined;
  }
  let isSound = true;
  checkSchema(json, schema, (at, { message, hint, rule, severity }) => {
    isSound &&= (severity ?? rules[rule]) === "warning";
    report(getNodePath(at).map(String), { message, hint });
  });
  return isSound ? schema : undefined;
}
