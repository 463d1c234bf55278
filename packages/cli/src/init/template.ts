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

/** A file of a new agent directory; its path is relative to the directory. */
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** An agent to start from, which works as it is. */
interface Template {
  /** Its purpose, for the help. */
  readonly summary: string;
  /** Its files, by their paths. `__NAME__` is the name of the agent. */
  readonly files: Readonly<Record<string, string>>;
  /** A prompt that demonstrates it without a model. */
  readonly prompt?: string;
  /** It works in the folder in which it is started. */
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

/** The .gitignore of an agent directory. */
export const IGNORED = "# Written by a running agent.\nsessions/\nstate/\nlogs/\n";

/** The files of a new agent of this name. */
export const templateFiles = (template: TemplateName, name: string): readonly TemplateFile[] =>
  Object.entries({ ...TEMPLATES[template].files, ".gitignore": IGNORED }).map(([path, text]) => ({
    path,
    text: text.replaceAll("__NAME__", name),
  }));

/** What a directory contained before it became an agent. */
export type Precursor =
  /** Nothing, or only `.git`. */
  | "nothing"
  /** Files that do not belong to an agent. */
  | "other files"
  | "parts of an agent";

/** Inspects a directory that is to become an agent; it may not exist yet. */
export function precursor(directory: string): Precursor {
  const present = existsSync(directory) ? readdirSync(directory).filter((name) => name !== ".git") : [];
  if (PARTS.some((name) => present.includes(name))) return "parts of an agent";
  return present.length === 0 ? "nothing" : "other files";
}

const PARTS: readonly string[] = ["skills", "modules", "tools", "heartbeat.md"];

/** Writes the files. If one of them exists, throws `UsageError` before writing any. */
export function writeTemplate(directory: string, files: readonly TemplateFile[]): void {
  const present = files.map(({ path }) => join(directory, path)).find((path) => existsSync(path));
  if (present !== undefined) throw new UsageError(`${present} already exists; nothing was changed`);
  for (const { path, text } of files) {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    // "wx": a file that appeared meanwhile is not overwritten either.
    writeFileSync(target, text, { flag: "wx" });
  }
}
