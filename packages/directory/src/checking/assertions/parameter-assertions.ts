import { shortened } from "@mdx-ai/parser/visible-text";
import { jsonText } from "../../text.ts";
import { type MemberShape, memberText, type ObjectShape, splitNull, type TypeShape, typeText } from "../type-shape.ts";
import { accepts } from "./assertion-file.ts";

/** An assertion about a part of the type of a tool's parameters, and what to report if it does not hold. */
export interface ParameterAssertion {
  readonly text: string;
  readonly message: string;
  readonly hint: string;
}

/** States, once for each part of the shape, that the author's type of the parameters says the same. */
export function parameterAssertions(shape: ObjectShape, type: string, source: string): readonly ParameterAssertion[] {
  return partAssertions({ shape, type, path: "", declared: typeText(shape), isOptional: false, source });
}

/** A part of the parameters. */
interface Part<Shape extends TypeShape = TypeShape> {
  readonly shape: Shape;
  /** The author's type of it. */
  readonly type: string;
  /** As people write it: `filter.city`, `tags[]`; that of the whole is empty. */
  readonly path: string;
  /** What the tool declares, as TypeScript writes it: `city: string`. */
  readonly declared: string;
  readonly isOptional: boolean;
  /** What declares it: "the `json schema`". */
  readonly source: string;
}

function partAssertions(part: Part): readonly ParameterAssertion[] {
  const { shape, isNullable } = splitNull(part.shape);
  const { type, path, declared, source } = part;
  const absent = [isNullable ? "null" : [], part.isOptional ? "undefined" : []].flat();
  const expected = [outline(shape), ...absent].join(" | ");
  const stated = `${view(shape)}<${expected}, ${type}>`;
  const own = {
    text: accepts(stated, expected) + accepts(expected, stated),
    message: `the type of ${named(path)} differs from ${source}`,
    hint: `change the type to ${code(declared)}, or change ${source}`,
  };
  return [own, ...innerAssertions({ ...part, shape })];
}

function innerAssertions(part: Part): readonly ParameterAssertion[] {
  const { shape, type, path } = part;
  if (shape.kind === "object") return memberAssertions({ ...part, shape });
  if (shape.kind !== "array" || shape.items.kind === "unknown") return [];
  const items = { shape: shape.items, type: `Item<${type}>`, path: `${path}[]`, declared: typeText(shape.items) };
  return partAssertions({ ...part, ...items, isOptional: false });
}

function memberAssertions(part: Part<ObjectShape>): readonly ParameterAssertion[] {
  const { shape, type, path, source } = part;
  const known = shape.members.map(({ name }) => jsonText(name)).join(" | ") || "never";
  const others = {
    text: accepts(`Others<${type}, ${known}, ${shape.rest !== undefined}>`, known),
    message: `the type of ${named(path)} has members that are not in ${source}`,
    hint: `remove them from the type, or add them to ${source}`,
  };
  return [...shape.members.flatMap((member) => namedAssertions(member, part)), others];
}

function namedAssertions(member: MemberShape, parent: Part): readonly ParameterAssertion[] {
  const part = memberPart(member, parent);
  const presence = {
    text: accepts(jsonText(member.name), `keyof Members<${parent.type}>`),
    message: `the type of ${named(parent.path)} lacks ${code(member.name)}, which is in ${part.source}`,
    hint: `add ${code(part.declared)} to the type, or remove it from ${part.source}`,
  };
  return [presence, ...partAssertions(part)];
}

function memberPart(member: MemberShape, { type, path, source }: Part): Part {
  const { name, presence, shape } = member;
  const isOptional = presence === "optional";
  const stated = `Member<${type}, ${jsonText(name)}, ${isOptional ? "undefined" : "never"}>`;
  return {
    shape,
    // With a default it is always there, and the type may still say that it is optional.
    type: presence === "defaulted" ? `Exclude<${stated}, undefined>` : stated,
    path: path === "" ? name : `${path}.${name}`,
    declared: memberText(member),
    isOptional,
    source,
  };
}

/** The declared type without items and members. */
function outline(shape: TypeShape): string {
  if (shape.kind === "array") return "unknown[]";
  if (shape.kind === "object") return "object";
  return shape.kind === "unknown" ? "{}" : typeText(shape);
}

/** The type through which the author's type is compared with the outline. */
function view(shape: TypeShape): string {
  if (shape.kind === "choice") return shape.shapes.every(({ kind }) => kind === "word") ? "AsWord" : "AsChoice";
  return { array: "AsArray", object: "AsObject", unknown: "AsUnknown", word: "AsWord" }[shape.kind];
}

const named = (path: string): string => (path === "" ? "the parameters" : code(path));

const LONGEST = 160;

const code = (text: string): string => `\`${shortened(text, LONGEST)}\``;
