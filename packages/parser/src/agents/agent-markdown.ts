import { basename } from "node:path/posix";
import { lineText } from "@mdx-ai/base";
import { type AgentFile, diskDiagnostics, textToParse } from "../agent-files.ts";
import { type MarkdownFile, readMarkdownFile } from "../frontmatter.ts";
import { locate, quoted } from "../report.ts";
import { SourceText } from "../source-text.ts";
import type { Diagnostic } from "../types/diagnostic.ts";
import type { SubagentDefinition } from "../types/subagent-definition.ts";

/** Agents that files declare, and what is wrong with them. */
export interface ParsedAgentFiles {
  readonly agents: readonly SubagentDefinition[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The agents of the Markdown files in `agents/`, in the forms of Claude Code and opencode. A file without a description is no agent; a
 * mistake in a file costs the agent that file alone. `taken` are the names of tools and of agents in agent.mdx.
 */
export function parseAgentMarkdown(files: readonly AgentFile[], taken: readonly string[]): ParsedAgentFiles {
  const names = new Set(taken);
  const read = files.map((file) => readFile(file, names));
  return {
    agents: read.flatMap(({ agents }) => agents),
    diagnostics: [...files.flatMap(diskDiagnostics), ...read.flatMap(({ diagnostics }) => diagnostics)],
  };
}

function readFile(file: AgentFile, names: Set<string>): ParsedAgentFiles {
  const text = textToParse(file);
  if (text === undefined) return { agents: [], diagnostics: [] };
  const source = readMarkdownFile(new TextEncoder().encode(text));
  const { fields, body } = source;
  if (fields["mode"] === "primary" || fields["disable"] === true) return { agents: [], diagnostics: [] };
  const name = textIn(source, "name") ?? basename(file.path, ".md");
  const description = textIn(source, "description");
  const problem = (rule: "agent-description" | "agent-name-duplicate", message: string, hint: string) => ({
    agents: [],
    diagnostics: [locate({ rule, severity: "warning", offset: 0, message, hint }, new SourceText(text), file.path)],
  });
  if (description === undefined || body === "") {
    const hint = "write `---`, `description: …`, `---` and its prompt, or move the file out of `agents/`";
    return problem("agent-description", "the file is not an agent: it needs a description and a prompt", hint);
  }
  if (names.has(name)) {
    const message = `a tool or an earlier agent already has the name ${quoted(name)}`;
    return problem("agent-name-duplicate", message, "rename the agent");
  }
  names.add(name);
  const isBackground = fields["background"] === true;
  const agent: SubagentDefinition = {
    ...{ name, description, src: file.path, file: file.path, position: { line: 1, column: 1 } },
    ...(isBackground && { background: true }),
  };
  return { agents: [agent], diagnostics: [] };
}

function textIn({ fields }: MarkdownFile, key: string): string | undefined {
  const value = fields[key];
  const text = typeof value === "string" ? lineText(value).trim() : "";
  return text === "" ? undefined : text;
}
