import { basename, dirname, join } from "node:path";
import { claudeMemory, type ImportedMemory } from "./claude-memory.ts";
import { claudeSettings, type ImportedSettings } from "./claude-rules.ts";
import { importSkills } from "./claude-skills.ts";
import { type ImportedAgent, type ImportedRule, type NotesOn, notesOn } from "./imported-agent.ts";
import { importModel } from "./model.ts";
import {
  isFile,
  listField,
  noteOthers,
  numberField,
  readSource,
  type SourceFile,
  stemOf,
  TURNS,
  textField,
} from "./source-file.ts";
import { declaredTools } from "./tools.ts";

/** The keys of a subagent file that are translated, or reported where they are read. */
const KNOWN: readonly string[] = [
  ...["name", "description", "tools", "disallowedTools", "model", "permissionMode", "maxTurns", "skills"],
];

/** The `.claude` folder around a file, and the project that it belongs to; undefined if there is none. Absolute. */
function claudeFolderAround(file: string): { readonly folder: string; readonly root: string } | undefined {
  const folder = dirname(file);
  if (folder === file) return undefined;
  return basename(folder) === ".claude" ? { folder, root: dirname(folder) } : claudeFolderAround(folder);
}

const NO_SETTINGS: ImportedSettings = { rules: [], notes: [] };

/** A subagent file of Claude Code, with the rules, the memory and the skills of the `.claude` folder that it is in. */
export function importClaudeAgent(path: string): ImportedAgent {
  const around = claudeFolderAround(path);
  const settings = around === undefined ? NO_SETTINGS : claudeSettings(around.folder, around.root);
  const memory = around === undefined ? claudeMemory([join(dirname(path), "CLAUDE.md")]) : memoryOf(around);
  const agent = readClaudeAgent(path, around?.folder);
  return {
    ...agent,
    rules: [...agent.rules, ...settings.rules],
    ...(memory.text !== undefined && { memory: memory.text }),
    notes: [...agent.notes, ...memory.notes, ...settings.notes],
  };
}

/** The CLAUDE.md beside a `.claude` folder and the one in it. */
export const memoryOf = ({ folder, root }: { readonly folder: string; readonly root: string }): ImportedMemory =>
  claudeMemory([join(root, "CLAUDE.md"), join(folder, "CLAUDE.md")]);

/** The file alone; skills come from a `.claude` folder. */
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
  const description = textField(source, "description");
  noteOthers(source, { known: KNOWN, on });
  return {
    format: "claude-agent",
    source: path,
    name: textField(source, "name") ?? stemOf(path),
    ...(description !== undefined && { description }),
    prompt: source.body,
    settings: { ...(model !== undefined && { model }), ...(turns !== undefined && { limits: { turns } }) },
    ...(builtins !== undefined && { builtins }),
    rules: [...modeRules, ...rules],
    skills: skills.skills,
    agents: [],
    notes: [...on.notes, ...skills.notes],
  };
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

/** Planning changes nothing; every other mode grants something or is the default. */
function rulesOfMode(source: SourceFile, { translated, leftOut }: NotesOn): readonly ImportedRule[] {
  const mode = textField(source, "permissionMode");
  const line = source.lineOf("permissionMode");
  if (mode === undefined || mode === "default") return [];
  if (mode !== "plan") {
    leftOut(`permissionMode ${mode}: grants are given with --allow or in settings.yaml`, line);
    return [];
  }
  translated("permissionMode plan → write_file is denied, bash asks", line);
  return [
    ["write_file", "deny"],
    ["bash", "ask"],
  ];
}
