import type { JsonValue } from "@mdx-ai/base";
import type { SchemaFamily } from "./families.ts";
import { isOfType } from "./type-keywords.ts";
import { compiles, type Type } from "./well-formed.ts";

/** Keywords with their values. */
export type Entries = readonly (readonly [string, JsonValue])[];

/** Constructs on which regular expression engines disagree. */
const UNCOMMON = /\(\?(?!:)|\\[pPukc0-9]|\[\^?\]/;

/** An anchored pattern that can be turned into a grammar. */
const SIMPLE = /^\^(?!.*\(\?)[^\\^$]*(?:\[\^[^\\^$]*)*\$$/;

/** A family's entries for types. */
export function typeEntries(types: readonly Type[], { types: form, nulls }: SchemaFamily): Entries {
  const named = nulls === "nullable" ? types.filter((type) => type !== "null") : types;
  const [first = "string", ...others] = named;
  const isNullable = nulls === "nullable" && named.length < types.length;
  const type = form === "list" && others.length > 0 ? named : first;
  return [["type", type], ...(isNullable ? ([["nullable", true]] as const) : [])];
}

/** A family's entries for a keyword of the value itself. `types`: of the schema. */
export function valueEntries(
  [keyword, value]: readonly [string, JsonValue],
  types: readonly Type[] | undefined,
  family: SchemaFamily,
): Entries {
  switch (keyword) {
    case "enum":
      return enumEntries(Array.isArray(value) ? value : [], types, family);
    case "format":
      return takesFormat(String(value), types ?? [], family) ? [[keyword, value]] : [];
    case "pattern":
      return takesPattern(String(value), family) ? [[keyword, value]] : [];
    case "nullable":
      return types?.includes("null") ? [] : [[keyword, value]];
    default:
      return [[keyword, value]];
  }
}

function enumEntries(
  values: readonly JsonValue[],
  types: readonly Type[] | undefined,
  { enums, nulls }: SchemaFamily,
): Entries {
  if (enums === "any") return [["enum", values]];
  const fitting = types === undefined ? values : values.filter((value) => types.some((type) => isOfType(value, type)));
  const told = nulls === "nullable" ? fitting.filter((value) => value !== null) : fitting;
  const isTold =
    told.every((value) => typeof value === "string" && (value !== "" || enums === "alike")) ||
    (enums === "alike" && told.every((value) => typeof value === "number"));
  return isTold && told.length > 0 ? [["enum", told]] : [];
}

const takesFormat = (format: string, types: readonly Type[], { formats }: SchemaFamily): boolean =>
  formats === "any" || types.some((type) => formats.has(`${type} ${format}`));

function takesPattern(pattern: string, { patterns }: SchemaFamily): boolean {
  if (patterns === "any") return true;
  if (!compiles(pattern, "u") || UNCOMMON.test(pattern)) return false;
  return patterns === "common" || SIMPLE.test(pattern);
}
