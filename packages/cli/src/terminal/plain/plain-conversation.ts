import { createInterface, type Interface } from "node:readline";
import type { ManifestChange, TrustAnswer } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import type { Message } from "@mdx-ai/models";
import type { AgentEvent, AnswerServer, ApprovalAnswer, ApprovalRequest, McpAnswer } from "@mdx-ai/runtime";
import { SIGNAL_EXIT_CODE } from "../../failures/program-error.ts";
import { signInText } from "../../mcp/server-listeners.ts";
import { drawable } from "../../output/line-layout.ts";
import { type Theme, themeOf } from "../../output/theme.ts";
import { Attention } from "../attention.ts";
import { Dialogue } from "../dialogue.ts";
import { sayFarewell } from "../farewell.ts";
import { SentInput } from "../input/sent-input.ts";
import { type ShellLine, shellLineOf } from "../input/user-shell.ts";
import { Interrupts } from "../interrupts.ts";
import { LocalCommands } from "../local-commands.ts";
import { trustQuestion } from "../question-queue.ts";
import type { Drawing } from "../screen/screen.ts";
import type { SessionOptions } from "../session-options.ts";
import { pendingText } from "../session-reports.ts";
import { isSkillCommand, isSlashCommand, worksWhileRunning } from "../slash-commands.ts";
import { headerText, inBackground, lastExchanges } from "../view/lines.ts";
import { PromptView } from "../view/prompt-view.ts";
import { ToolOutput } from "../view/tool-output.ts";
import { NumberedLists } from "./numbered-lists.ts";
import { NumberedQuestions } from "./numbered-questions.ts";

const COLUMNS = 80;
const NEVER: AbortSignal = new AbortController().signal;

/**
 * A conversation in lines, for screen readers and terminals that cannot move their cursor: what is written stays, nothing is
 * drawn again, and the terminal edits the line that is typed.
 */
