import type { JsonSchema } from "../types/json.ts";
import { keysOf, schemaAt, schemaValueAt, valueAt } from "./json-pointer.ts";
import { boundedPatterns } from "./patterns/bounded-patterns.ts";
import { type SchemaProblem, withJoinedTypes, withoutEchoes } from "./schema-problem.ts";

/** Keywords that only pass on what failed below them. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ..."properties patternProperties additionalProperties unevaluatedProperties propertyNames dependentSchemas".split(
    " ",
  ),
  ..."items prefixItems additionalItems unevaluatedItems contains".split(" "),
  ..."allOf anyOf oneOf if then else $ref $dynamicRef $recursiveRef".split(" "),
]);

/** Finds all problems of a value with one schema. Throws where the schema itself cannot be used. */
export type SchemaCheck = (value: unknown) => readonly SchemaProblem[];

/**
 * The check of a JSON Schema 2020-12, made ready at its first use. Its patterns take bounded time. The validator is loaded by `require`, because whether
 * a value fits is asked without waiting.
 */
export function schemaCheck(schema: JsonSchema): SchemaCheck {
  let validator: import("@cfworker/json-schema").Validator | undefined;
  const boundedFor = boundedPatterns(schema);
  return (value) => {
    const bounded = boundedFor(value);
    if (bounded === schema) validator ??= openValidator(schema);
    const { errors } = (bounded === schema && validator ? validator : openValidator(bounded)).validate(value);
    const problems = withJoinedTypes(
      errors.map(({ keyword, instanceLocation, keywordLocation, error }) => ({
        keyword,
        keywordLocation,
        path: keysOf(instanceLocation),
        expected: schemaValueAt(schema, keysOf(keywordLocation)),
        found: valueAt(value, keysOf(instanceLocation)),
        message: error,
      })),
    );
    const leaves = problems.filter(({ keyword }) => !CONTAINERS.has(keyword));
    return withoutEchoes(leaves.length > 0 ? leaves : problems);
  };
}

/** A part of a value that its schema refuses. */
export interface Misfit {
  /** The keys from the value down to it. */
  readonly path: readonly string[];
  /** What the part should match; undefined if it should not be there. */
  readonly schema: JsonSchema | undefined;
}

/** The parts of a value that a schema refuses, each once. The schema states its parts as `schemaAt` reads them. */
export function misfits(value: unknown, schema: JsonSchema): readonly Misfit[] {
  const problems = new Map(schemaCheck(schema)(value).map(({ path }) => [JSON.stringify(path), path]));
  return [...problems.values()].map((path) => ({ path, schema: schemaAt(schema, path) }));
}

/** A copy, since the validator changes its schema and the schema of a tool is sent to models unchanged. */
function openValidator(schema: JsonSchema): import("@cfworker/json-schema").Validator {
  const { Validator }: typeof import("@cfworker/json-schema") = require("@cfworker/json-schema");
  return new Validator(structuredClone({ ...schema }), "2020-12", false);
}
