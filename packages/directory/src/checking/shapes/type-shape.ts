import type { JsonValue } from "@mdx-ai/parser";

/** What a JSON Schema says about a value, as far as a TypeScript type can express it. */
export type TypeShape =
  /** Anything, or more than a type can express. */
  | { readonly kind: "unknown" }
  /** A type in one word, such as `string`, `null` or `"celsius"`. */
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "choice"; readonly shapes: readonly TypeShape[] }
  | { readonly kind: "array"; readonly items: TypeShape }
  | ObjectShape;

export interface ObjectShape {
  readonly kind: "object";
  readonly members: readonly MemberShape[];
  /** The type of further members; absent if there can be none. */
  readonly rest?: TypeShape;
}

/** Whether a member must be given, may be omitted, or has a default. */
type Presence = "required" | "optional" | "defaulted";

export interface MemberShape {
  readonly name: string;
  readonly presence: Presence;
  readonly shape: TypeShape;
  /** May be empty. */
  readonly description: string;
  readonly default?: JsonValue;
}

/** A shape without null, and whether null was one of its values. */
export function splitNull(shape: TypeShape): { readonly shape: TypeShape; readonly isNullable: boolean } {
  if (shape.kind !== "choice") return { shape, isNullable: false };
  const rest = shape.shapes.filter((one) => !isNull(one));
  if (rest.length === shape.shapes.length || rest.length === 0) return { shape, isNullable: false };
  return { shape: choiceOf(rest), isNullable: true };
}

/** The shapes as one. */
export function choiceOf(shapes: readonly TypeShape[]): TypeShape {
  const flat = shapes.flatMap((shape) => (shape.kind === "choice" ? shape.shapes : [shape]));
  const [first] = flat;
  if (first === undefined || flat.some(({ kind }) => kind === "unknown")) return { kind: "unknown" };
  return flat.length === 1 ? first : { kind: "choice", shapes: flat };
}

const isNull = (shape: TypeShape): boolean => shape.kind === "word" && shape.text === "null";
