import { type MemberShape, type ObjectShape, splitNull, type TypeShape, typeText } from "../shapes/type-shape.ts";

/** A question about one part of the type of a tool's parameters. */
export type Question =
  | { readonly kind: "callable" }
  | { readonly kind: "context" }
  | { readonly kind: "type"; readonly path: string; readonly expected: string; readonly member?: MemberShape }
  | { readonly kind: "member"; readonly path: string; readonly member: MemberShape }
  | { readonly kind: "presence"; readonly path: string; readonly member: MemberShape }
  | { readonly kind: "rest"; readonly path: string; readonly known: readonly string[] };

/** A question, with the type that is `"fine"` if the author's type is. */
export interface Probe {
  readonly question: Question;
  readonly type: string;
}

/**
 * The questions about a function `execute` of the type `type` that is called with arguments of a shape. Paths are written
 * as people do: `filter.city`, `tags[]`; that of the whole is empty.
 */
export function executeProbes(type: string, shape: ObjectShape): readonly Probe[] {
  return [
    { question: { kind: "callable" }, type: `AskCallable<${type}>` },
    { question: { kind: "context" }, type: `AskContext<Second<${type}>>` },
    ...objectProbes({ shape, isNullable: false, path: "", type: `First<${type}>` }),
  ];
}

interface Place<Shape extends TypeShape> {
  readonly shape: Shape;
  readonly isNullable: boolean;
  readonly path: string;
  /** The author's type at the path. */
  readonly type: string;
  readonly member?: MemberShape;
}

function shapeProbes(place: Omit<Place<TypeShape>, "isNullable">): readonly Probe[] {
  const { shape, isNullable } = splitNull(place.shape);
  switch (shape.kind) {
    case "unknown":
      return [];
    case "word":
      return [typeProbe(place, (expected) => `AskSame<${expected}, ${place.type}>`)];
    case "choice":
      return [choiceProbe(place, shape.shapes)];
    case "array":
      return [
        typeProbe(place, () => `AskArray<${place.type}, ${isNullable}>`),
        ...shapeProbes({ shape: shape.items, path: `${place.path}[]`, type: `Item<${place.type}>` }),
      ];
    case "object":
      return objectProbes({ ...place, shape, isNullable });
    default:
      return shape satisfies never;
  }
}

/** The author's type must name each of several words; a choice of other types it must accept, and may split in other ways. */
function choiceProbe(place: Omit<Place<TypeShape>, "isNullable">, shapes: readonly TypeShape[]): Probe {
  const question = shapes.every(({ kind }) => kind === "word") ? "AskSame" : "AskTakes";
  return typeProbe(place, (expected) => `${question}<${expected}, ${place.type}>`);
}

function objectProbes(place: Place<ObjectShape>): readonly Probe[] {
  const { shape, isNullable, path, type } = place;
  const known = shape.members.map(({ name }) => name);
  const names = known.length === 0 ? "never" : known.map(literal).join(" | ");
  return [
    typeProbe(place, () => `AskObject<${type}, ${isNullable}>`),
    ...shape.members.flatMap((member) => memberProbes(member, path, type)),
    { question: { kind: "rest", path, known }, type: `AskRest<${type}, ${names}, ${shape.rest !== undefined}>` },
  ];
}

function memberProbes(member: MemberShape, parent: string, type: string): readonly Probe[] {
  const { name, presence, shape } = member;
  const path = parent === "" ? name : `${parent}.${name}`;
  const key = literal(name);
  const isRequired = presence === "required";
  return [
    { question: { kind: "member", path, member }, type: `AskMember<${type}, ${key}>` },
    ...(presence === "defaulted"
      ? []
      : [
          {
            question: { kind: "presence", path, member } as const,
            type: `AskPresence<${type}, ${key}, ${isRequired}>`,
          },
        ]),
    ...shapeProbes({ shape, path, type: `Child<${type}, ${key}>`, member }),
  ];
}

function typeProbe(place: Omit<Place<TypeShape>, "isNullable">, ask: (expected: string) => string): Probe {
  const { path, shape, member } = place;
  const expected = typeText(shape);
  const question = { kind: "type", path, expected, ...(member === undefined ? {} : { member }) } as const;
  return { question, type: ask(expected) };
}

const literal = (name: string): string => JSON.stringify(name);
