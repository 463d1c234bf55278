import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { defined, isRecord, jsonValue } from "@mdx-ai/base";
import { isFile, isFolder } from "../paths.ts";
import { memoryOf, readClaudeAgent } from "./claude-agent.ts";
import { joinedHooks } from "./claude-hooks.ts";
import { claudeSettings, type ImportedSettings } from "./claude-rules.ts";
import { type ImportedSkills, importCommands, importSkills, skillFoldersIn } from "./claude-skills.ts";
import { type ImportedAgent, type ImportNote, notesOn } from "./imported-agent.ts";
import { readOpencodeAgent } from "./opencode-agent.ts";
import { FOLDERS_OF_PROGRAMS, type ProgramFolder, programFolderNamed } from "./program-folders.ts";
import { markdownFiles, noteOthers, readSource } from "./source-file.ts";

/** How the agent files of a folder are read. */
const READERS: Readonly<Record<ProgramFolder["format"], (path: string, folder: string) => ImportedAgent>> = {
  "claude-folder": readClaudeAgent,
  "opencode-folder": readOpencodeAgent,
  "agents-folder": readClaudeAgent,
};

/** The program folder at or in a path; undefined if there is none. Absolute. */
export function programFolderOf(path: string): string | undefined {
  if (programFolderNamed(basename(path)) !== undefined) return path;
  return FOLDERS_OF_PROGRAMS.map(({ name }) => join(path, name)).find(isFolder);
}

/**
 * Reads a `.claude` or `.opencode` folder: the project's memory becomes the prompt, commands and skills become skills, and each subagent
 * becomes a separate agent with the same rules. They all work in the folder where they are started, with the coding tools.
 */
export function importFolder(folder: string): ImportedAgent {
  const kind = programFolderNamed(basename(folder));
  if (kind === undefined) throw new TypeError(`no kind of folder for ${folder}`);
  const root = dirname(folder);
  const isClaude = kind.format === "claude-folder";
  const settings: ImportedSettings = isClaude ? claudeSettings(folder, root) : { rules: [], notes: [] };
  const skills = importSkills(kind.skills.flatMap((name) => skillFoldersIn(join(folder, name))));
  const commandFiles = kind.commands.flatMap((name) => markdownFiles(join(folder, name)));
  const commands = importCommands(
    commandFiles,
    skills.skills.map(({ name }) => name),
  );
  const memory = projectMemory(folder, root);
  const agents = kind.agents
    .flatMap((name) => markdownFiles(join(folder, name)))
    .map((path) => READERS[kind.format](path, folder))
    .map((agent) => ({
      ...agent,
      settings: { ...agent.settings, workspace: "cwd" as const },
      rules: [...agent.rules, ...settings.rules],
      ...defined({ hooks: joinedHooks(agent.hooks, settings.hooks) }),
      ...(isClaude && memory.text !== undefined && { memory: `${memory.text}\n` }),
    }));
  const name = basename(root) || "Assistant";
  return {
    format: kind.format,
    source: folder,
    name,
    prompt: memory.text ?? `Work on the project ${name}.`,
    settings: { workspace: "cwd" },
    rules: settings.rules,
    ...defined({ hooks: settings.hooks }),
    skills: [...skills.skills, ...commands.skills],
    agents,
    notes: [...memory.notes, ...notesOf(skills, commands), ...settings.notes, ...serverNotes(root)],
  };
}

const notesOf = (...parts: readonly ImportedSkills[]): readonly ImportNote[] => parts.flatMap(({ notes }) => notes);

/** CLAUDE.md beside and in the folder; if there is none, AGENTS.md. */
function projectMemory(
  folder: string,
  root: string,
): { readonly text?: string; readonly notes: readonly ImportNote[] } {
  const { text, notes } = memoryOf({ folder, root });
  if (text !== undefined) {
    return {
      text: text.trim(),
      notes: notes.map((note) => ({ ...note, text: note.text.replace("AGENT.md", "the prompt") })),
    };
  }
  const agents = join(root, "AGENTS.md");
  if (!isFile(agents)) return { notes: [] };
  const on = notesOn(agents);
  on.translated("→ the prompt");
  const source = readSource(agents);
  noteOthers(source, { known: [], on });
  return { text: source.body, notes: on.notes };
}

/** Lists MCP servers without copying them: their commands may contain keys. */
function serverNotes(root: string): readonly ImportNote[] {
  const path = join(root, ".mcp.json");
  if (!isFile(path)) return [];
  const { notes, leftOut } = notesOn(path);
  const names = serverNames(readFileSync(path, "utf8"));
  leftOut(
    `MCP servers: ${names.join(", ") || "see the file"}; write them under \`mcp\` in agent.mdx, or name the file with --mcp-config`,
  );
  return notes;
}

function serverNames(text: string): readonly string[] {
  const json: unknown = jsonValue(text);
  return isRecord(json) && isRecord(json["mcpServers"]) ? Object.keys(json["mcpServers"]) : [];
}