export class PlainConversation {
  readonly #options: SessionOptions;
  /** No colours, and ornaments that can be read out. */
  readonly #theme: Theme = themeOf({ NO_COLOR: "1", LC_ALL: "C" });
  readonly #own: PromptView;
  readonly #background: PromptView;
  readonly #dialogue: Dialogue;
  readonly #questions: NumberedQuestions;
  readonly #lists = new NumberedLists((lines) => this.#say(...lines));
  readonly #commands: LocalCommands;
  readonly #sent: SentInput;
  readonly #attention: Attention;
  readonly #output = new ToolOutput(false);
  readonly #interrupts = new Interrupts();
  readonly #left = Promise.withResolvers<number>();
  /** What was typed here, which need not be shown again. */
  readonly #typed = new Set<string>();
  /** The lines of an input that continues. */
  #begun: string[] = [];
  #isAtMark = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    const theme = this.#theme;
    const screen = { append: (drawing: Drawing) => this.#write(drawing), refresh: () => {}, rows: () => 0 };
    const shown = { screen, theme, output: this.#output, redact: (text: string) => options.redact(text) };
    this.#own = new PromptView({ ...shown, said: (text) => this.#said(text) });
    this.#background = new PromptView({ ...shown, said: (text) => inBackground(text, theme) });
    this.#dialogue = new Dialogue(
      {
        ...{ agent: options.agent, theme, view: this.#own, show: () => {}, heard: (event) => this.#heard(event) },
        prepare: (text) => this.#sent.prepare(text),
        giveBack: (texts) => this.#say(...texts.map((text) => `Not sent: ${plainLine(text)}`)),
        fail: (message) => this.#say(drawable(message)),
      },
      options.session,
    );
    const isBackground = (id: string): boolean => this.#background.isRunning(id) && !this.#own.isRunning(id);
    const onOpen = (isOpen: boolean): void =>
      isOpen ? this.#attention.questionOpened() : this.#attention.questionClosed();
    this.#questions = new NumberedQuestions({ theme, write: screen.append, isBackground, onOpen });
    this.#sent = new SentInput({
      ...{ agent: options.agent, folder: options.folder, home: options.environment["HOME"], theme, screen },
      ask: (asked) => this.#questions.queue.ask(asked, NEVER),
      warn: (message) => this.warn(message),
    });
    this.#attention = new Attention({
      way: options.terminal.notify ?? "bell",
      write: (sequence) => process.stdout.write(sequence),
    });
    this.#commands = new LocalCommands({
      ...{ options, theme, output: this.#output, dialogue: this.#dialogue, grants: () => this.#questions.queue.grants },
      choose: this.#lists.choose,
      confirm: async (question) => (await this.#questions.queue.ask(question, NEVER)).answer !== "no",
      columns: () => process.stdout.columns || COLUMNS,
      send: (sequence) => process.stdout.write(sequence),
      show: (answer) => this.#say(...drawable(answer).split("\n")),
      fail: (message) => this.#say(drawable(message)),
      toggleVi: () => "There are no vi keys here: the terminal edits the line that is typed.",
      enter: (session) => this.#enter(session),
      leave: () => this.#left.resolve(0),
    });
  }

  /** As `Conversation.run`. */
  async run(
    messages: readonly Message[],
    waiting: readonly ((conversation: PlainConversation) => void)[],
  ): Promise<number> {
    const input = createInterface({ input: process.stdin, terminal: false });
    const unwatch = this.#watch(input);
    try {
      this.#begin(messages);
      if (this.#options.agent.model.notice !== undefined) this.#say(drawable(this.#options.agent.model.notice));
      for (const happening of waiting) happening(this);
      await this.#takeUp(this.#options.resumes);
      this.#mark();
      const code = await this.#left.promise;
      const append = (text: string): void => this.#say(text);
      this.#sent.shell.stop();
      await sayFarewell({ options: this.#options, dialogue: this.#dialogue, theme: this.#theme, append });
      return code;
    } finally {
      unwatch();
      input.close();
      this.#attention.stop();
    }
  }

  showBackground(event: AgentEvent): void {
    this.#background.show(event);
  }

  /** Asks the user about a call. Rejects when `signal` fires. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    return this.#questions.queue.askAbout(request, signal);
  }

  /** Answers a question of an MCP server with the user's help. Rejects when `signal` fires. */
  async askServer(...[server, question, signal]: Parameters<AnswerServer>): Promise<McpAnswer> {
    const { answerWith } = await import("../../mcp/ask-server-question.ts");
    return answerWith((asked, stop) => this.#questions.queue.ask(asked, stop))(server, question, signal);
  }

  /** Asks whether code that has changed may run. Rejects when `signal` fires. */
  async askTrust(changes: readonly ManifestChange[], signal: AbortSignal): Promise<TrustAnswer> {
    const { answer } = await this.#questions.queue.ask(trustQuestion(changes), signal);
    return answer === "always" || answer === "no" ? answer : "once";
  }

  reloaded(): void {
    this.#say(`${plainLine(this.#options.agent.name)} now matches its files`);
  }

  broken(diagnostics: string): void {
    this.#say(drawable(diagnostics), "The agent stays as it was until this is fixed");
  }

  /** A line of the log, for who looks for a fault. */
  debug(line: string): void {
    this.#say(drawable(`debug: ${line}`));
  }

  signIn(server: string, url: string): void {
    this.#say(drawable(signInText(server, url)));
  }

  warn(message: string): void {
    this.#say(drawable(`Warning: ${message}`));
  }

  /** Returns the end of the watch. */
  #watch(input: Interface): () => void {
    const leaveFor = (name: keyof typeof SIGNAL_EXIT_CODE) => (): void => this.#left.resolve(SIGNAL_EXIT_CODE[name]);
    const listeners = [
      ["SIGINT", () => this.#interrupt()],
      ["SIGTERM", leaveFor("SIGTERM")],
      ["SIGHUP", leaveFor("SIGHUP")],
    ] as const;
    for (const [name, listener] of listeners) process.on(name, listener);
    input.on("line", (line) => this.#onLine(line)).on("close", () => this.#left.resolve(0));
    return () => {
      for (const [name, listener] of listeners) process.off(name, listener);
    };
  }

  #begin(messages: readonly Message[]): void {
    const { agent } = this.#options;
    const { session, model } = this.#dialogue;
    this.#say(drawable(headerText({ agent, model, session, messages: messages.length }, this.#theme)));
    this.#say("Enter sends a line; a line that ends with \\ continues. /help shows more, Ctrl+D leaves.");
    for (const drawing of lastExchanges(messages, this.#theme)) this.#write(drawing);
  }

  async #takeUp(resumes: boolean): Promise<void> {
    const pendingPrompts = await this.#options.agent.pendingPrompts(this.#dialogue.session);
    const text = pendingText(pendingPrompts, resumes);
    if (text !== undefined) this.#say(drawable(text));
    if (resumes && pendingPrompts.length > 0) this.#dialogue.resume();
  }

  async #enter(session: string): Promise<void> {
    const messages = await this.#options.agent.messages(session);
    this.#dialogue.enter(session);
    this.#begin(messages);
    await this.#takeUp(false);
  }

  #onLine(line: string): void {
    this.#isAtMark = false;
    this.#interrupts.forget();
    this.#attention.typed();
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
    if (line !== undefined) {
      await this.#runShell(line);
      return;
    }
    const isCommand = isSlashCommand(text) && !isSkillCommand(text, this.#options.skills);
    if (text.trim() === "") {
      this.#mark();
    } else if (!isCommand) {
      this.#commands.forget();
      this.#typed.add(text);
      this.#dialogue.say(text);
    } else if (this.#dialogue.isBusy && !worksWhileRunning(text)) {
      this.#say("A prompt is running; send this when it has ended, or stop it with Ctrl+C");
    } else {
      await this.#commands.run(text);
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

  #said(text: string): Drawing {
    const drawing = this.#dialogue.said(text);
    return this.#typed.delete(text) ? () => [] : drawing;
  }

  #heard(event: AgentEvent): void {
    if (event.type === "agent_start") this.#attention.promptBegan();
    if (event.type === "tool_execution_start") this.#say(`Running ${plainLine(event.toolName)}`);
    if (event.type !== "agent_end") return;
    this.#attention.promptEnded();
    // The view shows the event first.
    setImmediate(() => {
      if (this.#own.spent !== undefined) this.#say(this.#own.spent);
      this.#mark();
    });
  }

  /** Ctrl+C, which the terminal turns into a signal. */
  #interrupt(): void {
    if (this.#lists.dismiss()) return;
    this.#questions.dismiss();
    this.#begun = [];
    if (this.#sent.shell.stop()) {
      this.#interrupts.press(performance.now(), true);
      this.#say("Stopping the command; press Ctrl+C again to exit");
      return;
    }
    switch (this.#interrupts.press(performance.now(), this.#dialogue.isBusy)) {
      case "leave":
        this.#left.resolve(0);
        return;
      case "stop":
        this.#dialogue.stop();
        this.#say("Stopping; press Ctrl+C again to exit");
        return;
      case "warn":
        this.#say("Press Ctrl+C again to exit");
        this.#mark();
        return;
    }
  }

  /** Shows that a line is awaited, if nothing runs. */
  #mark(): void {
    if (this.#isAtMark || this.#dialogue.isBusy || this.#questions.isOpen || this.#sent.shell.isRunning) return;
    this.#isAtMark = true;
    process.stdout.write("> ");
  }

  #say(...lines: readonly string[]): void {
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
