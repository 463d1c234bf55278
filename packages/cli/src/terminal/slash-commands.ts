import type { SkillDefinition } from "@mdx-ai/parser";
import { type MemoryContext, memoryCommands } from "./memory-commands.ts";
import { isLookingAtSessions } from "./session-command.ts";

/** The functions that a slash command may use. Answers may be foreign text; an empty one shows nothing. */
export interface CommandContext extends MemoryContext {
  readonly skills: readonly SkillDefinition[];
  /** The usage and cost of the session and of the day. */
  info(): Promise<string>;
  /** Runs `/tool` with these words. */
  tool(words: string): string;
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
  /** Gives the session a title. */
  rename(title: string): string;
  leave(): void;
}

interface SlashCommand {
  readonly name: string;
  /** Its arguments, for the help. */
  readonly words?: string;
  readonly description: string;
  /** Whether it may run while a prompt runs, given its words. */
  readonly worksWhileRunning?: (words: string) => boolean;
  /** Returns the answer. */
  run(context: CommandContext, words: string): Promise<string> | string;
}

const always = (): boolean => true;

const slashCommands: readonly SlashCommand[] = [
  { name: "/help", description: "shows this help", worksWhileRunning: always, run: helpText },
  {
    name: "/info",
    description: "shows model, session, tokens, cost and how full the window is",
    worksWhileRunning: always,
    run: (context) => context.info(),
  },
  {
    name: "/queue",
    words: "TEXT",
    description: "sends a prompt when the running one has ended; alone it lists the queue; drop N removes one",
    worksWhileRunning: always,
    run: (context, words) => context.queue(words),
  },
  { name: "/resume", description: "finishes interrupted and queued prompts", run: (context) => context.resume() },
  {
    name: "/compact",
    description: "replaces older messages by a summary in what is sent",
    run: (context) => context.compact(),
  },
  {
    name: "/undo",
    description: "takes back the last prompt, and the files that it changed",
    run: (context, words) => context.undo(words),
  },
  {
    name: "/rewind",
    words: "N",
    description: "takes back prompt N and all after it; alone it lists them",
    worksWhileRunning: (words) => words === "",
    run: (context, words) => context.rewind(words),
  },
  { name: "/clear", description: "archives the session's history and starts over", run: clear },
  {
    name: "/session",
    words: "WHAT",
    description: "new, switch ID, delete ID, list, info",
    worksWhileRunning: isLookingAtSessions,
    run: (context, words) => context.session(words),
  },
  { name: "/new", description: "begins a new session", run: (context) => context.session("new") },
  {
    name: "/rename",
    words: "TITLE",
    description: "gives this session a title, for lists",
    worksWhileRunning: always,
    run: (context, words) => context.rename(words),
  },
  ...memoryCommands,
  {
    name: "/tool",
    words: "WHAT",
    description: "list; output full, short or off: how much of results is shown",
    worksWhileRunning: always,
    run: (context, words) => context.tool(words),
  },
  {
    name: "/permissions",
    description: "shows which calls run, are asked about or are refused",
    worksWhileRunning: always,
    run: (context) => context.permissions(),
  },
  {
    name: "/mode",
    words: "NAME",
    description: "ask, edits, plan or all: what tools may do without a question; Shift+Tab changes it, too",
    worksWhileRunning: always,
    run: (context, words) => context.mode(words),
  },
  {
    name: "/theme",
    words: "NAME",
    description: "dark, light or ansi: the colours, also of later conversations",
    worksWhileRunning: always,
    run: (context, words) => context.theme(words),
  },
  {
    name: "/skills",
    description: "lists the skills",
    worksWhileRunning: always,
    run: ({ skills }) => skillsText(skills),
  },
  { name: "/quit", description: "leaves (also /exit)", worksWhileRunning: always, run: leave },
  { name: "/exit", description: "", worksWhileRunning: always, run: leave },
];

const skillPrefix = "/skill:";

const keysText = `Enter             sends; a running prompt receives it before the next model call
Ctrl+J            starts a new line
Esc               stops the running prompt; unsent text returns to the input
Ctrl+C            the same; twice leaves
Shift+Tab         changes the mode: ask, edits, plan, all
Ctrl+L            clears the screen
Ctrl+O            shows the whole of the last shortened result, then of the one before it
Ctrl+D            leaves when the input is empty`;

/** Whether a text is meant as a command: `/` and a word, not a path. */
export function isSlashCommand(text: string): boolean {
  return /^\/[\w:.-]*(\s|$)/.test(text);
}

/** Whether a text names one of the skills, so that it is a prompt and no command. */
export function isSkillCommand(text: string, skills: readonly SkillDefinition[]): boolean {
  return skillNames(skills).includes(nameOf(text));
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

function helpText(): string {
  const commands = slashCommands.filter((command) => command.description !== "");
  const rows = commands.map(({ name, words, description }) => [words ? `${name} ${words}` : name, description]);
  const lines = [...rows, ["/skill:NAME TEXT", "uses a skill"]];
  return `${lines.map(([name = "", description = ""]) => `${name.padEnd(18)}${description}`).join("\n")}\n\n${keysText}`;
}

function skillsText(skills: readonly SkillDefinition[]): string {
  return skills.length === 0
    ? "This agent has no skills; they live in skills/NAME/SKILL.md."
    : skills.map((skill) => `${skillPrefix}${skill.name}  ${skill.description.replace(/\s+/g, " ").trim()}`).join("\n");
}
