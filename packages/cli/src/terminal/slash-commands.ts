import type { SkillDefinition } from "@mdx-ai/parser";
import { THEME_NAMES } from "../output/theme.ts";
import { commandHelp, type DescribedCommand } from "./command-help.ts";
import type { CommandWords } from "./input/command-words.ts";
import { type MemoryContext, memoryCommands } from "./memory-commands.ts";
import type { CompletedCommand, Completion } from "./screen/input-completion.ts";
import { isLookingAtSessions } from "./session-command.ts";
import { skillWords } from "./skill-command.ts";

/** The functions that a slash command may use. Answers may be foreign text; an empty one shows nothing. */
export interface CommandContext extends MemoryContext {
  readonly skills: readonly SkillDefinition[];
  /** The usage and cost of the session and of the day. */
  info(): Promise<string>;
  /** Runs `/tool` with these words. */
  tool(words: string): string;
  /** Runs `/mcp` with these words. */
  mcp(words: string): Promise<string>;
  /** Runs `/skill` with these words. */
  skill(words: string): Promise<string>;
  /** Which calls run, are asked about or are refused. */
  permissions(): string;
  /** Runs `/mode` with these words. */
  mode(words: string): string;
  /** Runs `/theme` with these words. */
  theme(words: string): string;
  /** Replaces older messages by a summary. */
  compact(): Promise<string>;
  /** Archives the session's history. */
  clear(): Promise<void>;
  /** Finishes interrupted and queued prompts. */
  resume(): Promise<string>;
  /** Runs `/queue` with these words. */
  queue(words: string): string;
  /** Runs `/undo` with these words. */
  undo(words: string): Promise<string>;
  /** Runs `/rewind` with these words. */
  rewind(words: string): Promise<string>;
  /** Runs `/session` with these words. */
  session(words: string): Promise<string>;
  /** Runs `/model` with these words. */
  model(words: string): Promise<string>;
  /** Runs `/export` with these words. */
  exportTo(words: string): Promise<string>;
  /** Copies the last answer. */
  copy(): Promise<string>;
  /** Runs `/commit` with this message. */
  commit(message: string): Promise<string>;
  /** The width of the terminal. */
  columns(): number;
  /** Gives the session a title. */
  rename(title: string): string;
  /** Switches vi keys on or off. */
  toggleVi(): string;
  leave(): void;
}

interface SlashCommand extends DescribedCommand {
  /** Whether it may run while a prompt runs, given its words. */
  readonly worksWhileRunning?: (words: string) => boolean;
  /** Returns the answer. */
  run(context: CommandContext, words: string): Promise<string> | string;
}

const always = (): boolean => true;

