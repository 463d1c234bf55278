import { isJsonList, isJsonObject, type JsonSchema, type JsonValue, shortened, sortedJson } from "@mdx-ai/base";
import type { Difference, Grade } from "./difference.ts";

type SchemaDifference = Pick<Difference, "grade" | "text">;

/** The differences of two schemas of a tool, by parameter; members of objects have paths such as `to.city`. */
export function compareSchemas(before: JsonSchema, after: JsonSchema): readonly SchemaDifference[] {
  return compareAt([], before, after);
}

function compareAt(path: readonly string[], before: JsonSchema, after: JsonSchema): readonly SchemaDifference[] {
  const { properties: one, required: oneRequired, items: oneItems, ...oneRest } = before;
  const { properties: other, required: otherRequired, items: otherItems, ...otherRest } = after;
  return [
    ...compareProperties(path, schemaOf(one), {
      after: schemaOf(other),
      isClosed: after["additionalProperties"] === false,
    }),
    ...compareRequired(path, textsOf(oneRequired), textsOf(otherRequired)).filter(
      ({ name }) => Object.hasOwn(schemaOf(one), name) === Object.hasOwn(schemaOf(other), name),
    ),
    ...compareItems(path, oneItems, otherItems),
    ...compareKeywords(path, oneRest, otherRest),
  ].map(({ grade, text }) => ({ grade, text }));
}

interface Properties {
  readonly after: JsonSchema;
  /** Whether no other properties are allowed. */
  readonly isClosed: boolean;
}

/** If other properties are allowed, a removed one may be anything. */
function compareProperties(
  path: readonly string[],
  before: JsonSchema,
  { after, isClosed }: Properties,
): readonly SchemaDifference[] {
  const { added, removed, common } = compareNames(before, after);
  const removal = isClosed ? ("narrowed" as const) : ("changed" as const);
  return [
    ...added.map((name) => ({ grade: "widened" as const, text: `${pathText([...path, name])} added` })),
    ...removed.map((name) => ({ grade: removal, text: `${pathText([...path, name])} removed` })),
    ...common.flatMap((name) => compareAt([...path, name], schemaOf(before[name]), schemaOf(after[name]))),
  ];
}

/** A required parameter narrows the possible calls. */
function compareRequired(
  path: readonly string[],
  before: readonly string[],
  after: readonly string[],
): readonly (SchemaDifference & { readonly name: string })[] {
  const { added, removed } = compareLists(before, after);
  return [
    ...added.map((name) => ({ name, grade: "narrowed" as const, text: `${pathText([...path, name])}: now required` })),
    ...removed.map((name) => ({ name, grade: "widened" as const, text: `${pathText([...path, name])}: now optional` })),
  ];
}

function compareItems(
  path: readonly string[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly SchemaDifference[] {
  if (isJsonObject(before) && isJsonObject(after))
    return compareAt([...path.slice(0, -1), `${path.at(-1) ?? ""}[]`], before, after);
  return compareKeywords(path, keyword("items", before), keyword("items", after));
}

const keyword = (name: string, value: JsonValue | undefined): JsonSchema =>
  value === undefined ? {} : { [name]: value };

function compareKeywords(path: readonly string[], before: JsonSchema, after: JsonSchema): readonly SchemaDifference[] {
  const { added, removed, common } = compareNames(before, after);
  const names = [...added, ...removed, ...common].toSorted();
  return names.flatMap((name) => {
    const [from, to] = [ownValue(before, name), ownValue(after, name)];
    if (sortedJson(from) === sortedJson(to)) return [];
    const text = PROSE.includes(name) ? `${name} changed` : `${name} ${valueText(from)} → ${valueText(to)}`;
    return [{ grade: gradeOf(name, from, to), text: `${pathText(path)}: ${text}` }];
  });
}

const PROSE: readonly string[] = ["description", "title", "$comment", "examples"];
const LEAST: readonly string[] = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const MOST: readonly string[] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

function gradeOf(name: string, from: JsonValue | undefined, to: JsonValue | undefined): Grade {
  if (PROSE.includes(name)) return "noted";
  if (name === "enum" || name === "type") return gradeOfValues(name, from, to);
  if (LEAST.includes(name)) return gradeOfBound(negative(from), negative(to));
  if (MOST.includes(name)) return gradeOfBound(from, to);
  if (name === "pattern") return from === undefined ? "narrowed" : gradeOfRemoval(to);
  if (name === "additionalProperties" && to === false) return "narrowed";
  if (name === "additionalProperties" && from === false) return "widened";
  return "changed";
}

const gradeOfRemoval = (to: JsonValue | undefined): Grade => (to === undefined ? "widened" : "changed");

/** The grade of an upper bound; without one everything is allowed. */
function gradeOfBound(from: JsonValue | undefined, to: JsonValue | undefined): Grade {
  if (from === undefined) return "narrowed";
  if (to === undefined) return "widened";
  return typeof from === "number" && typeof to === "number" ? (to > from ? "widened" : "narrowed") : "changed";
}

const negative = (value: JsonValue | undefined): JsonValue | undefined => (typeof value === "number" ? -value : value);

/** Without an enum every value is allowed. */
function gradeOfValues(name: string, from: JsonValue | undefined, to: JsonValue | undefined): Grade {
  if (from === undefined) return "narrowed";
  if (to === undefined) return "widened";
  const { added, removed } = compareLists(listOf(from), listOf(to));
  if (added.length > 0 && removed.length > 0) return name === "enum" ? "widened" : "changed";
  return added.length > 0 ? "widened" : removed.length > 0 ? "narrowed" : "changed";
}

const listOf = (value: JsonValue): readonly string[] =>
  (isJsonList(value) ? value : [value]).map((item) => JSON.stringify(item));

const pathText = (path: readonly string[]): string =>
  path.length === 0 ? "parameters" : `parameter ${path.join(".")}`;

const LONGEST_VALUE = 200;

function valueText(value: JsonValue | undefined): string {
  return value === undefined ? "(none)" : shortened(sortedJson(value), LONGEST_VALUE);
}

const schemaOf = (value: JsonValue | undefined): JsonSchema => (isJsonObject(value) ? value : {});

const textsOf = (value: JsonValue | undefined): readonly string[] =>
  isJsonList(value) ? value.filter((item) => typeof item === "string") : [];

/** The names that only one of two records has, and those of both, sorted. */
export interface NameComparison {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly common: readonly string[];
}

/** Compares the own names of two records. */
export function compareNames(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): NameComparison {
  return compareLists(Object.keys(before), Object.keys(after));
}

/** Compares two lists whose order does not matter. */
export function compareLists(before: readonly string[], after: readonly string[]): NameComparison {
  return {
    added: after.filter((name) => !before.includes(name)).toSorted(),
    removed: before.filter((name) => !after.includes(name)).toSorted(),
    common: after.filter((name) => before.includes(name)).toSorted(),
  };
}

/** The own value of a name; records come from files, whose names can be anything. */
const ownValue = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
