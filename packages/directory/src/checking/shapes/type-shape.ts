import type { JsonValue } from "@mdx-ai/parser";
import { jsonText } from "../../text/json-text.ts";

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

/** A shape as TypeScript writes it, on one line: `{ city: string; month?: number }`. */
export function typeText(shape: TypeShape): string {
  switch (shape.kind) {
    case "unknown":
      return "unknown";
    case "word":
      return shape.text;
    case "choice":
      return [...new Set(shape.shapes.map(typeText))].join(" | ");
    case "array":
      return shape.items.kind === "choice" ? `(${typeText(shape.items)})[]` : `${typeText(shape.items)}[]`;
    case "object":
      return objectText(shape);
    default:
      return shape satisfies never;
  }
}

/** One member: `month?: number`. */
export const memberText = ({ name, presence, shape }: MemberShape): string =>
  `${memberName(name)}${presence === "optional" ? "?" : ""}: ${typeText(shape)}`;

/** The index signature for the further members of an object, if there can be any. */
export function restText({ members, rest }: ObjectShape): string | undefined {
  if (rest === undefined) return undefined;
  // An index signature must also accept the named members.
  return `[key: string]: ${members.length === 0 ? typeText(rest) : "unknown"}`;
}

function objectText(shape: ObjectShape): string {
  const rest = restText(shape);
  const inner = [...shape.members.map(memberText), ...(rest === undefined ? [] : [rest])];
  return inner.length === 0 ? "Record<string, never>" : `{ ${inner.join("; ")} }`;
}

const memberName = (name: string): string =>
  /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? name : jsonText(name);
