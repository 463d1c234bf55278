import { jsonText } from "../../text/json-text.ts";
import type { MemberShape, ObjectShape, TypeShape } from "./type-shape.ts";

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
