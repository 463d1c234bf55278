import { plainLine } from "@mdx-ai/directory/text";
import type { SkillDefinition } from "@mdx-ai/parser";
import { errorMessage } from "@mdx-ai/runtime/error-message";
import type { Asked } from "../approval/approval-content.ts";
import { counted } from "../output/figures.ts";
import type { Theme } from "../output/theme.ts";
import type { Dialogue } from "./dialogue.ts";
import type { Choose } from "./list-questions.ts";
import { type Grant, permissionsText, runModeCommand } from "./permissions-text.ts";
import { renameCurrent, SessionCommand } from "./session-command.ts";
import type { SessionOptions } from "./session-options.ts";
import { reportCompaction, reportInfo, userOf } from "./session-reports.ts";
import { runSkillCommand } from "./skill-command.ts";
import { type CommandContext, isSkillCommand, isSlashCommand, nameOf, runSlashCommand } from "./slash-commands.ts";
import { runThemeCommand } from "./theme-choice.ts";
import { runToolCommand, type ToolOutput } from "./view/tool-output.ts";

export interface LocalCommandOptions {
  readonly options: Pick<
    SessionOptions,
    | "agent"
    | "dataDir"
    | "workspace"
    | "folder"
    | "currentDirectory"
    | "models"
    | "skills"
    | "user"
    | "permissions"
    | "environment"
    | "redact"
  >;
  readonly dialogue: Dialogue;
  /** Shows an answer, which may be foreign text. */
  readonly show: (answer: string) => void;
  /** The same for an error. */
  readonly fail: (message: string) => void;
  /** Lets the user choose from a list. */
  readonly choose: Choose;
  /** Asks the user; false for no. */
  readonly confirm: (question: Asked) => Promise<boolean>;
  /** The width of the terminal. */
  readonly columns: () => number;
  /** Sends a control sequence to the terminal. */
  readonly send: (sequence: string) => void;
  /** Switches to another session. If that cannot be opened, rejects and changes nothing. */
  readonly enter: (session: string) => Promise<void>;
  /** Switches vi keys on or off. Returns what to say. */
  readonly toggleVi: () => string;
  readonly leave: () => void;
  readonly theme: Theme;
  /** What was allowed for more than one call so far. */
  readonly grants: () => readonly Grant[];
  readonly output: ToolOutput;
}

/** Runs slash commands. No model receives them; their answers are in the session's log. */
export class LocalCommands {
  readonly #parts: LocalCommandOptions;
  readonly #sessions = new SessionCommand();

  constructor(parts: LocalCommandOptions) {
    this.#parts = parts;
  }

  /** Other input: the question of a command stays unanswered. */
  forget(): void {
    this.#sessions.forget();
  }

  /** Runs the command in a text. Never rejects. */
  async run(text: string): Promise<void> {
    if (nameOf(text) !== "/session") this.forget();
    let leaves = false;
    const leave = (): void => {
      leaves = true;
    };
    const answer = await this.#answer(text, { ...this.#context(), leave });
    const { options, dialogue } = this.#parts;
    try {
      options.agent.note({ name: nameOf(text), input: text, output: answer }, dialogue.session);
    } catch {
      // The session cannot be opened any more; its next use reports that.
    }
    if (leaves) this.#parts.leave();
  }

