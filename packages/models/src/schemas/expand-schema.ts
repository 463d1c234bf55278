import { isRecord, type JsonObject, type JsonValue } from "@mdx-ai/base";
import type { SchemaFamily } from "./families.ts";
import { intersection, unionOfObjects } from "./merge-schemas.ts";
import { definitionOf, referredTo } from "./references.ts";
import { typesOf, wellFormed } from "./well-formed.ts";

/** References replaced in one schema; recursive definitions could fill the memory. */
const MAX_REFERENCES = 1000;

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);

/** References on the path to a schema; a repeated one is recursive. */
export type FollowedReferences = ReadonlySet<string>;

export interface Expanded {
  readonly schema: JsonObject;
  readonly followed: FollowedReferences;
}

/** Whether a family supports a keyword. */
export const takes = ({ keywords }: SchemaFamily, keyword: string): boolean =>
  keywords === "all" || keywords.has(keyword);

/** Whether no value matches a schema. */
export const isImpossible = (value: JsonValue | undefined): boolean => {
  if (!isRecord(value)) return value === false;
  const { not } = value;
  return not === true || (isRecord(not) && Object.keys(not).length === 0);
};

/** Rewrites schemas without the keywords that a family lacks. */
export class Expansion {
  readonly #root: JsonObject;
  readonly #family: SchemaFamily;
  #left = MAX_REFERENCES;

  constructor(root: JsonObject, family: SchemaFamily) {
    this.#root = root;
    this.#family = family;
  }

  /** A schema with its reference and `allOf` inserted, unless the family supports these. */
  expanded(value: JsonValue | undefined, followed: FollowedReferences): Expanded {
    const schema = wellFormed(value);
    const { $ref: ref, allOf, ...rest } = schema;
    const isReplaced = typeof ref === "string" && !this.#keeps(ref);
    const isJoined = allOf !== undefined && !takes(this.#family, "allOf");
    if (!isReplaced && !isJoined) return { schema: inWords(schema, this.#family), followed };
    const start = {
      ...rest,
      ...(isReplaced || ref === undefined ? {} : { $ref: ref }),
      ...(isJoined || allOf === undefined ? {} : { allOf }),
    };
    const parts = [
      ...(isReplaced ? [this.#target(ref, followed)] : []),
      ...(isJoined ? listOf(allOf).map((part) => this.expanded(part, followed)) : []),
    ];
    return {
      schema: parts.map((part) => part.schema).reduce(intersection, inWords(start, this.#family)),
      followed: new Set([...followed, ...parts.flatMap((part) => [...part.followed])]),
    };
  }

  /** A schema as one object without alternatives that accepts at least what they accept. */
  flat(value: JsonValue | undefined, followed: FollowedReferences = new Set()): JsonObject {
    const { $ref: ref, allOf, anyOf, oneOf, ...rest } = wellFormed(value);
    const unions = [anyOf, oneOf].filter(isList).map((branches) => {
      const objects = branches.filter((branch) => !isImpossible(branch)).map((branch) => this.flat(branch, followed));
      const possible = objects.filter((branch) => typesOf(branch)?.includes("object") ?? true);
      return unionOfObjects(possible, rest["properties"]);
    });
    const parts = listOf(allOf).map((part) => this.flat(part, followed));
    return [this.#flatTarget(ref, followed), ...parts, ...unions].reduce(intersection, rest);
  }

  #flatTarget(ref: JsonValue | undefined, followed: FollowedReferences): JsonObject {
    if (typeof ref !== "string" || followed.has(ref) || this.#left-- <= 0) return {};
    return this.flat(referredTo(this.#root, ref), new Set([...followed, ref]));
  }

  /** The target of a reference; only its type if it is recursive or cannot be followed. */
  #target(ref: string, followed: FollowedReferences): Expanded {
    const target = referredTo(this.#root, ref);
    if (target !== undefined && !followed.has(ref) && this.#left-- > 0)
      return this.expanded(target, new Set([...followed, ref]));
    const { type } = wellFormed(target);
    return { schema: type === undefined ? {} : { type }, followed };
  }

  #keeps(ref: string): boolean {
    const target = definitionOf(ref) === undefined ? undefined : referredTo(this.#root, ref);
    return this.#family.refs && (isRecord(target) || typeof target === "boolean");
  }
}

/** Rewrites alternatives, constants, tuples and nullable types for a family, with the same or a weaker meaning. */
function inWords(schema: JsonObject, family: SchemaFamily): JsonObject {
  const steps = [withoutOneOf, withoutConst, withoutTuple, withoutNullable];
  return steps.reduce((said, step) => step(said, family), schema);
}

function withoutOneOf(schema: JsonObject, family: SchemaFamily): JsonObject {
  if (schema["oneOf"] === undefined || takes(family, "oneOf")) return schema;
  const { oneOf, anyOf = oneOf, ...rest } = schema;
  return { ...rest, ...(anyOf !== undefined && { anyOf }) };
}

function withoutConst(schema: JsonObject, family: SchemaFamily): JsonObject {
  const { const: value, ...rest } = schema;
  return value === undefined || takes(family, "const") ? schema : { ...rest, enum: [value] };
}

function withoutTuple(schema: JsonObject, family: SchemaFamily): JsonObject {
  const { prefixItems, items, ...rest } = schema;
  if (prefixItems === undefined || takes(family, "prefixItems")) return schema;
  const { maxItems } = rest;
  const isClosed = items === false || (typeof maxItems === "number" && maxItems <= listOf(prefixItems).length);
  if (!isClosed && (items === undefined || items === true)) return rest;
  const anyOf = [...listOf(prefixItems), ...(isClosed || items === undefined ? [] : [items])];
  return { ...rest, items: { anyOf } };
}

/** Replaces OpenAPI's `nullable` for families that use JSON Schema's null type. */
function withoutNullable(schema: JsonObject, family: SchemaFamily): JsonObject {
  const { nullable, type, ...rest } = schema;
  if (nullable !== true || family.keywords === "all" || family.nulls === "nullable") return schema;
  const types = typesOf(schema);
  return types === undefined ? rest : { ...rest, type: [...new Set([...types, "null"])] };
}
