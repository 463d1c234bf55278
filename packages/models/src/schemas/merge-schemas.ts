import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";
import { isSame } from "./same-json.ts";
import { TYPES, type Type, typesOf } from "./well-formed.ts";

type Merge = (first: JsonValue, second: JsonValue) => JsonValue;

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** Whether a schema accepts everything. */
const isOpen = (schema: JsonValue): boolean => schema === true || isSame(schema, {});

const both: Merge = (first, second) => {
  if (isOpen(first)) return second;
  return isOpen(second) || isSame(first, second) ? first : { allOf: [first, second] };
};
const bothAllowing: Merge = (first, second) => (first === false || second === false ? false : both(first, second));
const greater: Merge = (first, second) => Math.max(Number(first), Number(second));
const smaller: Merge = (first, second) => Math.min(Number(first), Number(second));
const together: Merge = (first, second) => [...new Set([first, second].flat())];
const common: Merge = (first, second) => {
  const shared = [first].flat().filter((value) => [second].flat().some((other) => isSame(value, other)));
  return shared.length === 0 ? first : shared;
};

const eachProperty =
  (merge: Merge): Merge =>
  (first, second) => {
    if (!isRecord(first) || !isRecord(second)) return first;
    const added = Object.entries(second).map(([name, schema]): [string, JsonValue] => {
      const known = Object.hasOwn(first, name) ? first[name] : undefined;
      return [name, known === undefined ? schema : merge(known, schema)];
    });
    return { ...first, ...Object.fromEntries(added) };
  };

/** How to merge two values of a keyword into one that both schemas imply. For other keywords the first value counts. */
const merges: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ["properties", eachProperty(both)],
  ["patternProperties", eachProperty(both)],
  ["additionalProperties", bothAllowing],
  ["items", bothAllowing],
  ["required", together],
  ["enum", common],
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"].map((word) => [word, greater] as const),
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"].map((word) => [word, smaller] as const),
]);

/** Keywords that depend on the rest of their schema, so that they cannot be merged. */
const UNMOVABLE: ReadonlySet<string> = new Set(
  (
    "not if then else contains minContains maxContains propertyNames dependentSchemas dependentRequired dependencies " +
    "unevaluatedProperties unevaluatedItems"
  ).split(" "),
);

/** A schema without the keywords that cannot be merged: the same or weaker. */
const movable = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !UNMOVABLE.has(keyword)));

/** A schema that accepts at least what both accept. Neither may have `allOf` or a reference. */
export function intersection(first: JsonObject, second: JsonObject): JsonObject {
  if (Object.keys(first).length === 0) return second;
  if (Object.keys(second).length === 0) return first;
  const merged: Record<string, JsonValue> = { ...movable(first) };
  for (const [keyword, value] of Object.entries(movable(second))) {
    const known = merged[keyword];
    // `items` depends on the tuple beside it.
    if (keyword === "items" && isList(first["prefixItems"]) && isList(second["prefixItems"])) continue;
    merged[keyword] = known === undefined ? value : (merges.get(keyword)?.(known, value) ?? known);
  }
  const types = commonTypes(typesOf(first), typesOf(second));
  return types === undefined ? merged : { ...merged, type: types.length === 1 ? (types[0] ?? "null") : types };
}

function commonTypes(
  first: readonly Type[] | undefined,
  second: readonly Type[] | undefined,
): readonly Type[] | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const takes = (types: readonly Type[], type: Type): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const shared = TYPES.filter((type) => takes(first, type) && takes(second, type));
  const narrow = shared.filter((type) => type !== "integer" || !shared.includes("number"));
  return narrow.length === 0 ? first : narrow;
}

const either: Merge = (first, second) => (isSame(first, second) ? first : { anyOf: [first, second] });

/**
 * One object that accepts what any of several objects accepts: all their properties, of which those required by all are required.
 * `declared`: properties that all have. None may have `anyOf`, `oneOf`, `allOf` or a reference.
 */
export function unionOfObjects(given: readonly JsonObject[], declared: JsonValue | undefined): JsonObject {
  const [first, ...others] = given;
  if (first === undefined || others.length === 0) return first ?? {};
  const known = Object.keys(isRecord(declared) ? declared : {});
  const objects = given.map((object) => withOpen(object, known));
  const all = (keyword: string): readonly (JsonValue | undefined)[] => objects.map((object) => object[keyword]);
  const maps = (keyword: string): JsonValue =>
    all(keyword).reduce<JsonValue>(
      (merged, map) => (map === undefined ? merged : eachProperty(alternatives)(merged, map)),
      {},
    );
  const required = all("required").map((names) => (isList(names) ? names : []));
  const shared = (required[0] ?? []).filter((name) => required.every((names) => names.includes(name)));
  const patterns = maps("patternProperties");
  const rests = all("additionalProperties").filter((rest) => rest !== undefined && rest !== true);
  return {
    type: "object",
    properties: maps("properties"),
    ...(isSame(patterns, {}) ? {} : { patternProperties: patterns }),
    ...(shared.length === 0 ? {} : { required: shared }),
    ...(rests.length === objects.length ? { additionalProperties: anyRest(rests) } : {}),
  };
}

/** Adds a property of any type for each required or shared name that it does not declare. */
function withOpen(object: JsonObject, declared: readonly string[]): JsonObject {
  const { required, properties } = object;
  const names = [...(isList(required) ? required : []), ...declared];
  const named = names.map((name): [string, JsonValue] => [String(name), {}]);
  return { ...object, properties: { ...Object.fromEntries(named), ...(isRecord(properties) ? properties : {}) } };
}

/** Flattens nested alternatives. */
function alternatives(first: JsonValue, second: JsonValue): JsonValue {
  if (isOpen(first) || isOpen(second)) return {};
  const known = isRecord(first) && Object.keys(first).length === 1 ? first["anyOf"] : undefined;
  if (!isList(known)) return either(first, second);
  return known.some((one) => isSame(one, second)) ? first : { anyOf: [...known, second] };
}

const anyRest = (rests: readonly (JsonValue | undefined)[]): JsonValue =>
  rests.reduce<JsonValue>(
    (all, rest) => (rest === false || rest === undefined ? all : all === false ? rest : alternatives(all, rest)),
    false,
  );
