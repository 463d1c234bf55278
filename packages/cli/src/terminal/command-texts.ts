import type { SkillDefinition } from "@mdx-ai/parser";
import { cutEnd } from "../output/line-layout.ts";

/** Whether a text is a command: `/` and a word, but not a path, a skill or a prompt of an MCP server, which go to the model. */
export const isCommand = (text: string, skills: readonly SkillDefinition[]): boolean =>
  /^\/[\w:.-]*(\s|$)/.test(text) && !text.startsWith("/mcp:") && !skillNames(skills).includes(nameOf(text));

/** The command's name in a text, with its slash. */
export const nameOf = (text: string): string => text.split(/\s/, 1)[0] ?? "";

/** The words after the command's name. */
export const wordsOf = (text: string): string => text.slice(nameOf(text).length).trim();

/** The skills as commands: `/skill:NAME`, and the bare names of a repository's commands. */
export const skillNames = (skills: readonly SkillDefinition[]): readonly string[] =>
  skills.flatMap((skill) => [`/skill:${skill.name}`, ...(skill.isCommand === true ? [`/${skill.name}`] : [])]);

/** A skill as its user calls it. */
export const skillName = ({ name, isCommand: isBare }: SkillDefinition): string =>
  isBare === true ? `/${name}` : `/skill:${name}`;

/** The groups of commands, in help order. */
const COMMAND_GROUPS = ["Conversation", "Session", "Memory", "Agent", "Workspace", "Terminal"] as const;

type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** A command for the help and completion. */
export interface DescribedCommand {
  /** With its slash. */
  readonly name: string;
  /** Its arguments. */
  readonly words?: string;
  /** Absent for an alias. */
  readonly group?: CommandGroup;
  /** At most 22 columns, for the overview. */
  readonly brief: string;
  /** One line that says what it does. */
  readonly description: string;
}

/** The overview has one column below this width. */
const TWO_COLUMNS_FROM = 76;
const INDENT = 2;
const GAP = 2;

const keysText = `Enter             sends; a running prompt receives it before the next model call
Ctrl+J, \\ Enter   start a new line
Tab               completes commands, paths and files; also offered as you type
@FILE             attaches a file; @FILE:10-40 those lines of it
@SERVER:URI       attaches a resource of an MCP server
!COMMAND          runs in the shell; the model receives its output with the next prompt
!!COMMAND         the same, but the model never sees it
Up, Down          earlier prompts; Ctrl+R searches them
Ctrl+A, Ctrl+E    go to the start and the end of the line; Alt+B, Alt+F by words
Ctrl+U, Ctrl+K    cut to the start and the end of the line; Ctrl+W cuts a word
Ctrl+Y            inserts what was cut; Alt+Y what was cut before
Ctrl+-            undoes the last change of the input
Ctrl+G            opens the input in your editor
Ctrl+V            attaches the image of the clipboard
Esc               stops the running command or prompt; unsent text returns to the input
Ctrl+C            the same; twice exits
Shift+Tab         changes the mode: ask, edits, plan, all
Ctrl+L            clears the screen
Ctrl+O            shows the whole of the last shortened result or thought, then of the one before it
Ctrl+Z            suspends; fg in your shell continues
Ctrl+D            leaves when the input is empty`;

/**
 * The answer of `/help`: an overview of all commands, `keys`, or one command. `columns` is the terminal's width; the overview fits 80×24.
 */
export function commandHelp(commands: readonly DescribedCommand[], words: string, columns: number): string | undefined {
  if (words === "keys") return keysText;
  if (words === "") return overview(commands, columns);
  const name = words.startsWith("/") ? words : `/${words}`;
  const command = commands.find((candidate) => candidate.name === name);
  return command && `${command.words ? `${name} ${command.words}` : name}\n  ${command.description}`;
}

function overview(commands: readonly DescribedCommand[], columns: number): string {
  const blocks = COMMAND_GROUPS.map((group) => block(group, commands)).filter((lines) => lines.length > 1);
  const lines = columns < TWO_COLUMNS_FROM ? blocks.flat() : sideBySide(blocks, columns);
  const end = "/help NAME explains a command, /help keys shows the keys.";
  return [...lines.map((line) => cutEnd(line, Math.max(1, columns), "…")), end].join("\n");
}

/** A heading and one line per command. */
function block(group: CommandGroup, commands: readonly DescribedCommand[]): readonly string[] {
  const own = commands.filter((command) => command.group === group);
  const widest = Math.max(...commands.map(({ name, group: shown }) => (shown === undefined ? 0 : name.length)));
  return [group, ...own.map(({ name, brief }) => `${" ".repeat(INDENT)}${name.padEnd(widest + GAP)}${brief}`)];
}

/** Arranges blocks in two columns of similar height. */
function sideBySide(blocks: readonly (readonly string[])[], columns: number): readonly string[] {
  const heights = blocks.map((_, count) => tallest(blocks, count));
  const split = heights.indexOf(Math.min(...heights));
  const left = blocks.slice(0, split).flat();
  const right = blocks.slice(split).flat();
  const half = Math.floor(columns / 2);
  const rows = Math.max(left.length, right.length);
  return Array.from({ length: rows }, (_, row) => `${(left[row] ?? "").padEnd(half)}${right[row] ?? ""}`.trimEnd());
}

/** The rows of the longer column if the left one has this many blocks. */
const tallest = (blocks: readonly (readonly string[])[], count: number): number =>
  Math.max(blocks.slice(0, count).flat().length, blocks.slice(count).flat().length);
