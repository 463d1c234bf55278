import { createInterface, type Interface } from "node:readline";
import { plainLine } from "@mdx-ai/directory/text";
import type { AgentEvent } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { SIGNAL_EXIT_CODE } from "../../failures/program-error.ts";
import { drawable } from "../../output/line-layout.ts";
import { type Theme, themeOf } from "../../output/theme.ts";
import { ConversationCore } from "../conversation-core.ts";
import type { ConversationFace } from "../conversation-face.ts";
import { SentInput } from "../input/sent-input.ts";
import { type ShellLine, shellLineOf } from "../input/user-shell.ts";
import type { Drawing } from "../screen/screen.ts";
import type { SessionOptions } from "../session-options.ts";
import { headerText } from "../view/lines.ts";
import { ToolOutput } from "../view/tool-output.ts";
import { NumberedLists, NumberedQuestions } from "./numbered-questions.ts";

const COLUMNS = 80;

/**
 * A conversation in lines, for screen readers and terminals that cannot move their cursor. Output is never redrawn, and the terminal edits
 * the input line.
 */
export class PlainConversation {
  readonly core: ConversationCore;
  readonly #options: SessionOptions;
  /** No colours, and symbols that can be read aloud. */
  readonly #theme: Theme = themeOf({ NO_COLOR: "1", LC_ALL: "C" });
  readonly #screen = { append: (drawing: Drawing) => this.#write(drawing), refresh: () => {}, rows: () => 0 };
  readonly #questions: NumberedQuestions;
  readonly #lists = new NumberedLists((lines) => this.#write(() => lines));
  readonly #sent: SentInput;
  /** Lines typed here, which are not shown again. */
  readonly #typed = new Set<string>();
  /** The lines of an unfinished input. */
  #begun: string[] = [];
  #isAtMark = false;

  constructor(options: SessionOptions) {
    const { agent, environment, folder } = options;
    this.#options = options;
    this.core = new ConversationCore(options, this.#face());
    const { isBackground, onQuestion } = this.core;
    const [theme, screen] = [this.#theme, this.#screen];
    this.#questions = new NumberedQuestions({ theme, write: screen.append, isBackground, onOpen: onQuestion });
    this.#sent = new SentInput({
      ...{ agent, folder, home: environment["HOME"], theme, screen, ask: this.core.askUser },
      session: () => this.core.dialogue.session,
      warn: (message) => this.core.warn(message),
    });
  }

  /** As `ConversationCore.run`. */
  async run(messages: readonly Message[], onBegun: () => void): Promise<number> {
    const input = createInterface({ input: process.stdin, terminal: false });
    const unwatch = this.#watch(input);
    try {
      return await this.core.run(messages, onBegun);
    } finally {
      unwatch();
      input.close();
      this.core.attention.stop();
    }
  }

  #face(): ConversationFace {
    const { agent, terminal } = this.#options;
    const output = new ToolOutput({ mode: terminal.tool_output, hasKey: false });
    const say = (text: string): void => this.#say(text);
    return {
      ...{ theme: this.#theme, screen: this.#screen, output, say, hint: say },
      header: (messages, isFirst) => {
        const { session, model } = this.core.dialogue;
        say(headerText({ agent, model, session, messages }, this.#theme));
        if (isFirst) say("Enter sends a line; a line that ends with \\ continues. /help shows more, Ctrl+D leaves.");
      },
      ready: () => this.#mark(),
      echo: () => {},
      said: (text, drawing) => (this.#typed.delete(text) ? () => [] : drawing),
      giveBack: (texts) => {
        for (const text of texts) say(`Not sent: ${plainLine(text)}`);
      },
      // The terminal edits the line, so nothing can be put into it.
      retype: () => {},
      heard: (event) => this.#heard(event),
      idle: () => this.#mark(),
      questions: () => this.#questions,
      lists: () => this.#lists,
      input: () => this.#sent,
      columns: () => process.stdout.columns || COLUMNS,
      send: (sequence) => void process.stdout.write(sequence),
      toggleVi: () => "There are no vi keys here: the terminal edits the line that is typed.",
    };
  }

  /** Returns a function that stops watching. */
  #watch(input: Interface): () => void {
    const listeners = [
      ["SIGINT", () => this.#interrupt()],
      ["SIGTERM", () => this.core.leave(SIGNAL_EXIT_CODE.SIGTERM)],
      ["SIGHUP", () => this.core.leave(SIGNAL_EXIT_CODE.SIGHUP)],
    ] as const;
    for (const [name, listener] of listeners) process.on(name, listener);
    input.on("line", (line) => this.#onLine(line)).on("close", () => this.core.leave(0));
    return () => {
      for (const [name, listener] of listeners) process.off(name, listener);
    };
  }

  #onLine(line: string): void {
    this.#isAtMark = false;
    this.core.typed();
    this.core.attention.typed();
    if (this.#begun.length === 0 && (this.#lists.typed(line) || this.#questions.typed(line))) return;
    const isContinued = line.endsWith("\\");
    this.#begun.push(isContinued ? line.slice(0, -1) : line);
    if (isContinued) return;
    const text = this.#begun.join("\n");
    this.#begun = [];
    void this.#send(text);
  }

  async #send(text: string): Promise<void> {
    const line = shellLineOf(text);
    const kind = this.core.kindOf(text);
    if (line !== undefined) {
      await this.#runShell(line);
    } else if (text.trim() === "") {
      this.#mark();
    } else if (kind === "prompt") {
      this.#typed.add(text);
      this.core.say(text);
    } else if (kind === "later") {
      this.#say("A prompt is running; send this when it has ended, or stop it with Ctrl+C");
    } else {
      await this.core.commands.run(text);
      this.#mark();
    }
  }

  async #runShell(line: ShellLine): Promise<void> {
    const { shell } = this.#sent;
    if (shell.isRunning) {
      this.#say("A command is running; Ctrl+C stops it");
      return;
    }
    this.#say(`Running ${plainLine(line.command)}`);
    await shell.run(line);
    this.#mark();
  }

  #heard(event: AgentEvent): void {
    if (event.type === "tool_execution_start") this.#say(`Running ${plainLine(event.toolName)}`);
    if (event.type !== "agent_end") return;
    // Deferred, so that the view shows the event first.
    setImmediate(() => {
      if (this.core.own.spent !== undefined) this.#say(this.core.own.spent);
      this.#mark();
    });
  }

  /** Handles SIGINT, which the terminal sends for Ctrl+C. */
  #interrupt(): void {
    this.#begun = [];
    this.core.interrupt();
  }

  /** Shows that input is expected, if nothing runs. */
  #mark(): void {
    if (this.#isAtMark || this.core.dialogue.isBusy || this.#questions.isOpen || this.#sent.shell.isRunning) return;
    this.#isAtMark = true;
    process.stdout.write("> ");
  }

  /** Shows a text, which may be untrusted. */
  #say(text: string): void {
    const lines = drawable(text).split("\n");
    this.#write(() => lines);
  }

  #write(drawing: Drawing): void {
    const lines = drawing(process.stdout.columns || COLUMNS);
    if (lines.length === 0) return;
    const start = this.#isAtMark ? "\n" : "";
    this.#isAtMark = false;
    process.stdout.write(`${start}${lines.map((line) => `${line.trimEnd()}\n`).join("")}`);
  }
}
