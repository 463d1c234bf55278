import { basename } from "node:path/posix";
import { isList, isRecord, lineText } from "@mdx-ai/base";
import { type AgentFile, diskDiagnostics, textToParse } from "../agent-files.ts";
import { type MarkdownFile, readMarkdownFile } from "../frontmatter.ts";
import { locate, quoted } from "../report.ts";
import { SourceText } from "../source-text.ts";
import { HOOK_EVENTS } from "../types/agent-settings.ts";
import type { Diagnostic, Parsed } from "../types/diagnostic.ts";
import type { SubagentDefinition } from "../types/subagent-definition.ts";

/**
 * The agents of the Markdown files in `agents/`, in the forms of Claude Code and opencode. A file without a description is no agent; a
 * mistake in a file costs the agent that file alone. `taken` are the names of tools and of agents in agent.mdx.
 */
export function parseAgentMarkdown(
  files: readonly AgentFile[],
  taken: readonly string[],
): Parsed<readonly SubagentDefinition[]> {
  const names = new Set(taken);
  const read = files.map((file) => readFile(file, names));
  return {
    definition: read.flatMap(({ definition }) => definition ?? []),
    diagnostics: [...files.flatMap(diskDiagnostics), ...read.flatMap(({ diagnostics }) => diagnostics)],
  };
}

function readFile(file: AgentFile, names: Set<string>): Parsed<SubagentDefinition | undefined> {
  const text = textToParse(file);
  if (text === undefined) return { definition: undefined, diagnostics: [] };
  const source = readMarkdownFile(new TextEncoder().encode(text));
  const { fields, body } = source;
  if (fields["mode"] === "primary" || fields["disable"] === true) return { definition: undefined, diagnostics: [] };
  const name = textIn(source, "name") ?? basename(file.path, ".md");
  const description = textIn(source, "description");
  const problem = (rule: "agent-description" | "agent-name-duplicate", message: string, hint: string) => ({
    definition: undefined,
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
  const definition: SubagentDefinition = {
    ...{ name, description, src: file.path, file: file.path, position: { line: 1, column: 1 } },
    ...(isBackground && { background: true }),
  };
  return { definition, diagnostics: ignoredHooks(file.path, text, fields["hooks"]) };
}

/** Warns about hooks that never run here: those of unknown events, and those that are no commands. */
function ignoredHooks(path: string, text: string, hooks: unknown): readonly Diagnostic[] {
  const source = new SourceText(text);
  const warning = (event: string, message: string, hint: string): Diagnostic => {
    const offset = Math.max(0, text.indexOf(event));
    return locate({ rule: "setting-unknown", severity: "warning", offset, message, hint }, source, path);
  };
  return Object.entries(isRecord(hooks) ? hooks : {}).flatMap(([event, groups]) => {
    if (!HOOK_EVENTS.some((name) => name === event))
      return [
        warning(
          event,
          `hooks of ${quoted(event)} never run: there is no such event`,
          `events are ${HOOK_EVENTS.join(", ")}`,
        ),
      ];
    const isRun = isList(groups, (group) => isRecord(group) && isList(group["hooks"], isCommand));
    return isRun ? [] : [warning(event, `a hook of ${quoted(event)} never runs: it is not a command`, COMMAND_HOOK)];
  });
}

const isCommand = (hook: unknown): boolean =>
  isRecord(hook) && hook["type"] === "command" && typeof hook["command"] === "string";

const COMMAND_HOOK = "write `{type: command, command: …}` in a list `hooks`";

function textIn({ fields }: MarkdownFile, key: string): string | undefined {
  const value = fields[key];
  const text = typeof value === "string" ? lineText(value).trim() : "";
  return text === "" ? undefined : text;
}