/** All commands, in the order of the help. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: "/queue",
    words: "TEXT",
    group: "Conversation",
    brief: "send after this prompt",
    description: "sends a prompt when the running one has ended; alone it lists the queue; drop N removes one",
    worksWhileRunning: always,
    run: (context, words) => context.queue(words),
  },
  {
    name: "/resume",
    group: "Conversation",
    brief: "finish what waits",
    description: "finishes interrupted and queued prompts",
    run: (context) => context.resume(),
  },
  {
    name: "/undo",
    group: "Conversation",
    brief: "undo the last prompt",
    description: "takes back the last prompt, and the files that it changed",
    run: (context, words) => context.undo(words),
  },
  {
    name: "/rewind",
    words: "N",
    group: "Conversation",
    brief: "go back to a prompt",
    description: "takes back prompt N and all after it; alone it lets you choose; list lists them with their files",
    worksWhileRunning: (words) => words === "list",
    run: (context, words) => context.rewind(words),
  },
  {
    name: "/compact",
    group: "Conversation",
    brief: "summarise the history",
    description: "replaces older messages by a summary in what is sent",
    run: (context) => context.compact(),
  },
  {
    name: "/clear",
    group: "Conversation",
    brief: "archive and start over",
    description: "archives the session's history and starts over",
    run: clear,
  },
  {
    name: "/copy",
    group: "Conversation",
    brief: "copy the last answer",
    description: "copies the last answer to the clipboard",
    worksWhileRunning: always,
    run: (context) => context.copy(),
  },
  {
    name: "/export",
    words: "FILE",
    group: "Session",
    brief: "write it to a file",
    description: "writes the session to a new file: Markdown, or by its ending .json, .html or .jsonl",
    worksWhileRunning: always,
    run: (context, words) => context.exportTo(words),
  },
  {
    name: "/session",
    words: "WHAT",
    group: "Session",
    brief: "new, switch, delete …",
    description: "new, switch ID, delete ID, list, info; switch alone lets you choose",
    worksWhileRunning: isLookingAtSessions,
    run: (context, words) => context.session(words),
  },
  {
    name: "/new",
    group: "Session",
    brief: "begin a new session",
    description: "begins a new session",
    run: (context) => context.session("new"),
  },
  {
    name: "/rename",
    words: "TITLE",
    group: "Session",
    brief: "give it a title",
    description: "gives this session a title, for lists",
    worksWhileRunning: always,
    run: (context, words) => context.rename(words),
  },
  {
    name: "/model",
    words: "VENDOR/NAME",
    group: "Agent",
    brief: "choose the model",
    description: "asks another model from the next prompt on; alone it lets you choose",
    worksWhileRunning: always,
    run: (context, words) => context.model(words),
  },
  {
    name: "/info",
    group: "Agent",
    brief: "tokens, cost, window",
    description: "shows user, model, session, turns, tokens, cost and how full the window is",
    worksWhileRunning: always,
    run: (context) => context.info(),
  },
  {
    name: "/tool",
    words: "WHAT",
    group: "Conversation",
    brief: "tools, their output",
    description: "list; output full, short or off: how much of results is shown",
    worksWhileRunning: always,
    run: (context, words) => context.tool(words),
  },
  {
    name: "/mcp",
    words: "NAME",
    group: "Conversation",
    brief: "MCP servers",
    description:
      "shows the state of the MCP servers; with a name the tools, resources and prompts of one, which /mcp:SERVER:PROMPT sends",
    worksWhileRunning: always,
    run: (context, words) => context.mcp(words),
  },
  {
    name: "/permissions",
    group: "Agent",
    brief: "what runs, what asks",
    description: "shows which calls run, are asked about or are refused",
    worksWhileRunning: always,
    run: (context) => context.permissions(),
  },
  {
    name: "/mode",
    words: "NAME",
    group: "Agent",
    brief: "what runs unasked",
    description: "ask, edits, plan or all: what tools may do without a question; Shift+Tab changes it, too",
    worksWhileRunning: always,
    run: (context, words) => context.mode(words),
  },
  {
    name: "/skills",
    brief: "",
    description: "lists the skills and how to use them",
    worksWhileRunning: always,
    run: ({ skills }) => skillsText(skills),
  },
  {
    name: "/skill",
    words: "WHAT",
    group: "Agent",
    brief: "choose (also /skills)",
    description: "list, enable NAME, disable NAME: the skills of this session",
    worksWhileRunning: always,
    run: (context, words) => context.skill(words),
  },
  ...memoryCommands,
  {
    name: "/commit",
    words: "MESSAGE",
    group: "Workspace",
    brief: "commit all changes",
    description: "shows the changes of the workspace, asks, and commits them all with git",
    run: (context, words) => context.commit(words),
  },
  {
    name: "/theme",
    words: "NAME",
    group: "Terminal",
    brief: "dark, light or ansi",
    description: "dark, light or ansi: the colours, also of later conversations",
    worksWhileRunning: always,
    run: (context, words) => context.theme(words),
  },
  {
    name: "/help",
    words: "NAME",
    group: "Terminal",
    brief: "this help",
    description: "shows all commands, one command, or the keys: /help keys",
    worksWhileRunning: always,
    run: helpText,
  },
  {
    name: "/vim",
    group: "Conversation",
    brief: "vi keys on or off",
    description: "switches vi keys on or off, also for later conversations",
    worksWhileRunning: always,
    run: (context) => context.toggleVi(),
  },
  {
    name: "/quit",
    group: "Terminal",
    brief: "leave (also /exit)",
    description: "leaves (also /exit)",
    worksWhileRunning: always,
    run: leave,
  },
  { name: "/exit", brief: "", description: "leaves, as /quit", worksWhileRunning: always, run: leave },
];

/** How a skill is used, for the help. */
const SKILL_USE: DescribedCommand = {
  name: "/skill:NAME",
  words: "TEXT",
  group: "Agent",
  brief: "use a skill",
  description: "sends a prompt that uses a skill",
};

