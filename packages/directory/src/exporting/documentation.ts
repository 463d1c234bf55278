import { shellWord } from "@mdx-ai/base";
import type { AgentDefinition } from "@mdx-ai/parser";
import { variablesOf } from "./mcp-configuration.ts";
import { cell, parameterTable, sampleArguments } from "./tool-text.ts";

/** A page of documentation about an agent, in Markdown, for people who use it. */
export function documentation(definition: AgentDefinition, directory: string): string {
  const { identity, settings } = definition;
  const description = settings.description ?? identity.purpose;
  const parts = [
    `# ${identity.name}`,
    description,
    ...(identity.purpose !== "" && identity.purpose !== description ? [section("Purpose", identity.purpose)] : []),
    listed("What it does", identity.capabilities),
    listed("What it never does", identity.constraints),
    usage(directory),
    toolsPart(definition, directory),
    skillsPart(definition),
    serversPart(definition),
    schedulePart(definition),
    listed(
      "Variables that it needs",
      variablesOf(definition).map((name) => `\`${name}\``),
    ),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const section = (title: string, body: string): string => (body === "" ? "" : `## ${title}\n\n${body}`);

const listed = (title: string, items: readonly string[]): string =>
  section(title, items.map((item) => `- ${item}`).join("\n"));

function usage(directory: string): string {
  const word = shellWord(directory);
  return section(
    "Use",
    `\`\`\`sh\nmdx-ai ${word}                 # a conversation\nmdx-ai ${word} -p "…"          # one prompt\nmdx-ai mcp-server ${word}      # its tools, for other agents\n\`\`\``,
  );
}

function toolsPart({ tools }: AgentDefinition, directory: string): string {
  const texts = tools.map((tool) => {
    const args = JSON.stringify(sampleArguments(tool));
    const call = `mdx-ai tool ${shellWord(directory)} ${shellWord(tool.name)}${args === "{}" ? "" : ` --json ${shellWord(args)}`}`;
    const parts = [
      `### \`${tool.name}\``,
      tool.description,
      parameterTable(tool).trimEnd(),
      `\`\`\`sh\n${call}\n\`\`\``,
    ];
    return parts.filter((part) => part !== "").join("\n\n");
  });
  return section("Tools", texts.join("\n\n"));
}

function skillsPart({ skills }: AgentDefinition): string {
  const rows = skills.map(({ name, description }) => `| ${cell(name)} | ${cell(description)} |`);
  return section(
    "Skills",
    rows.length === 0 ? "" : ["| skill | what it is for |", "| --- | --- |", ...rows].join("\n"),
  );
}

const serversPart = ({ settings: { mcp = {} } }: AgentDefinition): string =>
  listed(
    "MCP servers",
    Object.entries(mcp).map(
      ([name, { command, args = [], url }]) => `\`${name}\`: \`${url ?? [command, ...args].join(" ")}\``,
    ),
  );

const schedulePart = ({ heartbeat }: AgentDefinition): string =>
  listed("What it does by itself", [
    ...(heartbeat?.onWake ?? []),
    ...(heartbeat?.routines ?? []).map(({ name }) => name),
  ]);
