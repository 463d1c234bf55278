import { plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import { pendingLine } from "@mdx-ai/directory/views/prompt-lines";
import type { ApprovalAnswer } from "@mdx-ai/loop";
import type { SkillDefinition } from "@mdx-ai/parser";
import type { Asked } from "../approval/approval-content.ts";
import type { Theme } from "../output/theme.ts";
import { userOf } from "../sessions/user-name.ts";
import { isCommand, nameOf } from "./command-texts.ts";
import type { Dialogue } from "./dialogue.ts";
import type { Choose } from "./list-questions.ts";
import { type MemoryContext, searchMemory } from "./memory-commands.ts";
import type { Grant } from "./permissions-text.ts";
import type { SessionCommand, SessionCommandContext } from "./session-command.ts";
import type { SessionOptions } from "./session-options.ts";
import { reportCompaction, reportInfo } from "./session-reports.ts";
import type { UndoContext } from "./undo-command.ts";
import type { ToolOutput } from "./view/tool-output.ts";

/** What slash commands work with. */
export interface CommandContext {
  readonly options: Omit<SessionOptions, "isPicked" | "isPlain" | "resumes" | "session" | "terminal" | "wayBack">;
  readonly dialogue: Pick<
    Dialogue,
    "busyWith" | "chooseModel" | "chosenModel" | "drop" | "enqueue" | "model" | "queue" | "resume" | "session"
  >;
  /** Asks for confirmation before deleting. */
  readonly sessions: SessionCommand;
  /** Lets the user choose from a list. */
  readonly choose: Choose;
  readonly ask: (question: Asked) => Promise<ApprovalAnswer>;
  /** Asks the user; false for no. */
  readonly confirm: (question: Asked) => Promise<boolean>;
  /** The width of the terminal. */
  readonly columns: () => number;
  /** Sends a control sequence to the terminal. */
  readonly send: (sequence: string) => void;
  /** Switches to another session. Rejects without any change if it cannot be opened. */
  readonly enter: (session: string) => Promise<void>;
  /** Switches vi keys on or off. Returns the message to show. */
  readonly toggleVi: () => string;
  /** Puts a text into the input if it is empty. */
  readonly retype: (text: string) => void;
  readonly leave: () => void;
  readonly theme: Theme;
  /** Permissions granted for more than one call. */
  readonly grants: () => readonly Grant[];
  readonly output: ToolOutput;
}

/** Runs interrupted and queued prompts. */
export async function resume({ dialogue, options }: CommandContext): Promise<string> {
  const pending = await options.agent.session(dialogue.session).pendingPrompts();
  if (pending.length === 0) return "There is nothing to resume.";
  dialogue.resume();
  return "";
}

/** Closes interrupted and queued prompts for good. What they have done stays in the session. */
export async function drop({ dialogue, options }: CommandContext): Promise<string> {
  const session = options.agent.session(dialogue.session);
  const pending = await session.pendingPrompts();
  if (pending.length === 0) return "There is no interrupted or queued prompt.";
  // The last first: closing the interrupted one would begin the next.
  for (const { id } of pending.toReversed()) await session.cancel(id);
  return ["Closed:", ...pending.map((prompt) => `  ${pendingLine(prompt)}`)].join("\n");
}

/** Replaces older messages with a summary. */
export const compact = ({ dialogue, options }: CommandContext): Promise<string> =>
  dialogue.busyWith("compacting", (signal) =>
    reportCompaction(options.agent.session(dialogue.session), { signal, model: dialogue.chosenModel }),
  );

/** Archives the session's history. */
export async function clear({ dialogue, options }: CommandContext): Promise<string> {
  await options.agent.session(dialogue.session).clear();
  return "The history of this session is archived; the next prompt starts over.";
}

/** Copies the last answer. */
export async function copy({ dialogue, options: { agent, environment }, send }: CommandContext): Promise<string> {
  const { runCopy } = await import("./take-out-commands.ts");
  return runCopy(agent.session(dialogue.session), { environment, send });
}

/** Writes the session to a file. */
export async function exportTo(context: CommandContext, words: string): Promise<string> {
  const { runExport } = await import("./take-out-commands.ts");
  return runExport(words, { ...sessionContext(context), currentDirectory: context.options.currentDirectory });
}

/** Chooses the model for the next prompts. */
export async function chooseModel({ choose, dialogue, options }: CommandContext, words: string): Promise<string> {
  const { runModel } = await import("./model-command.ts");
  const { model } = dialogue;
  return runModel(words, { models: options.models, model, choose, use: (chosen) => dialogue.chooseModel(chosen) });
}

/** Sets how much the model reasons in the next prompts. */
export const chooseReasoning =
  (command: "/effort" | "/thinking") =>
  async ({ dialogue, options }: CommandContext, words: string): Promise<string> => {
    const { runReasoning } = await import("./model-command.ts");
    const { model } = dialogue;
    return runReasoning(command, words, { models: options.models, model, use: (one) => dialogue.chooseModel(one) });
  };

/** Asks the model to write AGENTS.md for the folder where tools work. */
export function writeAgentsFile({ dialogue }: CommandContext, words: string): string {
  dialogue.enqueue(words === "" ? AGENTS_PROMPT : `${AGENTS_PROMPT}\n\n${words}`);
  return "";
}

const AGENTS_PROMPT = `Write AGENTS.md in the current folder, for agents that will work in this repository. If it exists, improve it and keep what is still true.
Look at the files first: what the project is, how to set it up, build it, test it and check its style, how it is laid out, and which conventions a reader cannot guess.
Keep it short, at most 40 lines, with the exact commands. Write nothing that you have not seen in the files.`;

/** The usage and cost of the session and the day. */
export function info({ dialogue, options: { agent, environment, user } }: CommandContext): Promise<string> {
  return reportInfo(agent, dialogue.session, { model: dialogue.chosenModel, user: user ?? userOf(environment) });
}

/** The context of the commands that undo prompts. */
export const undoContext = ({ dialogue, options: { agent, folder }, retype }: CommandContext): UndoContext => ({
  ...{ folder, retype },
  session: agent.session(dialogue.session),
});

/** Commits all changes of the workspace. */
export async function commit({ confirm, dialogue, options }: CommandContext, message: string): Promise<string> {
  const { runCommit } = await import("./commit-command.ts");
  const { environment, folder } = options;
  return runCommit(message, { folder, environment, confirm, busyWith: (what, work) => dialogue.busyWith(what, work) });
}

/** The context of the session commands. */
export function sessionContext({ choose, dialogue, enter, options }: CommandContext): SessionCommandContext {
  const { agent, dataDir, environment, redact, workspace } = options;
  const places = { dataDir, current: dialogue.session, workspace, home: environment["HOME"] };
  const memories = async (): Promise<number> => (await agent.memory.memories()).length;
  return { ...places, redact, choose, enter, memories, release: (id) => agent.session(id).release() };
}

/** The context of the memory commands. */
export const memoryContext = ({ dialogue, options: { agent, folder } }: CommandContext): MemoryContext => ({
  memory: agent.memory,
  searchMemory: (query) => searchMemory(query, agent, { session: dialogue.session, folder }),
});

/** Runs `/queue` and returns the answer. */
export function runQueueCommand(
  words: string,
  dialogue: Pick<Dialogue, "queue" | "enqueue" | "drop">,
  skills: readonly SkillDefinition[],
): string {
  if (words === "") return queueText(dialogue.queue);
  const drop = /^drop(?:\s+(\S+))?$/.exec(words);
  if (drop !== null) return dropped(drop[1], dialogue);
  if (isCommand(words, skills)) return `${nameOf(words)} is not a prompt and cannot be queued.`;
  dialogue.enqueue(words);
  return "";
}

function queueText(queue: readonly string[]): string {
  if (queue.length === 0) return "The queue is empty; /queue TEXT sends a prompt when the running one has ended.";
  return queue.map((text, at) => `${at + 1}  ${plainLine(text)}`).join("\n");
}

function dropped(number: string | undefined, dialogue: Pick<Dialogue, "queue" | "drop">): string {
  const text = number !== undefined && /^\d+$/.test(number) ? dialogue.drop(Number(number)) : undefined;
  if (text !== undefined) return `Removed from the queue: ${plainLine(text)}`;
  const there = counted(dialogue.queue.length, "prompt");
  return `/queue drop N removes the prompt with that number; ${there} wait${dialogue.queue.length === 1 ? "s" : ""}.`;
}
