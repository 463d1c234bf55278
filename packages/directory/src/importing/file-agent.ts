import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type AgentDirectory, type AgentFile, type Diagnostic, parseAgentFiles } from "@mdx-ai/parser";
import { DirectoryError } from "../directory-error.ts";
import { frontmatter } from "./agent-text.ts";
import { importAgent } from "./import-agent.ts";
import type { ImportedAgent } from "./imported-agent.ts";

export interface FileAgentOptions extends NonNullable<Parameters<typeof parseAgentFiles>[2]> {
  /** The folder of the agent's data, which need not exist. Absolute. */
  readonly folder: string;
}

/**
 * Reads a single-file agent of another program (a path with links resolved) and writes nothing. The prompt comes from the file, and
 * skills stay in their folders. Rejects with `DirectoryError` ("import").
 */
export async function readFileAgent(source: string, { folder, ...options }: FileAgentOptions): Promise<AgentDirectory> {
  const agent = importAgent(source);
  const skills = options.skillFolders === undefined ? agent.skills.map(({ source: path }) => skillFile(path)) : [];
  const text = `${frontmatter(agent)}\n${PLACEHOLDER}\n`;
  const files = { agent: { path: "agent.mdx", text }, skills, modules: [], folders: [] };
  const read = await parseAgentFiles(files, folder, options);
  const broken = new Set(skills.map(({ path }) => path).filter((path) => hasError(read, path)));
  const error = read.diagnostics.find(({ severity, file }) => severity === "error" && !broken.has(file));
  if (error !== undefined) throw new DirectoryError("import", `${source} cannot become an agent: ${error.message}`);
  return {
    ...{ path: folder, realPath: read.realPath, source },
    models: read.models.map((model) => ({ ...model, ...START })),
    files: read.files,
    definition: { ...read.definition, ...partsOf(read, agent, broken) },
    diagnostics: read.diagnostics.map((diagnostic) => inSource(diagnostic, source)),
  };
}

/** A position for the whole file: its lines differ from the parsed text. */
const START = { line: 1, column: 1 };

/** Parsed in place of the prompt, which the model receives verbatim. */
const PLACEHOLDER = "The prompt.";

const skillFile = (path: string): AgentFile => ({ path, text: readFileSync(path, "utf8") });

const hasError = ({ diagnostics }: AgentDirectory, path: string): boolean =>
  diagnostics.some(({ severity, file }) => severity === "error" && file === path);

/** The verbatim prompt and project instructions, and the skills without errors. */
function partsOf(
  { definition: { identity, skills } }: AgentDirectory,
  { prompt, memory }: ImportedAgent,
  broken: ReadonlySet<string>,
): Pick<AgentDirectory["definition"], "identity" | "skills"> {
  const sections = memory === undefined ? [] : [{ title: "Project instructions", body: memory }];
  const texts = [prompt, ...sections.map(({ title, body }) => `## ${title}\n\n${body}`)];
  return {
    identity: { ...identity, prose: texts.join("\n\n"), introduction: prompt, sections },
    skills: skills.filter(({ path }) => !broken.has(path)),
  };
}

/** Leaves out a skill with an error, with a warning. Files of another program are never fixed. */
function inSource({ fix: _fix, ...diagnostic }: Diagnostic, source: string): Diagnostic {
  if (diagnostic.file === "agent.mdx") return { ...diagnostic, file: source, ...START };
  if (diagnostic.severity !== "error") return diagnostic;
  return { ...diagnostic, severity: "warning", hint: `${basename(source)} runs without this skill` };
}
