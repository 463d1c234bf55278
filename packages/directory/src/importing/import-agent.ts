import { basename, dirname, join, resolve } from "node:path";
import { DirectoryError } from "../directory-error.ts";
import { isFile, isFolder } from "../paths.ts";
import { importClaudeAgent } from "./claude-agent.ts";
import { importFolder, programFolderOf } from "./claude-folder.ts";
import { type ImportedAgent, notesOn } from "./imported-agent.ts";
import { readOpencodeAgent } from "./opencode-agent.ts";
import { FOLDERS_OF_PROGRAMS } from "./program-folders.ts";
import { agentOf, noteOthers, readSource, type SourceFile } from "./source-file.ts";

/** Files with the instructions of a whole project. */
const PROJECT_FILES: readonly string[] = ["AGENTS.md", "CLAUDE.md"];

/**
 * Reads an agent of another program: a subagent file of Claude Code, a `.claude` or `.opencode` folder or a project with one, an
 * agent file of opencode, AGENTS.md, or any prompt in Markdown. Runs nothing. Throws `DirectoryError` ("import").
 */
export function importAgent(path: string): ImportedAgent {
  if (isFolder(path)) return importProject(path);
  if (!isFile(path)) throw new DirectoryError("import", `${path} does not exist; name a Markdown file or a folder`);
  const source = readSource(path);
  if (isOpencode(source)) return filled(readOpencodeAgent(path));
  return filled(isPlain(source) ? importMarkdown(source) : importClaudeAgent(path));
}

function importProject(path: string): ImportedAgent {
  if (isFile(join(path, "agent.mdx"))) {
    throw new DirectoryError("import", `${path} is an agent directory already; run it: mdx-ai ${path}`);
  }
  const folder = programFolderOf(path);
  if (folder !== undefined) return importFolder(folder);
  const file = PROJECT_FILES.map((name) => join(path, name)).find(isFile);
  if (file !== undefined) return importAgent(file);
  const expected = [...FOLDERS_OF_PROGRAMS.map(({ name }) => name), ...PROJECT_FILES].join(", ");
  throw new DirectoryError("import", `${path} contains no agent: it has none of ${expected}; name a file`);
}

/** Rejects an agent without a prompt. */
function filled(agent: ImportedAgent): ImportedAgent {
  if (agent.prompt !== "") return agent;
  if (agent.description !== undefined) return { ...agent, prompt: agent.description };
  throw new DirectoryError("import", `${agent.source} is empty; it needs a prompt`);
}

function isOpencode({ path, fields }: SourceFile): boolean {
  const { mode, tools, permission } = fields;
  const isKey = typeof mode === "string" && /^(?:primary|subagent|all)$/.test(mode);
  const isMap = typeof tools === "object" && tools !== null && !Array.isArray(tools);
  return isKey || isMap || permission !== undefined || /\/(?:\.opencode|opencode)\/agents?\//.test(path);
}

/** A file without any subagent key in its frontmatter is a plain prompt. */
const isPlain = ({ path, fields }: SourceFile): boolean =>
  PROJECT_FILES.includes(basename(path)) ||
  !["name", "description", "tools", "disallowedTools", "model", "permissionMode"].some((key) => key in fields);

function importMarkdown(source: SourceFile): ImportedAgent {
  const { path } = source;
  const on = notesOn(path);
  noteOthers(source, { known: ["name", "description"], on });
  const isOfProject = PROJECT_FILES.includes(basename(path));
  const defaultName = isOfProject ? basename(dirname(resolve(path))) || "Assistant" : undefined;
  return agentOf(source, {
    ...{ format: "markdown", rules: [], notes: on.notes },
    ...(defaultName !== undefined && { defaultName }),
  });
}
