import { isRecord, type JsonObject } from "@mdx-ai/base";
import { parametersSchema, type ToolDefinition } from "@mdx-ai/parser";

/** The parameters of a tool as a table of Markdown; "" without parameters. */
export function parameterTable(tool: ToolDefinition): string {
  const { properties, required } = parametersSchema(tool);
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const rows = Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => {
    const facts = isRecord(schema) ? schema : {};
    const description = typeof facts["description"] === "string" ? facts["description"] : "";
    const kind = `${typeOf(facts)}${names.includes(name) ? "" : ", optional"}`;
    return `| \`${name}\` | ${cell(kind)} | ${cell([description, ...limitsOf(facts)].filter((one) => one !== "").join("; "))} |\n`;
  });
  return rows.length === 0 ? "" : `| parameter | type | meaning |\n| --- | --- | --- |\n${rows.join("")}`;
}

function typeOf({ type, items }: Readonly<Record<string, unknown>>): string {
  const name = [type ?? "any"].flat().map(String).join(" or ");
  return isRecord(items) && items["type"] !== undefined ? `${name} of ${String(items["type"])}` : name;
}

function limitsOf(facts: Readonly<Record<string, unknown>>): readonly string[] {
  const { enum: choices, minimum, maximum } = facts;
  return [
    ...(Array.isArray(choices) ? [`one of ${choices.map((one) => `\`${JSON.stringify(one)}\``).join(", ")}`] : []),
    ...(minimum === undefined ? [] : [`at least ${String(minimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${String(maximum)}`]),
    ...("default" in facts ? [`default \`${JSON.stringify(facts["default"])}\``] : []),
  ];
}

/** A text in a cell of a table. */
export const cell = (text: string): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();

/** Arguments for an example of a call: those of the first good example, else one for each required parameter. */
export function sampleArguments(tool: ToolDefinition): JsonObject {
  const shown = tool.examples.find(({ expected }) => expected?.type !== "error");
  if (shown !== undefined) return shown.arguments;
  const required = tool.parameters.filter((parameter) => parameter.required);
  return Object.fromEntries(
    required.map(({ name, type, enum: choices }) => [name, choices?.[0] ?? SAMPLES[type] ?? "…"]),
  );
}

const SAMPLES: Readonly<Record<string, string | number | boolean>> = { number: 1.5, integer: 1, boolean: true };
