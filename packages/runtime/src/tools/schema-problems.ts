import type { JsonObject } from "@mdx-ai/models";
import { isRecord } from "../record.ts";

/** One place where arguments do not fit a schema. */
export interface SchemaProblem {
  /** The keyword of JSON Schema that failed, such as "type". */
  readonly keyword: string;
  /** Keys from the arguments down to the value, such as `["items", "0"]`; empty for the arguments themselves. */
  readonly path: readonly string[];
  /** What the schema says under the keyword; undefined where a reference hides it. */
  readonly expected: unknown;
  /** The value that failed. */
  readonly found: unknown;
  /** The validator's own words. */
  readonly message: string;
}

/** Keywords that only pass on what failed below them. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ..."properties patternProperties additionalProperties unevaluatedProperties propertyNames dependentSchemas".split(
    " ",
  ),
  ..."items prefixItems additionalItems unevaluatedItems contains".split(" "),
  ..."allOf anyOf oneOf if then else $ref $dynamicRef $recursiveRef".split(" "),
]);

/** Finds all problems of arguments with one schema. Throws where the schema itself cannot be used. */
export type SchemaCheck = (args: JsonObject) => readonly SchemaProblem[];

/**
 * The check of a schema, made ready at its first use. The validator is loaded by `require`, because whether arguments fit
 * is asked without waiting.
 */
export function schemaCheck(schema: JsonObject): SchemaCheck {
  let validator: import("@cfworker/json-schema").Validator | undefined;
  return (args) => {
    validator ??= openValidator(schema);
    const { errors } = validator.validate(args);
    const leaves = errors.filter((error) => !CONTAINERS.has(error.keyword));
    return (leaves.length > 0 ? leaves : errors).map((error) => ({
      keyword: error.keyword,
      path: keysOf(error.instanceLocation),
      expected: valueAt(schema, keysOf(error.keywordLocation)),
      found: valueAt(args, keysOf(error.instanceLocation)),
      message: error.error,
    }));
  };
}

function openValidator(schema: JsonObject): import("@cfworker/json-schema").Validator {
  const { Validator }: typeof import("@cfworker/json-schema") = require("@cfworker/json-schema");
  return new Validator({ ...schema }, "2020-12", false);
}

/** The keys of a JSON pointer in a URI fragment. */
function keysOf(location: string): readonly string[] {
  const keys = location.replace(/^[^#]*#\/?/, "");
  return keys === "" ? [] : keys.split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(root: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}
