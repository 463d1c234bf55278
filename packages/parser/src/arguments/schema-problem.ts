/** One place where a value does not fit a schema. */
export interface SchemaProblem {
  /** The keyword of JSON Schema that failed, such as "type"; "false" where the schema allows nothing. */
  readonly keyword: string;
  /** The location in the schema, as the validator reports it: a JSON pointer that passes through references. */
  readonly keywordLocation: string;
  /** Keys from the checked value down to the one that failed, such as `["items", "0"]`; empty for the value itself. */
  readonly path: readonly string[];
  /** The value of the keyword in the schema; undefined if it is not known. */
  readonly expected: unknown;
  /** The value that failed. */
  readonly found: unknown;
  /** The validator's own words. */
  readonly message: string;
}

/**
 * The problems, with those of alternatives that only differ in type joined: a value that is neither a string nor null is one
 * mistake, not two. The validator reports the problems of alternatives right after that of `anyOf` or `oneOf`.
 */
export function withJoinedTypes(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const joined: SchemaProblem[] = [];
  for (let index = 0; index < problems.length; index++) {
    const problem = problems[index];
    if (problem === undefined) continue;
    const types = alternativeTypes(problem, problems, index + 1);
    if (types.length === 0) joined.push(problem);
    else joined.push({ ...problem, keyword: "type", expected: [...new Set(types.flat())] });
    index += types.length;
  }
  return joined;
}

/**
 * The problems without those that call a value unknown because something in it failed: what failed counts as not evaluated,
 * which `unevaluatedProperties` and `unevaluatedItems` refuse.
 */
export function withoutEchoes(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const isUnknown = ({ keyword }: SchemaProblem): boolean => keyword === "false";
  if (!problems.some(isUnknown)) return problems;
  const places = problems.filter((problem) => !isUnknown(problem)).flatMap(({ path }) => placesAbove(path));
  const failed = new Set(places);
  return problems.filter((problem) => !(isUnknown(problem) && failed.has(JSON.stringify(problem.path))));
}

function placesAbove(path: readonly string[]): readonly string[] {
  return path.map((_, index) => JSON.stringify(path.slice(0, index + 1)));
}

/** What each alternative expected, where the type of the value itself is all that failed; else none. */
function alternativeTypes(parent: SchemaProblem, problems: readonly SchemaProblem[], first: number): unknown[] {
  if (parent.keyword !== "anyOf" && parent.keyword !== "oneOf") return [];
  const types: unknown[] = [];
  for (let index = first; index < problems.length; index++) {
    const problem = problems[index];
    if (!problem?.keywordLocation.startsWith(`${parent.keywordLocation}/`)) break;
    if (problem.keyword !== "type" || problem.path.length !== parent.path.length) return [];
    types.push(problem.expected);
  }
  return types;
}
