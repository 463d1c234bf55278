import type { Node } from "jsonc-parser";
import type { Code } from "mdast";
import { isJsonObject } from "../../record.ts";
import { quoted, type Report } from "../../report.ts";
import { rules } from "../../rules.ts";
import type { SourceText } from "../../source-text.ts";
import type { JsonSchema } from "../../types/json.ts";
import { type JsonMember, jsonMembers, type LocatedJson, readLocatedJson } from "../located-json.ts";
import { readCode } from "../tool-code.ts";
import { checkSchema } from "./check-schema.ts";

const acceptedName = /^[a-zA-Z0-9_.-]{1,64}$/;
/** Providers reject these at the top level. */
const alternatives = ["allOf", "anyOf", "oneOf"] as const;
const form = '{"type": "object", "properties": {…}}';

/** Reads a block of `json schema` and reports what is wrong with it; undefined if no tool could use it. */
export function readSchemaBlock(block: Code, source: SourceText, report: Report): JsonSchema | undefined {
  const { code, offsetOf } = readCode(block, source);
  const json = readLocatedJson(code.text);
  if ("message" in json) {
    const hint = "JSON needs double quotes around keys and strings, and allows no comments and no trailing commas";
    report({ rule: "schema-json", offset: offsetOf(json.offset), message: json.message, hint });
    return undefined;
  }
  return schemaOf(json, (problem) => report({ ...problem, offset: offsetOf(problem.offset) }));
}

function schemaOf({ value, node }: LocatedJson, report: Report): JsonSchema | undefined {
  if (!isJsonObject(value) || value["type"] !== "object") {
    reportShape(node, report);
    return undefined;
  }
  let isSound = true;
  checkSchema({ value, node }, value, (at, mistake) => {
    isSound &&= (mistake.severity ?? rules[mistake.rule]) === "warning";
    report({ ...mistake, offset: at.offset });
  });
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
    if (!acceptedName.test(property.name)) reportName(property.name, property.key.offset, report);
  }
}

function reportAlternatives(name: string, offset: number, report: Report): void {
  const message = `unexpected ${quoted(name)} at the top of the schema, expected it within a property`;
  const hint = "describe the rule in the description and check it in `execute`: model providers reject it here";
  report({ rule: "schema-shape", severity: "warning", offset, message, hint });
}

function reportName(name: string, offset: number, report: Report): void {
  const message = `unexpected parameter name ${quoted(name)}, expected at most 64 of a-z, A-Z, 0-9, "_", "." and "-"`;
  report({ rule: "param-name-form", offset, message, hint: "rename it: model providers reject other parameter names" });
}
