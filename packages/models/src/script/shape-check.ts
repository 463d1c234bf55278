import { isRecord, type UnknownRecord } from "../record.ts";

/** Says what is wrong with a value ("unexpected X, expected Y"), or nothing. `place` is where it stands, "" at the top. */
export type ShapeCheck = (value: unknown, place: string) => string | undefined;

/** Accepts what a predicate accepts. `expected` ends "expected …". */
export function shape(expected: string, accepts: (value: unknown) => boolean): ShapeCheck {
  return (value, place) =>
    accepts(value) ? undefined : `unexpected ${excerpt(value)}${at(place)}, expected ${expected}`;
}

/** Accepts a list of what a check accepts. */
export function listShape(check: ShapeCheck): ShapeCheck {
  return (value, place) => {
    if (!Array.isArray(value)) return `unexpected ${excerpt(value)}${at(place)}, expected a list`;
    return firstProblem(value.map((item: unknown, index) => () => check(item, `${place}[${index}]`)));
  };
}

/** Accepts an object that has the required fields, and no field that is not named. */
export function recordShape(
  fields: Readonly<Record<string, ShapeCheck>>,
  required: readonly string[] = [],
): ShapeCheck {
  const names = Object.keys(fields);
  return (value, place) => {
    if (!isRecord(value)) return `unexpected ${excerpt(value)}${at(place)}, expected an object`;
    return firstProblem([
      () => missingField(value, required, place),
      ...Object.entries(value).map(([name, item]) => () => {
        const check = names.includes(name) ? fields[name] : undefined;
        if (check === undefined) return `unexpected field "${name}"${at(place)}, expected one of ${names.join(", ")}`;
        return check(item, place === "" ? name : `${place}.${name}`);
      }),
    ]);
  };
}

function missingField(value: UnknownRecord, required: readonly string[], place: string): string | undefined {
  const missing = required.find((name) => !Object.hasOwn(value, name));
  return missing === undefined ? undefined : `unexpected end of the object${at(place)}, expected a field "${missing}"`;
}

function firstProblem(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function at(place: string): string {
  return place === "" ? "" : ` in ${place}`;
}

function excerpt(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
