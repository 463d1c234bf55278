import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../failures/program-error.ts";
import coder from "./templates/coder/agent.mdx" with { type: "text" };
import review from "./templates/coder/skills/review/SKILL.md" with { type: "text" };
import daily from "./templates/daily/agent.mdx" with { type: "text" };
import heartbeat from "./templates/daily/heartbeat.md" with { type: "text" };
import plan from "./templates/daily/skills/plan/SKILL.md" with { type: "text" };
import minimal from "./templates/minimal/agent.mdx" with { type: "text" };
import tools from "./templates/tools/agent.mdx" with { type: "text" };
import summary from "./templates/tools/skills/summary/SKILL.md" with { type: "text" };

/** A file of a new agent directory; `path` is relative to it. */
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** A working agent to start from. */
interface Template {
  /** Its purpose, for the help. */
  readonly summary: string;
  /** File contents by path. `__NAME__` stands for the agent's name. */
  readonly files: Readonly<Record<string, string>>;
  /** A prompt that shows what it does, without a model. */
  readonly prompt?: string;
  /** Whether it works in the folder where it is started. */
  readonly isForProjects?: true;
}

export type TemplateName = "tools" | "minimal" | "coder" | "daily";

/** The first is the default. */
export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  tools: {
    summary: "one tool with a test, and one skill",
    files: { "agent.mdx": tools, "skills/summary/SKILL.md": summary },
    prompt: 'count_words text="to be or not to be"',
  },
  minimal: { summary: "one file of five lines", files: { "agent.mdx": minimal, "skills/.gitkeep": "" } },
  coder: {
    summary: "works on the code of the project in which you start it",
    files: { "agent.mdx": coder, "skills/review/SKILL.md": review },
    isForProjects: true,
  },
  daily: {
    summary: "wakes every morning and evening, and keeps notes",
    files: { "agent.mdx": daily, "heartbeat.md": heartbeat, "skills/plan/SKILL.md": plan },
    prompt: 'add_note text="began a journal"',
  },
};

export const isTemplateName = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);

/** The .gitignore of a new agent directory. */
export const IGNORED = "# Written by a running agent.\nsessions/\nstate/\nlogs/\n";

/** The files of a new agent with this name. */
export const templateFiles = (template: TemplateName, name: string): readonly TemplateFile[] =>
  Object.entries({ ...TEMPLATES[template].files, ".gitignore": IGNORED }).map(([path, text]) => ({
    path,
    text: text.replaceAll("__NAME__", name),
  }));

/** The content of a directory before it becomes an agent. */
export type Precursor =
  /** Nothing, or only `.git`. */
  | "nothing"
  /** Files that do not belong to an agent. */
  | "other files"
  | "parts of an agent";

/** Inspects the target directory, which may not exist yet. */
export function precursor(directory: string): Precursor {
  const present = existsSync(directory) ? readdirSync(directory).filter((name) => name !== ".git") : [];
  if (PARTS.some((name) => present.includes(name))) return "parts of an agent";
  return present.length === 0 ? "nothing" : "other files";
}

const PARTS: readonly string[] = ["skills", "modules", "tools", "heartbeat.md"];

/** Writes the files. Throws `UsageError` before writing any if one of them exists. */
export function writeTemplate(directory: string, files: readonly TemplateFile[]): void {
  const present = files.map(({ path }) => join(directory, path)).find((path) => existsSync(path));
  if (present !== undefined) throw new UsageError(`${present} already exists; nothing was changed`);
  for (const { path, text } of files) {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    // "wx": does not overwrite a file created in the meantime.
    writeFileSync(target, text, { flag: "wx" });
  }
}
