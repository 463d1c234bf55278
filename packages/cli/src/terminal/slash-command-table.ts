import type { SkillDefinition } from "@mdx-ai/parser";
import { commandHelp, type DescribedCommand, skillName } from "./command-texts.ts";
import { memoryCommands } from "./memory-commands.ts";
import { permissionsText, runModeCommand } from "./permissions-text.ts";
import { forkCurrent, isLookingAtSessions, renameCurrent } from "./session-command.ts";
import { runSkillCommand } from "./skill-command.ts";
import {
  type CommandContext,
  chooseModel,
  chooseReasoning,
  clear,
  commit,
  compact,
  copy,
  drop,
  exportTo,
  info,
  memoryContext,
  resume,
  runQueueCommand,
  sessionContext,
  undoContext,
  writeAgentsFile,
} from "./slash-command-context.ts";
import { runThemeCommand } from "./theme-choice.ts";
import { runToolCommand } from "./view/tool-output.ts";

/** A command of a conversation. Its answer may be untrusted; an empty answer is not shown. */
interface SlashCommand extends DescribedCommand {
  /** Whether it cannot run during a prompt, given its words. Default: it can. */
  readonly mustWait?: (words: string) => boolean;
  /** Returns the answer. */
  run(context: CommandContext, words: string): Promise<string> | string;
}

const always = (): boolean => true;

/** Loaded on demand. */
const undoCommand = () => import("./undo-command.ts");

