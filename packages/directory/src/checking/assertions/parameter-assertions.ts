import { shortened } from "@mdx-ai/parser/visible-text";
import { jsonText } from "../../text/json-text.ts";
import {
  type MemberShape,
  memberText,
  type ObjectShape,
  splitNull,
  type TypeShape,
  typeText,
} from "../shapes/type-shape.ts";
import { accepts } from "./assertion-file.ts";

/** An assertion about a part of the type of a tool's parameters, and what to report if it does not hold. */
export interface ParameterAssertion {
  readonly text: string;
  readonly message: string;
  readonly hint: string;
}

/** States, once for each part of the shape, that the author's type of the parameters says the same. */
export function parameterAssertions(
  shape: ObjectShape,
  type: string,
  hasSchema: boolean,
): readonly ParameterAssertion[] {
  return partAssertions({ shape, type, path: "", declared: typeText(shape), isOptional: false, hasSchema });
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
  readonly hasSchema: boolean;
}

function partAssertions(part: Part): readonly ParameterAssertion[] {
  const { shape, isNullable } = splitNull(part.shape);
  const { type, path, declared, hasSchema } = part;
  const absent = [isNullable ? "null" : [], part.isOptional ? "undefined" : []].flat();
  const expected = [outline(shape), ...absent].join(" | ");
  const stated = `${view(shape)}<${expected}, ${type}>`;
  const declaration = declarationOf(path, hasSchema);
  const own = {
    text: accepts(stated, expected) + accepts(expected, stated),
    message: `the type of ${named(path)} differs from ${declaration}`,
    hint: `change the type to ${code(declared)}, or change ${declaration}`,
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
  const { shape, type, path, hasSchema } = part;
  const known = shape.members.map(({ name }) => jsonText(name)).join(" | ") || "never";
  const [source, addition] = hasSchema
    ? ["the `json schema` does", "them to the `json schema`"]
    : ["the `<Param>` tags do", "a `<Param>` for each"];
  const others = {
    text: accepts(`Others<${type}, ${known}, ${shape.rest !== undefined}>`, known),
    message: `the type of ${named(path)} has members that ${source} not declare`,
    hint: `remove them from the type, or add ${addition}`,
  };
  return [...shape.members.flatMap((member) => namedAssertions(member, part)), others];
}

function namedAssertions(member: MemberShape, parent: Part): readonly ParameterAssertion[] {
  const part = memberPart(member, parent);
  const declaration = declarationOf(part.path, part.hasSchema);
  const presence = {
    text: accepts(jsonText(member.name), `keyof Members<${parent.type}>`),
    message: `the type of ${named(parent.path)} lacks ${code(member.name)}, unlike ${declaration}`,
    hint: `add ${code(part.declared)} to the type, or remove ${declaration}`,
  };
  return [presence, ...partAssertions(part)];
}

function memberPart(member: MemberShape, { type, path, hasSchema }: Part): Part {
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
    hasSchema,
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

/** What declares the part at a path. */
function declarationOf(path: string, hasSchema: boolean): string {
  const name = path.replaceAll("[]", "");
  if (hasSchema) return name === "" ? "the `json schema`" : `the member ${code(name)} of the \`json schema\``;
  return name === "" ? "the `<Param>` tags" : `the tag \`<Param name=${jsonText(name.split(".").at(-1) ?? name)}>\``;
}

const LONGEST = 160;

const code = (text: string): string => `\`${shortened(text, LONGEST)}\``;
