import { basename, dirname, join } from "node:path";
import { defined } from "@mdx-ai/base";
import { basicTool } from "@mdx-ai/parser";
import { isFile } from "../paths.ts";
import { joinedHooks, translatedHooks } from "./claude-hooks.ts";
import { claudeSettings, type ImportedSettings } from "./claude-rules.ts";
import { importSkills } from "./claude-skills.ts";
import { declaredTools, importModel } from "./counterparts.ts";
import { type ImportedAgent, type ImportedRule, type ImportNote, type NotesOn, notesOn } from "./imported-agent.ts";
import {
  agentOf,
  listField,
  noteOthers,
  numberField,
  readSource,
  type SourceFile,
  TURNS,
  textField,
} from "./source-file.ts";

/** The keys of a subagent file that are translated or reported individually. */
const KNOWN: readonly string[] = [
  ...["name", "description", "tools", "disallowedTools", "model", "permissionMode", "maxTurns", "skills", "hooks"],
];

/** The `.claude` folder around a file and its project; undefined if there is none. Absolute. */
function claudeFolderAround(file: string): { readonly folder: string; readonly root: string } | undefined {
  const folder = dirname(file);
  if (folder === file) return undefined;
  return basename(folder) === ".claude" ? { folder, root: dirname(folder) } : claudeFolderAround(folder);
}

const NO_SETTINGS: ImportedSettings = { rules: [], notes: [] };

/** Reads a Claude Code subagent file, with the rules, memory and skills of its `.claude` folder. */
export function importClaudeAgent(path: string): ImportedAgent {
  const around = claudeFolderAround(path);
  const settings = around === undefined ? NO_SETTINGS : claudeSettings(around.folder, around.root);
  const memory = around === undefined ? claudeMemory([join(dirname(path), "CLAUDE.md")]) : memoryOf(around);
  const agent = readClaudeAgent(path, around?.folder);
  return {
    ...agent,
    rules: [...agent.rules, ...settings.rules],
    ...defined({ hooks: joinedHooks(agent.hooks, settings.hooks) }),
    ...(memory.text !== undefined && { memory: memory.text }),
    notes: [...agent.notes, ...memory.notes, ...settings.notes],
  };
}

/** The CLAUDE.md beside a `.claude` folder and the one in it. */
export const memoryOf = ({ folder, root }: { readonly folder: string; readonly root: string }): ImportedMemory =>
  claudeMemory([join(root, "CLAUDE.md"), join(folder, "CLAUDE.md")]);

/** Reads the file alone. Skills come from a `.claude` folder. */
export function readClaudeAgent(path: string, folder: string | undefined): ImportedAgent {
  const source = readSource(path);
  const on = notesOn(path);
  const model = importModel(textField(source, "model"), { line: source.lineOf("model"), on });
  const turns = numberField(source, "maxTurns", { range: TURNS, on });
  const { builtins, rules } = declaredTools(
    {
      tools: listField(source, "tools"),
      disallowed: listField(source, "disallowedTools") ?? [],
      line: source.lineOf("tools" in source.fields ? "tools" : "disallowedTools"),
    },
    on,
  );
  const skills = importSkills(skillFolders(source, folder, on));
  const modeRules = rulesOfMode(source, on);
  const hooks = translatedHooks(source.fields["hooks"], { ...on, lineOf: source.lineOf, isPersonal: false });
  noteOthers(source, { known: KNOWN, on });
  const agent = agentOf(source, {
    format: "claude-agent",
    settings: { model, turns },
    builtins,
    rules: [...modeRules, ...rules],
    skills: skills.skills,
    notes: [...on.notes, ...skills.notes],
  });
  return { ...agent, ...defined({ hooks }) };
}

/** The folders of the skills that a subagent names. */
function skillFolders(source: SourceFile, folder: string | undefined, { leftOut }: NotesOn): readonly string[] {
  const names = listField(source, "skills") ?? [];
  return names.flatMap((name) => {
    const path = folder === undefined ? undefined : join(folder, "skills", name);
    if (path !== undefined && !name.includes("..") && isFile(join(path, "SKILL.md"))) return [path];
    leftOut(`the skill ${name}: there is no skills/${name}/SKILL.md`, source.lineOf("skills"));
    return [];
  });
}

/** Translates only the plan mode; every other mode grants something or is the default. */
function rulesOfMode(source: SourceFile, { translated, leftOut }: NotesOn): readonly ImportedRule[] {
  const mode = textField(source, "permissionMode");
  const line = source.lineOf("permissionMode");
  if (mode === undefined || mode === "default") return [];
  if (mode !== "plan") {
    leftOut(`permissionMode ${mode}: grants are given with --allow or in settings.yaml`, line);
    return [];
  }
  translated(`permissionMode plan → ${basicTool.writes} is denied, ${basicTool.runs} asks`, line);
  return [
    [basicTool.writes, "deny"],
    [basicTool.runs, "ask"],
  ];
}

/** The memory of a project. */
interface ImportedMemory {
  /** Absent if there is no file. */
  readonly text?: string;
  readonly notes: readonly ImportNote[];
}

/** Bytes of AGENT.md that a model receives. */
const SENT = 65_536;

/** A line that imports another file. */
const IMPORT = /(?:^|\s)@(?:[~.]{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*\.\w+\b/;

/** The texts of the existing files, in order. */
function claudeMemory(paths: readonly string[]): ImportedMemory {
  const found = paths.filter(isFile).map((path) => {
    const source = readSource(path);
    const { body } = source;
    const on = notesOn(path);
    const { notes, translated, leftOut } = on;
    translated("→ AGENT.md");
    noteOthers(source, { known: [], on });
    const lines = body.split("\n");
    const index = lines.findIndex((line) => IMPORT.test(line));
    if (index !== -1) leftOut(`files that it imports with @, such as ${lines[index]?.trim().slice(0, 80)}`);
    return { body, notes };
  });
  if (found.length === 0) return { notes: [] };
  const text = found.map(({ body }) => `${body}\n`).join("\n");
  const notes = found.flatMap(({ notes: own }) => own);
  const [path = ""] = paths.filter(isFile);
  const isLong = Buffer.byteLength(text) > SENT;
  const long: ImportNote = { kind: "left out", file: path, text: `what follows the first ${SENT} bytes of AGENT.md` };
  return { text, notes: isLong ? [...notes, long] : notes };
}
