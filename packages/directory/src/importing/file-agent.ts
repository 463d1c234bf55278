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
 * Reads an agent of another program that is one file, with its links resolved, and writes nothing: the prompt is that of the file,
 * its skills stay where they are. Rejects with `DirectoryError` ("import").
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

/** Where a file is named as a whole: its lines are not those that were parsed. */
const START = { line: 1, column: 1 };

/** What is parsed in place of the prompt, which reaches the model as it is. */
const PLACEHOLDER = "The prompt.";

const skillFile = (path: string): AgentFile => ({ path, text: readFileSync(path, "utf8") });

const hasError = ({ diagnostics }: AgentDirectory, path: string): boolean =>
  diagnostics.some(({ severity, file }) => severity === "error" && file === path);

/** The prompt and the project's instructions as they are, and the skills without errors. */
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

/** A skill with an error is left out, which is a warning. Nothing is fixed in the files of another program. */
function inSource({ fix: _fix, ...diagnostic }: Diagnostic, source: string): Diagnostic {
  if (diagnostic.file === "agent.mdx") return { ...diagnostic, file: source, ...START };
  if (diagnostic.severity !== "error") return diagnostic;
  return { ...diagnostic, severity: "warning", hint: `${basename(source)} runs without this skill` };
}
