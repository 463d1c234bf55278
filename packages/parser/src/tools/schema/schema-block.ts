import { isJsonObject, type JsonSchema } from "@mdx-ai/base";
import { type JsonMember, jsonMembers, type LocatedJson } from "@mdx-ai/base/json";
import type { Node } from "jsonc-parser";
import type { Code } from "mdast";
import { readJsonBlock } from "../../markdown/code-block.ts";
import { quoted, type Report } from "../../report.ts";
import type { SourceText } from "../../source-text.ts";
import { checkParameterName } from "../parameter/parameter.ts";
import { checkSchema } from "./check-schema.ts";

/** Providers reject these at the top level. */
const alternatives = ["allOf", "anyOf", "oneOf"] as const;
const form = '{"type": "object", "properties": {…}}';

/** Reads a block of `json schema` and reports what is wrong with it; undefined if no tool could use it. */
export const readSchemaBlock = (block: Code, source: SourceText, report: Report): JsonSchema | undefined =>
  readJsonBlock(block, { source, report, rule: "schema-json" }, schemaOf);

function schemaOf(json: LocatedJson, report: Report): JsonSchema | undefined {
  const { value, node } = json;
  if (!isJsonObject(value) || value["type"] !== "object") {
    reportShape(node, report);
    return undefined;
  }
  const isSound = checkSchema(json, value, (at, mistake) => report({ ...mistake, offset: at.offset }));
  for (const member of jsonMembers(node)) reportForProviders(member, report);
  return isSound ? value : undefined;
}

function reportShape(node: Node, report: Report): void {
  const type = jsonMembers(node).find(({ name }) => name === "type")?.value;
  const found = node.type === "object" ? "schema without a type" : node.type;
  report({
    rule: "schema-shape",
    offset: (type ?? node).offset,
    message: `unexpected ${type === undefined ? found : "type"}, expected \`"type": "object"\`: a tool takes named parameters`,
    hint: `write \`${form}\``,
  });
}

/** What JSON Schema allows at the top level and model providers reject. */
function reportForProviders({ name, key, value }: JsonMember, report: Report): void {
  if (alternatives.some((alternative) => alternative === name)) reportAlternatives(name, key.offset, report);
  for (const property of name === "properties" ? jsonMembers(value) : []) {
    checkParameterName(property.name, property.key.offset, report);
  }
}

function reportAlternatives(name: string, offset: number, report: Report): void {
  const message = `unexpected ${quoted(name)} at the top of the schema, expected it within a property`;
  const hint = "describe the rule in the description and check it in `execute`: model providers reject it here";
  report({ rule: "schema-shape", severity: "warning", offset, message, hint });
}
