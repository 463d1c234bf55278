import type { SourcePoint } from "@mdx-ai/parser";
import type { ReportLint } from "./linted-file.ts";
import { meantWord } from "./spelling.ts";

/** The documented tools of Claude Code, with those of earlier versions. */
export const CLAUDE_TOOLS: readonly string[] = [
  ...["Agent", "AskUserQuestion", "Bash", "BashOutput", "Cd", "Config", "CronCreate", "CronDelete", "CronList"],
  ...["Edit", "EnterPlanMode", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob", "Grep", "KillBash"],
  ...["KillShell", "ListMcpResources", "ListMcpResourcesTool", "LS", "LSP", "Monitor", "MultiEdit", "NotebookEdit"],
  ...["NotebookRead", "PowerShell", "Read", "ReadMcpResource", "ReadMcpResourceTool", "RemoteTrigger"],
  ...["SendMessage", "Skill", "SlashCommand", "Task", "TaskCreate", "TaskGet", "TaskList", "TaskOutput"],
  ...["TaskStop", "TaskUpdate", "TeamCreate", "TeamDelete", "TodoRead", "TodoWrite", "ToolSearch", "WebFetch"],
  ...["WebSearch", "Write", "Artifact", "Workflow"],
];

/** Characters of a list that are read. */
const MAX_LENGTH = 10_000;

/** The tools of a list in any of its forms: `Bash(git *), Read`, or a list of YAML. */
export function listedTools(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts
    .filter((text) => typeof text === "string")
    .flatMap(
      (text) =>
        text
          .slice(0, MAX_LENGTH)
          .replace(/^\s*\[|\]\s*$/g, "")
          .match(/(?:\([^)]*\)|[^,(])+/g) ?? [],
    )
    .map((text) => text.trim().replace(/^["'`]|["'`]$/g, ""))
    .filter((text) => text !== "");
}

interface ToolPlace {
  /** The key that holds the tools. */
  readonly key: string;
  readonly at: SourcePoint;
}

/** Reports tools of Claude Code whose names are misspelt or unknown: their names count with their case. */
export function lintTools(tools: readonly string[], { key, at }: ToolPlace, report: ReportLint): void {
  for (const tool of tools) {
    const name = tool.replace(/\(.*$/s, "").trim();
    if (/^mcp__|[*:]/.test(name) || CLAUDE_TOOLS.includes(name) || /^all(?: tools)?$/i.test(name)) continue;
    const words = name.split(/\s+/);
    if (words.length > 1 && words.every((word) => CLAUDE_TOOLS.includes(word))) {
      const hint = `write \`${key}: ${words.join(", ")}\``;
      report("tool-misspelt", {
        at,
        message: `the tools of \`${key}\` are not separated by commas: \`${name}\``,
        hint,
      });
      continue;
    }
    const meant = meantWord(name, CLAUDE_TOOLS);
    if (meant !== undefined) {
      const message = `unexpected tool \`${name}\` in \`${key}\`, expected \`${meant}\``;
      report("tool-misspelt", { at, message, hint: `write \`${meant}\`: the case of a tool's name counts` });
    } else {
      const hint = "check its name; a tool of an MCP server is `mcp__SERVER__TOOL`";
      report("tool-unknown", { at, message: `\`${name}\` in \`${key}\` is not a documented tool`, hint });
    }
  }
}
