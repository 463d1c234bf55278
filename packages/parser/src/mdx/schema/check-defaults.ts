import { expectationOf } from "../../arguments/expectation.ts";
import type { SchemaProblem } from "../../arguments/schema-problem.ts";
import { schemaCheck } from "../../arguments/schema-problems.ts";
import type { JsonSchema, JsonValue } from "../../types/json.ts";
import { schemaTypes } from "./keywords.ts";
import type { SchemaReading } from "./schema-place.ts";

/**
 * Reports each default that its own schema refuses. All are checked at once, as items of an array, beside what references
 * lead to: preparing a schema costs as much as it is long.
 */
export function checkDefaults({ root, defaults, mistake }: SchemaReading): void {
  if (defaults.length === 0) return;
  const { $defs = {}, properties = {} } = root;
  const items = defaults.map(({ schema }) => schema);
  const values = defaults.map(({ schema }): JsonValue => schema["default"] ?? null);
  const reported = new Set<number>();
  for (const problem of problemsOf({ $defs, properties, prefixItems: items }, values)) {
    const index = Number(problem.path[0]);
    const at = defaults[index]?.node;
    if (at === undefined || reported.has(index)) continue;
    reported.add(index);
    const message = `unexpected default, expected ${expectedOf(problem)}`;
    mistake(at, { rule: "schema-keyword", message, hint: "correct the default or its schema" });
  }
}

/** None if the schema is invalid, which is reported elsewhere. */
function problemsOf(schema: JsonSchema, values: readonly JsonValue[]): readonly SchemaProblem[] {
  try {
    return schemaCheck(schema)(values);
  } catch {
    return [];
  }
}

function expectedOf(problem: SchemaProblem): string {
  if (problem.path.length > 1) return "a value whose parts all match its schema";
  // An invalid `type` is reported elsewhere.
  const wanted = problem.keyword === "type" ? [problem.expected].flat() : [];
  const types = schemaTypes.filter((type) => wanted.includes(type));
  if (types.length > 0) return `a value of type ${types.join(" or ")}`;
  return expectationOf(problem)?.expected ?? "a value that matches its schema";
}
