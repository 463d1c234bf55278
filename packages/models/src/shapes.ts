import { isRecord, onlyClosest, type UnknownRecord } from "@mdx-ai/base";

/** What is wrong with a value. */
export interface ShapeProblem {
  /** Names of fields and indexes of lists, from the top, to the value or the object that is wrong. */
  readonly path: readonly (string | number)[];
  /** The field of that object that is not known, if that is wrong. */
  readonly field?: string;
  /** The value found, shortened. */
  readonly found: string;
  /** "expected …", or "did you mean …?". */
  readonly hint: string;
}

type Path = ShapeProblem["path"];

/** Returns the first problem of a value at a path, if there is one. */
export type Shape = (value: unknown, path: Path) => ShapeProblem | undefined;

/** A shape for each field of a type. */
export type FieldShapes<Type> = Readonly<Record<keyof Type, Shape>>;

/** Accepts what a predicate accepts. `expected` ends "expected …". */
export const shape =
  (expected: string, accepts: (value: unknown) => boolean): Shape =>
  (value, path) =>
    accepts(value) ? undefined : wrongValue(value, path, expected);

/** Accepts a list of what a shape accepts. */
export const listShape =
  (item: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return wrongValue(value, path, "a list");
    return firstProblem(value.entries(), ([index, inner]) => item(inner, [...path, index]));
  };

/** Accepts an object whose fields have their shapes, with the required ones and no others. */
export const recordShape =
  (fields: Readonly<Record<string, Shape>>, required: readonly string[] = []): Shape =>
  (value, path) => {
    if (!isRecord(value)) return wrongValue(value, path, "an object");
    const wrongField = firstProblem(Object.entries(value), ([name, inner]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return field === undefined ? unknownField(name, path, Object.keys(fields)) : field(inner, [...path, name]);
    });
    return wrongField ?? missingField(value, required, path);
  };

/** The first problem of several values, checked in order. */
export function firstProblem<Item>(
  items: Iterable<Item>,
  problemOf: (item: Item) => ShapeProblem | undefined,
): ShapeProblem | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function missingField(value: UnknownRecord, required: readonly string[], path: Path): ShapeProblem | undefined {
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing === undefined) return undefined;
  return { path, found: "end of the object", hint: `expected a field "${missing}"` };
}

function unknownField(field: string, path: Path, known: readonly string[]): ShapeProblem {
  const meant = onlyClosest(field, known);
  const hint = meant === undefined ? `expected one of ${known.join(", ")}` : `did you mean "${meant}"?`;
  return { path, field, found: `field ${excerpt(field)}`, hint };
}

export const wrongValue = (value: unknown, path: Path, expected: string): ShapeProblem => ({
  path,
  found: excerpt(value),
  hint: `expected ${expected}`,
});

function excerpt(value: unknown): string {
  const json = (typeof value === "number" ? undefined : JSON.stringify(value)) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
