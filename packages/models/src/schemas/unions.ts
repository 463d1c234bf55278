import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";
import { type Expansion, type FollowedReferences, isImpossible } from "./expand-schema.ts";
import type { SchemaFamily } from "./families.ts";
import type { NamePlace } from "./property-names.ts";
import { isSame } from "./same-json.ts";
import { inferredTypes, ofType } from "./type-keywords.ts";
import { typesOf } from "./well-formed.ts";

/** A position in a schema. */
export interface Place {
  readonly names: NamePlace;
  readonly followed: FollowedReferences;
  readonly depth: number;
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);

/** The alternatives of a schema, each complete, if they must be sent separately. */
export function branchesOf(
  schema: JsonObject,
  { unions, types: form, nulls }: SchemaFamily,
): readonly JsonValue[] | undefined {
  const { anyOf, ...rest } = schema;
  if (unions === "alone" && isList(anyOf)) return anyOf.map((branch) => ({ allOf: [branch, rest] }));
  const types = form === "list" ? [] : (typesOf(schema) ?? inferredTypes(schema) ?? []);
  const told = nulls === "nullable" ? types.filter((type) => type !== "null") : types;
  return told.length > 1 ? types.flatMap((type) => ofType(schema, type) ?? []) : undefined;
}

/** How to adapt one alternative, and what to use if there are none. */
interface Parts {
  adapted(branch: JsonValue, place: Place): JsonObject;
  anything(place: Place): JsonObject;
}

/** Rewrites alternatives for a family. */
export class Unions {
  readonly #family: SchemaFamily;
  readonly #expansion: Expansion;
  readonly #parts: Parts;

  constructor(family: SchemaFamily, expansion: Expansion, parts: Parts) {
    this.#family = family;
    this.#expansion = expansion;
    this.#parts = parts;
  }

  /** One schema that accepts what any branch accepts, each adapted separately. */
  union(branches: readonly JsonValue[], place: Place): JsonObject {
    const possible = branches.filter((branch) => !this.#isImpossible(branch, place));
    const isNull = possible.map((branch) => this.#isNull(branch, place));
    const hasNull = this.#family.nulls === "nullable" && isNull.includes(true);
    const adapted = possible
      .filter((_, index) => !(hasNull && isNull[index]))
      .map((branch) => this.#parts.adapted(branch, place));
    const all = withoutRepeats(adapted.flatMap(alternativesOf));
    const [first, ...others] = all;
    if (first === undefined) return hasNull ? NULL_TEXT : this.#parts.anything(place);
    const start = hasNull ? { ...first, nullable: true } : first;
    return others.length === 0 ? start : { anyOf: [start, ...others] };
  }

  #isImpossible(branch: JsonValue, { followed }: Place): boolean {
    const parts = isRecord(branch) ? listOf(branch["allOf"]) : [];
    return (
      isImpossible(branch) ||
      parts.some(isImpossible) ||
      isImpossible(this.#expansion.expanded(branch, followed).schema)
    );
  }

  #isNull(branch: JsonValue, { followed }: Place): boolean {
    const { schema } = this.#expansion.expanded(branch, followed);
    const types = typesOf(schema) ?? inferredTypes(schema);
    return types?.length === 1 && types[0] === "null";
  }

  /** The possible alternatives without duplicates. */
  alternatives(branches: readonly JsonValue[], place: Place): readonly JsonValue[] {
    const possible = branches.filter((branch) => !this.#isImpossible(branch, place));
    const adapted = possible.map((branch) => this.#parts.adapted(branch, place)).flatMap(alternativesOf);
    return adapted.length === 0 ? [this.#parts.anything(place)] : withoutRepeats(adapted);
  }
}

const NULL_TEXT: JsonObject = { type: "string", nullable: true };

/** Flattens alternatives that contain only alternatives. */
function alternativesOf(schema: JsonObject): readonly JsonObject[] {
  const { anyOf } = schema;
  return isList(anyOf) && Object.keys(schema).length === 1 ? anyOf.filter((one) => isRecord(one)) : [schema];
}

const withoutRepeats = (schemas: readonly JsonObject[]): readonly JsonObject[] =>
  schemas.filter((one, index) => schemas.findIndex((other) => isSame(one, other)) === index);
