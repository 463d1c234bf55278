import type { Node } from "jsonc-parser";
import { valueAt } from "../../arguments/json-pointer.ts";
import { isRecord } from "../../record.ts";
import { quoted } from "../../report.ts";
import { closest, didYouMean } from "../../suggestion.ts";
import type { JsonSchema } from "../../types/json.ts";
import { type PlacedMember, placedMembers } from "../json/placed-members.ts";
import { checkKeyword } from "./check-keyword.ts";
import { keywordKinds, limitPairs, otherDialects } from "./keywords.ts";
import type { SchemaPlace, SchemaReading } from "./schema-place.ts";

/** How many names of one list are reported: each is compared with all properties. */
const mostNames = 10;

/** Reports what is wrong in a schema and in all schemas within it, each at its place. */
export function checkSchema({ node, path }: SchemaPlace, reading: SchemaReading): void {
  if (node.type === "boolean") return;
  if (node.type !== "object") {
    const message = `unexpected ${node.type}, expected a schema: an object, true or false`;
    reading.mistake(node, { rule: "schema-keyword", message, hint: 'write one such as `{"type": "string"}`' });
    return;
  }
  const members = placedMembers(node);
  for (const member of members) checkMember(member, path, reading);
  checkLimits(members, reading);
  checkRequired(members, reading);
  noteDefault(members, path, reading);
}

function checkMember({ name, key, value }: PlacedMember, path: readonly string[], reading: SchemaReading): void {
  const kind = keywordKinds.get(name);
  if (kind === undefined) {
    reportUnknown(name, key, reading);
    return;
  }
  const inner = checkKeyword({ name, kind, value }, reading);
  for (const schema of inner) checkSchema({ node: schema.node, path: [...path, name, ...schema.path] }, reading);
}

/** JSON Schema ignores unknown keywords, but an author hardly writes one without a purpose. */
function reportUnknown(name: string, key: Node, reading: SchemaReading): void {
  const near = closest(name, keywordKinds.keys());
  if (name.startsWith("x-")) return;
  const message = `unexpected keyword ${quoted(name)}, expected one of JSON Schema 2020-12`;
  const otherwise = near === undefined ? "remove it: it has no effect" : `did you mean \`${near}\`?`;
  const hint = otherDialects.get(name) ?? otherwise;
  reading.mistake(key, { rule: "schema-unknown-keyword", message, hint });
}

function checkLimits(members: readonly PlacedMember[], reading: SchemaReading): void {
  const numberAt = (name: string): number | undefined => {
    const value: unknown = members.find((member) => member.name === name)?.value.value;
    return typeof value === "number" ? value : undefined;
  };
  for (const [least, greatest] of limitPairs) {
    const [low, high] = [numberAt(least), numberAt(greatest)];
    const place = members.find((member) => member.name === greatest);
    if (low === undefined || high === undefined || low <= high || place === undefined) continue;
    const message = `unexpected \`${greatest}\` of ${high} below \`${least}\` of ${low}, expected at least ${low}`;
    reading.mistake(place.value, { rule: "schema-keyword", message, hint: "swap the two, or correct one of them" });
  }
}

/** A required name that no property has is possible, and next to always a misspelling. */
function checkRequired(members: readonly PlacedMember[], reading: SchemaReading): void {
  const required = members.find(({ name }) => name === "required")?.value;
  const properties = members.find(({ name }) => name === "properties")?.value;
  if (required === undefined || properties?.type !== "object") return;
  const names = new Set(placedMembers(properties).map(({ name }) => name));
  const missing = (required.children ?? []).filter(({ value }) => typeof value === "string" && !names.has(value));
  for (const item of missing.slice(0, mostNames)) {
    const message = `unexpected ${quoted(String(item.value))} in \`required\`, expected the name of a property`;
    const hint = didYouMean(String(item.value), names, "declare it under `properties`");
    reading.mistake(item, { rule: "schema-keyword", severity: "warning", message, hint });
  }
}

/** Notes a default, to be checked with all others. */
function noteDefault(members: readonly PlacedMember[], path: readonly string[], reading: SchemaReading): void {
  const node = members.find(({ name }) => name === "default")?.value;
  const schema = valueAt(reading.root, path);
  if (node !== undefined && isSchema(schema)) reading.defaults.push({ node, schema });
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}
