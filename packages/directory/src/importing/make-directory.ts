import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import { type AgentText, agentText, type OfferedAgent } from "./agent-text.ts";
import type { ImportedAgent, ImportedFile, ImportedSkill, ImportNote } from "./imported-agent.ts";
import { freeName, kebabCase } from "./source-file.ts";

export interface MadeDirectory {
  /** Notes on imported and omitted parts, in the order of the source. */
  readonly notes: readonly ImportNote[];
  /** The directories of the subagents, relative to the directory, separated by "/". */
  readonly agents: readonly string[];
}

/**
 * Creates the directory of an imported agent, without errors. Writes to a temporary folder, reads it, and renames it,
 * so that the directory is complete or missing. Rejects with `DirectoryError` ("import") if the name is taken, or with the
 * file system's error.
 */
export async function makeDirectory(
  path: string,
  agent: ImportedAgent,
  more: readonly ImportedFile[] = [],
): Promise<MadeDirectory> {
  requireFree(path);
  mkdirSync(dirname(path), { recursive: true });
  const draft = mkdtempSync(join(dirname(path), `.${basename(path)}-`));
  try {
    const made = await fillDirectory(draft, agent);
    writeFiles(draft, more);
    requireFree(path);
    renameSync(draft, path);
    return made;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function requireFree(path: string): void {
  if (!existsSync(path)) return;
  const what = statSync(path).isDirectory() ? "already exists" : "is a file";
  throw new DirectoryError(
    "import",
    `${path} ${what}; name a new folder, since an import never changes existing files`,
  );
}

/** Writes an agent into an empty folder and reads it again, leaving out skills with errors. */
async function fillDirectory(folder: string, agent: ImportedAgent): Promise<MadeDirectory> {
  const agents = new Set<string>();
  const offered: OfferedAgent[] = [];
  const notes: ImportNote[] = [];
  for (const subagent of agent.agents) {
    const name = freeName(`agents/${kebabCase(subagent.name, "agent")}`, agents);
    const inner = join(folder, name);
    mkdirSync(inner, { recursive: true });
    notes.push(...(await writeAgent(inner, subagent)));
    agents.add(name);
    const { description, whyUncalled: reason = "without a description no model knows when to" } = subagent;
    const isOffered = description !== undefined && subagent.whyUncalled === undefined;
    if (isOffered) offered.push({ name: basename(name), description, src: name });
    const text = isOffered ? `→ ${name}` : `→ ${name}, which the agent does not call: ${reason}`;
    notes.push({ kind: "translated", file: subagent.source, text });
  }
  // Last, since its tags name the others.
  return { notes: [...(await writeAgent(folder, agent, offered)), ...notes], agents: [...agents] };
}

async function writeAgent(
  folder: string,
  agent: ImportedAgent,
  offered: readonly OfferedAgent[] = [],
): Promise<readonly ImportNote[]> {
  const made = await agentText(agent, offered);
  writeFiles(folder, [
    { path: "agent.mdx", text: made.text },
    ...(agent.memory === undefined ? [] : [{ path: "AGENT.md", text: agent.memory }]),
    ...(agent.skills.length === 0 ? [{ path: "skills/.gitkeep", text: "" }] : []),
  ]);
  for (const skill of agent.skills) writeFiles(join(folder, "skills", skill.name), skill.files);
  return [...agent.notes, ...textNotes(agent, made), ...(await withoutErrors(folder, agent))];
}

function writeFiles(folder: string, files: readonly ImportedFile[]): void {
  for (const file of files) {
    const target = join(folder, file.path);
    mkdirSync(dirname(target), { recursive: true });
    if ("text" in file) writeFileSync(target, file.text, { flag: "wx" });
    else cpSync(file.copyOf, target);
  }
}

const textNotes = ({ source }: ImportedAgent, { changedLines }: AgentText): readonly ImportNote[] =>
  changedLines.map((line) => ({
    kind: "left out",
    file: source,
    text: `the exact form of line ${line} of the prompt; see what a model receives with mdx-ai inspect`,
  }));

/** Removes skills with errors. Rejects with `DirectoryError` ("import") for any other error. */
async function withoutErrors(folder: string, { source, skills }: ImportedAgent): Promise<readonly ImportNote[]> {
  const { diagnostics } = await readAgentDirectory(folder);
  const notes: ImportNote[] = [];
  const isRemoved = new Set<ImportedSkill>();
  for (const { file, severity, message, line } of diagnostics) {
    if (severity !== "error") continue;
    const skill = skills.find(({ name }) => file.startsWith(`skills/${name}/`) || file === `skills/${name}`);
    if (skill === undefined) {
      throw new DirectoryError("import", `${source} cannot become an agent: line ${line} of its agent.mdx: ${message}`);
    }
    if (isRemoved.has(skill)) continue;
    isRemoved.add(skill);
    rmSync(join(folder, "skills", skill.name), { recursive: true });
    notes.push({ kind: "left out", file: skill.source, line, text: `the skill ${skill.name}: ${message}` });
  }
  return notes;
}
