import { closest, onlyClosest } from "@mdx-ai/base";
import { quoted, type Report } from "../../report.ts";
import type { ItemType, ParameterDefinition } from "../../types/tool-definition.ts";
import { type Attribute, type Attributes, withValue } from "../attributes.ts";

const itemTypes = ["string", "number", "integer", "boolean", "object"] as const satisfies readonly ItemType[];
/** `enum` is a string with a list of values. */
const itemWords = [...itemTypes, "enum"] as const;
const typeWords = ["string", "number", "integer", "boolean", "enum", "array", "object"] as const;

const otherWords: ReadonlyMap<string, string> = new Map([
  ["str", "string"],
  ["text", "string"],
  ["date", "string"],
  ["int", "integer"],
  ["long", "integer"],
  ["float", "number"],
  ["double", "number"],
  ["decimal", "number"],
  ["bool", "boolean"],
  ["choice", "enum"],
  ["select", "enum"],
  ["list", "array"],
  ["set", "array"],
  ["map", "object"],
  ["dict", "object"],
  ["record", "object"],
  ["json", "object"],
]);

/** What `type` and `items` say about a parameter. */
export interface ParameterKind extends Pick<ParameterDefinition, "type" | "items"> {
  /** Whether the author calls it an enum, so that its values must be listed. */
  readonly isEnum: boolean;
}

/** Reads `type` and `items`, and reports what does not fit; then it is a string, or an array of strings. */
export function readKind(attributes: Attributes, report: Report): ParameterKind {
  const type = attributes.get("type");
  const items = attributes.get("items");
  const word =
    type === undefined ? "string" : (typeWords.find((known) => known === type.value) ?? wrong(type, items, report));
  if (word === "array") return arrayOf(items, type?.offset ?? 0, report);
  if (items !== undefined) {
    const message = `\`items\` of a parameter of type ${quoted(word)}, expected an array`;
    report({ rule: "param-items", offset: items.offset, message, hint: 'write `type="array"`, or remove `items`' });
  }
  return word === "enum" ? { type: "string", isEnum: true } : { type: word, isEnum: false };
}

function wrong(attribute: Attribute, items: Attribute | undefined, report: Report): "string" {
  const written = String(attribute.value).trim();
  const message = `unexpected type ${quoted(written)}, expected one of ${typeWords.join(", ")}`;
  const fix = typeFix(written, attribute, items);
  report({ rule: "param-type", offset: attribute.offset, message, hint: typeHint(written), ...fix });
  return "string";
}

/** The type that the word must mean, if it needs no further attribute. */
function typeFix(written: string, type: Attribute, items: Attribute | undefined): ReturnType<typeof withValue> {
  const [, before, after] = listForm.exec(written) ?? [];
  const inner = before ?? after;
  if (inner !== undefined) {
    const item = itemWords.find((known) => known === meantType(inner));
    return item === undefined || item === "enum" || items !== undefined
      ? {}
      : withValue("type", type, `array" items="${item}`);
  }
  const word = meantType(written);
  const asksMore = word === undefined || word === "enum" || (word === "array" && items === undefined);
  return asksMore ? {} : withValue("type", type, word);
}

const listForm = /^(?:(?:array|list)<(\w+)>|(\w+)\[\])$/i;

function meantType(written: string): string | undefined {
  return otherWords.get(written.toLowerCase()) ?? onlyClosest(written, typeWords);
}

function typeHint(written: string): string {
  const list = listForm.exec(written);
  if (list !== null) return `write \`type="array" items="${list[1] ?? list[2]}"\``;
  if (/[?|]/.test(written)) return 'write `nullable` for null, `required="false"` for an optional parameter';
  const near = otherWords.get(written.toLowerCase()) ?? closest(written, typeWords);
  return near === undefined ? "write one of them" : `did you mean \`${near}\`?`;
}

function arrayOf(items: Attribute | undefined, offset: number, report: Report): ParameterKind {
  const word = itemWords.find((known) => known === items?.value);
  if (word === "enum") return { type: "array", items: "string", isEnum: true };
  if (word !== undefined) return { type: "array", items: word, isEnum: false };
  const expected = `expected \`items\` to be one of ${itemWords.join(", ")}`;
  if (items === undefined) {
    const message = `array without \`items\`, ${expected}`;
    report({ rule: "param-items", offset, message, hint: 'write `items="string"` for a list of strings' });
  } else {
    const written = String(items.value);
    const near = otherWords.get(written.toLowerCase()) ?? closest(written, itemWords);
    const isKnown = itemWords.some((known) => known === near);
    const hint = isKnown ? `did you mean \`${near}\`?` : "describe it with a `json schema` block";
    const message = `unexpected ${quoted(written)}, ${expected}`;
    const fix = isKnown && near !== undefined && near !== "enum" ? withValue("items", items, near) : {};
    report({ rule: "param-items", offset: items.offset, message, hint, ...fix });
  }
  return { type: "array", items: "string", isEnum: false };
}