/** All commands, in help order. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: "/queue",
    words: "TEXT",
    group: "Conversation",
    brief: "send after this prompt",
    description: "sends a prompt when the running one has ended; alone it lists the queue; drop N removes one",
    run: ({ dialogue, options }, words) => runQueueCommand(words, dialogue, options.skills),
  },
  {
    name: "/resume",
    group: "Conversation",
    brief: "finish pending work",
    description: "runs interrupted and queued prompts",
    mustWait: always,
    run: resume,
  },
  {
    name: "/drop",
    brief: "",
    description: "closes interrupted and queued prompts of an earlier run for good; what they have done stays",
    mustWait: always,
    run: drop,
  },
  {
    name: "/undo",
    group: "Conversation",
    brief: "undo the last prompt",
    description:
      "undoes the last prompt and restores the files that it changed; force also restores files that have changed since",
    mustWait: always,
    run: async (context, words) => (await undoCommand()).runUndo(words, undoContext(context), context),
  },
  {
    name: "/rewind",
    words: "N",
    group: "Conversation",
    brief: "go back to a prompt",
    description:
      "undoes prompt N and all after it, with force as for /undo; alone it lets you choose; list shows prompts and their files",
    mustWait: (words) => words !== "list",
    run: async (context, words) => (await undoCommand()).runRewind(words, undoContext(context), context),
  },
  {
    name: "/compact",
    group: "Conversation",
    brief: "summarise the history",
    description: "replaces older messages by a summary in what is sent",
    mustWait: always,
    run: compact,
  },
  {
    name: "/clear",
    group: "Conversation",
    brief: "archive and start over",
    description: "archives the session's history and starts over",
    mustWait: always,
    run: clear,
  },
  {
    name: "/copy",
    group: "Conversation",
    brief: "copy the last answer",
    description: "copies the last answer to the clipboard",
    run: copy,
  },
  {
    name: "/export",
    words: "FILE",
    group: "Session",
    brief: "write it to a file",
    description: "writes the session to a new file: Markdown, or by its ending .json, .html or .jsonl",
    run: exportTo,
  },
  {
    name: "/session",
    words: "WHAT",
    group: "Session",
    brief: "new, switch, delete …",
    description: "new, switch ID, delete ID, list, info; switch alone lets you choose",
    mustWait: (words) => !isLookingAtSessions(words),
    run: (context, words) => context.sessions.run(words, sessionContext(context)),
  },
  {
    name: "/new",
    group: "Session",
    brief: "begin a new session",
    description: "begins a new session",
    mustWait: always,
    run: (context) => context.sessions.run("new", sessionContext(context)),
  },
  {
    name: "/fork",
    words: "NAME",
    brief: "",
    description: "continues this conversation in a new session; the current one stays as it is",
    mustWait: always,
    run: (context, words) => forkCurrent(words, sessionContext(context), (text) => context.options.redact(text)),
  },
  {
    name: "/rename",
    words: "TITLE",
    group: "Session",
    brief: "give it a title",
    description: "gives this session a title, for lists",
    run: (context, words) => renameCurrent(context.options.redact(words), sessionContext(context)),
  },
  {
    name: "/model",
    words: "VENDOR/NAME",
    group: "Agent",
    brief: "choose the model",
    description: "uses another model from the next prompt on; alone it lets you choose",
    run: chooseModel,
  },
  {
    name: "/effort",
    words: "WORD",
    brief: "",
    description: "how much effort the model spends on reasoning from the next prompt on: low, medium, high, …",
    run: chooseReasoning("/effort"),
  },
  {
    name: "/thinking",
    words: "WAY",
    brief: "",
    description: "adaptive, off or a number of tokens: how the model thinks from the next prompt on",
    run: chooseReasoning("/thinking"),
  },
  {
    name: "/info",
    group: "Agent",
    brief: "tokens, cost, window",
    description: "shows user, model, session, turns, tokens, cost and how full the window is",
    run: info,
  },
  {
    name: "/jobs",
    group: "Conversation",
    brief: "background commands",
    description: "lists the commands that the model started in the background; they end with the session",
    run: async ({ dialogue, options }) =>
      (await import("./jobs-text.ts")).jobsText(options.agent.session(dialogue.session).backgroundCommands),
  },
  {
    name: "/agents",
    words: "N",
    brief: "",
    description:
      "lists the agents that work for the session, with their last lines; N shows what one has done; stop N stops it",
    run: async ({ dialogue, options }, words) =>
      (await import("./agents-command.ts")).runAgentsCommand(words, options.agent.session(dialogue.session)),
  },
  {
    name: "/todo",
    group: "Conversation",
    brief: "the model's list",
    description: "shows the list of steps that the model keeps; it is above the input while the model works",
    run: async ({ dialogue, options }) =>
      (await import("./view/todo-list.ts")).todoText(await options.agent.session(dialogue.session).messages()),
  },
  {
    name: "/tool",
    words: "WHAT",
    group: "Conversation",
    brief: "tools, their output",
    description: "list; output full, short or off: how much of results is shown",
    run: ({ dialogue, options, output }, words) =>
      runToolCommand(words, options.agent.session(dialogue.session), output),
  },
  {
    name: "/mcp",
    words: "NAME",
    group: "Conversation",
    brief: "MCP servers",
    description:
      "shows the state of the MCP servers; with a name the tools, resources and prompts of one, which /mcp:SERVER:PROMPT sends",
    run: async ({ dialogue, options }, words) =>
      (await import("../mcp/server-view.ts")).runMcpCommand(words, options.agent, dialogue.session),
  },
  {
    name: "/permissions",
    group: "Agent",
    brief: "what runs, what asks",
    description: "shows which calls run, need approval or are refused",
    run: ({ dialogue, grants, options }) =>
      permissionsText(options.permissions, grants(), options.agent.session(dialogue.session).mode),
  },
  {
    name: "/mode",
    words: "NAME",
    group: "Agent",
    brief: "what runs unasked",
    description: "ask, edits, plan or all: what tools may do without a question; Shift+Tab changes it, too",
    run: ({ dialogue, options }, words) => runModeCommand(words, options.agent, dialogue.session),
  },
  {
    name: "/skills",
    brief: "",
    description: "lists the skills and how to use them",
    run: ({ options }) => skillsText(options.skills),
  },
  {
    name: "/skill",
    words: "WHAT",
    group: "Agent",
    brief: "choose (also /skills)",
    description: "list, enable NAME, disable NAME: the skills of this session",
    run: ({ dialogue, options }, words) => runSkillCommand(words, options.agent.session(dialogue.session)),
  },
  ...memoryCommands.map(({ run, ...command }) => ({
    ...command,
    run: (context: CommandContext, words: string) => run(memoryContext(context), words),
  })),
  {
    name: "/init",
    words: "WISHES",
    brief: "",
    description: "asks the model to write AGENTS.md, which tells agents how to work in this repository",
    run: writeAgentsFile,
  },
  {
    name: "/commit",
    words: "MESSAGE",
    group: "Workspace",
    brief: "commit all changes",
    description: "shows the changes of the workspace, asks, and commits them all with git",
    mustWait: always,
    run: commit,
  },
  {
    name: "/theme",
    words: "NAME",
    group: "Terminal",
    brief: "dark, light or ansi",
    description: "dark, light or ansi: the colours, also of later conversations",
    run: ({ options, theme }, words) => runThemeCommand(words, theme, options.environment),
  },
  {
    name: "/help",
    words: "NAME",
    group: "Terminal",
    brief: "this help",
    description: "shows all commands, one command, or the keys: /help keys",
    run: helpText,
  },
  {
    name: "/vim",
    group: "Conversation",
    brief: "vi keys on or off",
    description: "switches vi keys on or off, also for later conversations",
    run: ({ toggleVi }) => toggleVi(),
  },
  {
    name: "/quit",
    group: "Terminal",
    brief: "leave (also /exit)",
    description: "leaves (also /exit)",
    run: leave,
  },
  { name: "/exit", brief: "", description: "leaves, as /quit", run: leave },
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
  description: "sends a prompt of an MCP server; arguments in order, or as NAME=VALUE",
};

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
    : skills.map((skill) => `${skillName(skill)}  ${skill.description.replace(/\s+/g, " ").trim()}`).join("\n");
}
