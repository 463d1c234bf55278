import { type AgentDefinition, parametersSchema, type ToolDefinition } from "@mdx-ai/parser";
import { jsonText, plainLine } from "../text.ts";
import { AUTHOR_TYPES } from "./author-types.ts";
import { type MemberShape, memberText, type ObjectShape, restText, schemaShape } from "./type-shape.ts";

/** The file that `mdx-ai types` writes into an agent directory. */
export const TYPES_FILE = "agent.d.ts";

/** The first line of the file. A file without it was not generated. */
export const TYPES_MARK = "// Written by `mdx-ai types`: a change here is lost with the next run.";

/** The types of an agent's tools and their context, in one self-contained file. */
export function typesFile({ tools }: Pick<AgentDefinition, "tools">): string {
  const names = interfaceNames(tools.map(({ name }) => name));
  const interfaces = tools.map((tool, index) => paramsText(tool, names[index] ?? ""));
  return [`${TYPES_MARK}\n`, ...interfaces, AUTHOR_TYPES].join("\n");
}

/** A name for each tool, such as `GetWeatherParams`; duplicates are numbered. */
function interfaceNames(tools: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const base = pascalCase(tool);
    let name = `${base}Params`;
    for (let number = 2; taken.has(name); number++) name = `${base}${number}Params`;
    taken.add(name);
    return name;
  });
}

function pascalCase(name: string): string {
  const words = name.match(/[\p{ID_Continue}]+/gu)?.flatMap((part) => part.split("_")) ?? [];
  const joined = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  return /^\p{ID_Start}/u.test(joined) ? joined : `Tool${joined}`;
}

function paramsText(tool: ToolDefinition, name: string): string {
  const shape = schemaShape(parametersSchema(tool));
  const lines = [...shape.members.flatMap(memberLines), ...restLines(shape)].map((line) => `  ${line}\n`);
  return `${commentText(`What the tool ${tool.name} takes.`)}\nexport interface ${name} {\n${lines.join("")}}\n`;
}

function memberLines(member: MemberShape): readonly string[] {
  const { description, default: preset } = member;
  const said = [
    ...(description === "" ? [] : [description]),
    ...(preset === undefined ? [] : [`Default: ${jsonText(preset)}`]),
  ];
  const comment = said.length === 0 ? [] : [commentText(said.join(" "))];
  return [...comment, `${memberText(member)};`];
}

function restLines(shape: ObjectShape): readonly string[] {
  const rest = restText(shape);
  return rest === undefined ? [] : [`${rest};`];
}

/** A comment on one line that the text cannot end. */
const commentText = (text: string): string => `/** ${plainLine(text).replaceAll("*/", "*\\/")} */`;
