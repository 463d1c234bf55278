import type { SkillDefinition } from "@mdx-ai/parser";
import { didYouMean } from "../arguments/did-you-mean.ts";

/** What a slash command may do. */
export interface CommandContext {
  readonly skills: readonly SkillDefinition[];
  /** Shows foreign text; each line is stripped. */
  tell(text: string): void;
  /** Shows what the session and the day came to. */
  info(): Promise<void>;
  /** Has older messages replaced by a summary. */
  compact(): void;
  /** Archives the session's history. */
  clear(): Promise<void>;
  /** Sends a text to the agent. */
  prompt(text: string): void;
  leave(): void;
}

interface SlashCommand {
  readonly name: string;
  readonly description: string;
  /** Does not have to wait for the end of a running prompt. */
  readonly worksWhileRunning?: true;
  run(context: CommandContext): Promise<void> | void;
}

const slashCommands: readonly SlashCommand[] = [
  {
    name: "/help",
    description: "shows this help",
    worksWhileRunning: true,
    run: (context) => context.tell(helpText()),
  },
  {
    name: "/info",
    description: "tells model, session, tokens, cost and how full the window is",
    worksWhileRunning: true,
    run: (context) => context.info(),
  },
  {
    name: "/compact",
    description: "replaces older messages by a summary in what is sent",
    run: (context) => context.compact(),
  },
  { name: "/clear", description: "archives the history of the session and begins anew", run: clear },
  {
    name: "/skills",
    description: "lists the skills",
    worksWhileRunning: true,
    run: (context) => context.tell(skillsText(context.skills)),
  },
  { name: "/quit", description: "leaves (also /exit)", worksWhileRunning: true, run: (context) => context.leave() },
  { name: "/exit", description: "", worksWhileRunning: true, run: (context) => context.leave() },
];

const skillPrefix = "/skill:";

const keysText = `Enter             sends
Ctrl+J            begins a new line
Ctrl+C            stops the running prompt; twice leaves
Ctrl+L            clears the screen
Ctrl+D            leaves when the input is empty`;

/** Whether a text is meant as a command: `/` and a word, not a path. */
export function isSlashCommand(text: string): boolean {
  return /^\/[\w:.-]*(\s|$)/.test(text);
}

/** Whether a text is a command that may run beside a prompt. */
export function worksWhileRunning(text: string): boolean {
  return commandOf(text)?.worksWhileRunning ?? false;
}

/** Runs the command that a text is; one that there is not is answered with a hint. */
export async function runSlashCommand(text: string, context: CommandContext): Promise<void> {
  const command = commandOf(text);
  if (command !== undefined) {
    return command.run(context);
  }
  const name = nameOf(text);
  const skills = context.skills.map((skill) => `${skillPrefix}${skill.name}`);
  if (skills.includes(name)) {
    return context.prompt(text);
  }
  const names = [...slashCommands.map((candidate) => candidate.name), ...skills];
  context.tell(`There is no command ${name}; ${(await didYouMean(name, names)) ?? "/help shows all"}`);
}

function commandOf(text: string): SlashCommand | undefined {
  return slashCommands.find((command) => command.name === nameOf(text));
}

function nameOf(text: string): string {
  return text.split(/\s/, 1)[0] ?? "";
}

async function clear(context: CommandContext): Promise<void> {
  await context.clear();
  context.tell("The history of this session is archived; the next prompt begins anew.");
}

function helpText(): string {
  const commands = slashCommands.filter((command) => command.description !== "");
  const lines = [...commands.map(({ name, description }) => [name, description]), ["/skill:NAME TEXT", "uses a skill"]];
  return `${lines.map(([name = "", description = ""]) => `${name.padEnd(18)}${description}`).join("\n")}\n\n${keysText}`;
}

function skillsText(skills: readonly SkillDefinition[]): string {
  return skills.length === 0
    ? "This agent has no skills; they live in skills/NAME/SKILL.md."
    : skills.map((skill) => `${skillPrefix}${skill.name}  ${skill.description.replace(/\s+/g, " ").trim()}`).join("\n");
}