/** How a prompt of an MCP server is used, for the help. */
const MCP_USE: DescribedCommand = {
  name: "/mcp:SERVER:PROMPT",
  words: "ARGUMENTS",
  brief: "",
  description: "sends a prompt that an MCP server makes; arguments in their order, or NAME=VALUE",
};

const skillPrefix = "/skill:";
const mcpPrefix = "/mcp:";

/** The commands and skills that the input completes. */
export function completedCommands(
  skills: readonly SkillDefinition[],
  words: CommandWords,
): readonly CompletedCommand[] {
  const known: Readonly<Record<string, CompletedCommand["complete"]>> = {
    "/session": words.session,
    "/model": words.model,
    "/mode": () => plainWords(["ask", "edits", "plan", "all"]),
    "/theme": () => plainWords(THEME_NAMES),
    "/skill": skillWords(skills),
    "/tool": () => plainWords(["list", "output full", "output short", "output off"]),
  };
  const commands = slashCommands.map(({ name, words: given, description }) => {
    const complete = known[name];
    return { name, words: given, description: description || "leaves", ...(complete && { complete }) };
  });
  const named = skills.map(({ name, description }) => ({ name: `${skillPrefix}${name}`, words: "TEXT", description }));
  return [...commands, ...named];
}

const plainWords = (words: readonly string[]): readonly Completion[] =>
  words.map((value) => ({ value, description: "" }));

/** Whether a text is meant as a command: `/` and a word, not a path. */
export function isSlashCommand(text: string): boolean {
  return /^\/[\w:.-]*(\s|$)/.test(text);
}

/** Whether a text names one of the skills or a prompt of an MCP server, so that it is a prompt and no command. */
export function isSkillCommand(text: string, skills: readonly SkillDefinition[]): boolean {
  return text.startsWith(mcpPrefix) || skillNames(skills).includes(nameOf(text));
}

/** Whether a text is a command that may run beside a prompt. */
export function worksWhileRunning(text: string): boolean {
  return commandOf(text)?.worksWhileRunning?.(wordsOf(text)) ?? false;
}

/** Runs the command in a text and returns its answer; a hint if there is no such command. */
export async function runSlashCommand(text: string, context: CommandContext): Promise<string> {
  const command = commandOf(text);
  if (command !== undefined) {
    return command.run(context, wordsOf(text));
  }
  const names = [...slashCommands.map((candidate) => candidate.name), ...skillNames(context.skills)];
  const { didYouMean } = await import("@mdx-ai/parser/suggestion");
  return `There is no command ${nameOf(text)}; ${didYouMean(nameOf(text), names, "/help shows all")}`;
}

/** The name of the command in a text, with its slash. */
export function nameOf(text: string): string {
  return text.split(/\s/, 1)[0] ?? "";
}

function commandOf(text: string): SlashCommand | undefined {
  return slashCommands.find((command) => command.name === nameOf(text));
}

const wordsOf = (text: string): string => text.slice(nameOf(text).length).trim();

const skillNames = (skills: readonly SkillDefinition[]): readonly string[] =>
  skills.map((skill) => `${skillPrefix}${skill.name}`);

async function clear(context: CommandContext): Promise<string> {
  await context.clear();
  return "The history of this session is archived; the next prompt starts over.";
}

function leave(context: CommandContext): string {
  context.leave();
  return "";
}

function helpText(context: CommandContext, words: string): string {
  const help = commandHelp([...slashCommands, SKILL_USE, MCP_USE], words, context.columns());
  return help ?? `There is no command ${words}; /help shows all.`;
}

function skillsText(skills: readonly SkillDefinition[]): string {
  return skills.length === 0
    ? "This agent has no skills; they live in skills/NAME/SKILL.md."
    : skills.map((skill) => `${skillPrefix}${skill.name}  ${skill.description.replace(/\s+/g, " ").trim()}`).join("\n");
}