  async #answer(text: string, context: CommandContext): Promise<string> {
    const { show, fail } = this.#parts;
    try {
      const answer = await runSlashCommand(text, context);
      if (answer !== "") show(answer);
      return answer;
    } catch (error) {
      const message = errorMessage(error);
      fail(message);
      return message;
    }
  }

  #context(): Omit<CommandContext, "leave"> {
    const { options, dialogue, enter, toggleVi, grants, choose, confirm, columns, send, output } = this.#parts;
    const { agent, dataDir, workspace, folder, currentDirectory, skills, permissions, environment, redact } = options;
    const { session, chosenModel } = dialogue;
    const places = { dataDir, current: session, workspace, home: environment["HOME"] };
    const sessions = { ...places, redact, choose, enter, release: (id: string) => agent.release(id) };
    const busyWith: Dialogue["busyWith"] = (activity, work) => dialogue.busyWith(activity, work);
    return {
      skills,
      toggleVi,
      memory: agent,
      searchMemory: async (query) =>
        (await import("./memory-commands.ts")).searchMemory(query, agent, { session, folder }),
      columns,
      info: () => reportInfo(agent, session, { model: chosenModel, user: options.user ?? userOf(environment) }),
      tool: (words) => runToolCommand(words, agent, { session, output }),
      mcp: async (words) => (await import("./mcp-command.ts")).runMcpCommand(words, agent, session),
      skill: (words) => runSkillCommand(words, agent, session),
      permissions: () => permissionsText(permissions, grants(), agent.modeOf(session)),
      mode: (words) => runModeCommand(words, agent, session),
      theme: (words) => runThemeCommand(words, this.#parts.theme, environment),
      compact: () =>
        busyWith("compacting", (signal) => reportCompaction(agent, session, { signal, model: chosenModel })),
      clear: () => agent.clear(session),
      undo: async (words) => (await takeBackCommand()).runUndo(agent, session, words),
      rewind: async (words) => (await takeBackCommand()).runRewind(agent, { session, words }, { choose, confirm }),
      model: (words) => this.#chooseModel(words),
      exportTo: async (words) =>
        (await import("./export-command.ts")).runExport(words, { ...places, currentDirectory, redact }),
      copy: async () => (await import("./copy-command.ts")).runCopy(agent, session, { environment, send }),
      commit: async (message) =>
        (await import("./commit-command.ts")).runCommit(message, { folder, environment, confirm, busyWith }),
      resume: () => this.#resume(),
      queue: (words) => runQueueCommand(words, dialogue, skills),
      session: (words) => this.#sessions.run(words, sessions),
      rename: (title) => renameCurrent(redact(title), places),
    };
  }

  async #chooseModel(words: string): Promise<string> {
    const { options, dialogue, choose } = this.#parts;
    const { runModel } = await import("./model-command.ts");
    const { model } = dialogue;
    const use = (chosen: typeof model): void => dialogue.chooseModel(chosen);
    return runModel(words, { models: options.models, model, choose, use });
  }

  async #resume(): Promise<string> {
    const { options, dialogue } = this.#parts;
    const pendingPrompts = await options.agent.pendingPrompts(dialogue.session);
    if (pendingPrompts.length === 0) return "There is nothing to resume.";
    dialogue.resume();
    return "";
  }
}

/** Loaded when it is first needed. */
const takeBackCommand = () => import("./take-back-command.ts");

/** Runs `/queue` with these words and returns the answer. */
export function runQueueCommand(
  words: string,
  dialogue: Pick<Dialogue, "queue" | "enqueue" | "drop">,
  skills: readonly SkillDefinition[],
): string {
  if (words === "") return queueText(dialogue.queue);
  const drop = /^drop(?:\s+(\S+))?$/.exec(words);
  if (drop !== null) return dropped(drop[1], dialogue);
  if (isSlashCommand(words) && !isSkillCommand(words, skills))
    return `${nameOf(words)} is not a prompt and cannot be queued.`;
  dialogue.enqueue(words);
  return "";
}

function queueText(queue: readonly string[]): string {
  if (queue.length === 0) return "Nothing waits; /queue TEXT sends a prompt when the running one has ended.";
  return queue.map((text, at) => `${at + 1}  ${plainLine(text)}`).join("\n");
}

function dropped(number: string | undefined, dialogue: Pick<Dialogue, "queue" | "drop">): string {
  const text = number !== undefined && /^\d+$/.test(number) ? dialogue.drop(Number(number)) : undefined;
  if (text !== undefined) return `Removed from the queue: ${plainLine(text)}`;
  const there = counted(dialogue.queue.length, "prompt");
  return `/queue drop N removes the prompt with that number; ${there} wait${dialogue.queue.length === 1 ? "s" : ""}.`;
}
