import type { Change, TrustAnswer } from "@mdx-ai/directory";
import { capitalized, plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import { signInText } from "@mdx-ai/directory/views/prompt-lines";
import type { AgentEvent, ApprovalAnswer, ApprovalRequest, AskBudget } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import type { AnswerServer, McpAnswer } from "@mdx-ai/runtime";
import type { Asked } from "../approval/approval-content.ts";
import { budgetQuestion } from "../approval/budget-question.ts";
import { Attention } from "./attention.ts";
import { isCommand } from "./command-texts.ts";
import type { ConversationFace } from "./conversation-face.ts";
import { Dialogue } from "./dialogue.ts";
import { Interrupts } from "./interrupts.ts";
import { type QuestionQueue, trustQuestion } from "./question-queue.ts";
import type { SessionOptions } from "./session-options.ts";
import { pendingText } from "./session-reports.ts";
import { mustWait, SlashCommands } from "./slash-commands.ts";
import { inBackground, lastExchanges } from "./view/lines.ts";
import { PromptView } from "./view/prompt-view.ts";
import { TodoList } from "./view/todo-list.ts";

const NEVER: AbortSignal = new AbortController().signal;
/** Milliseconds for a prompt to finish its output when the user leaves. */
const FAREWELL = 500;

/** The logic of a conversation on a terminal, independent of how it is drawn: prompts, commands, questions and shutdown. */
export class ConversationCore {
  readonly own: PromptView;
  readonly background: PromptView;
  readonly dialogue: Dialogue;
  readonly commands: SlashCommands;
  readonly attention: Attention;
  /** The list that the model keeps in the current session. */
  readonly todo: TodoList = new TodoList();
  readonly #options: SessionOptions;
  readonly #face: ConversationFace;
  readonly #interrupts = new Interrupts();
  readonly #left = Promise.withResolvers<number>();
  #isLeaving = false;

  constructor(options: SessionOptions, face: ConversationFace) {
    const { agent, session, terminal, redact } = options;
    const { theme, screen, output } = face;
    this.#options = options;
    this.#face = face;
    const shown = { screen, theme, output, redact };
    this.own = new PromptView({ ...shown, said: (text) => face.said(text, this.dialogue.said(text)) });
    this.background = new PromptView({ ...shown, said: (text) => inBackground(text, theme) });
    this.attention = new Attention({ way: terminal.notify ?? "bell", write: (sequence) => face.send(sequence) });
    const dialogue = {
      ...{ agent, theme, view: this.own, show: face.echo, giveBack: face.giveBack },
      prepare: (text: string) => face.input().prepare(text),
      fail: (message: string) => face.say(message, "failure"),
      heard: (event: AgentEvent) => this.#heard(event),
    };
    this.dialogue = new Dialogue(dialogue, session);
    this.commands = new SlashCommands({
      ...{ options, dialogue: this.dialogue, theme, output, columns: face.columns, send: face.send },
      choose: (question) => face.lists().choose(question),
      ask: this.askUser,
      confirm: async (question) => (await this.askUser(question)).answer !== "no",
      grants: () => this.#queue.grants,
      show: (answer) => face.say(answer),
      fail: (message) => face.say(message, "failure"),
      toggleVi: face.toggleVi,
      retype: face.retype,
      enter: (id) => this.#enter(id),
      leave: () => this.leave(0),
    });
  }

  /**
   * Shows how many messages the session has and the last of them, then resumes pending prompts. Resolves to the exit code when the user has
   * left, after showing how to resume.
   */
  async run(messages: readonly Message[], onBegun: () => void): Promise<number> {
    this.#begin(messages, true);
    onBegun();
    await this.#takeUp(this.#options.resumes);
    this.#face.ready();
    const code = await this.#left.promise;
    this.#isLeaving = true;
    this.#face.input().shell.stop();
    await this.#sayFarewell();
    return code;
  }

  /** Ends the conversation with this exit code. */
  leave(exitCode: number): void {
    this.#left.resolve(exitCode);
  }

  /** Whether the user has left, so that no more input is read. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Whether a call belongs to a prompt that the user did not send. */
  readonly isBackground = (toolCallId: string): boolean =>
    this.background.isRunning(toolCallId) && !this.own.isRunning(toolCallId);

  /** Called when a question opens or the last one closes. */
  readonly onQuestion = (isOpen: boolean): void =>
    isOpen ? this.attention.questionOpened() : this.attention.questionClosed();

  /** Asks the user a question that cannot be withdrawn. */
  readonly askUser = (asked: Asked): Promise<ApprovalAnswer> => this.#queue.ask(asked, NEVER);

  showBackground(event: AgentEvent): void {
    this.background.show(event);
  }

  /** Asks the user about a call. Rejects when `signal` fires. */
  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    return { ...(await this.#queue.askAbout(request, signal)), by: "terminal" };
  }

  /** Asks the user an MCP server's question. Rejects when `signal` fires. */
  async askServer(...[server, question, signal]: Parameters<AnswerServer>): Promise<McpAnswer> {
    const { answerWith } = await import("../mcp/ask-server-question.ts");
    return answerWith((asked, stop) => this.#queue.ask(asked, stop))(server, question, signal);
  }

  /** Asks whether a prompt may spend more. Rejects when `signal` fires. */
  async askBudget(...[budget, signal]: Parameters<AskBudget>): Promise<ApprovalAnswer> {
    return { ...(await this.#queue.ask(budgetQuestion(budget), signal)), by: "terminal" };
  }

  /** Asks whether changed code may run. Rejects when `signal` fires. */
  async askTrust(changes: readonly Change[], signal: AbortSignal): Promise<TrustAnswer> {
    const { answer } = await this.#queue.ask(trustQuestion(changes), signal);
    return answer === "always" || answer === "no" ? answer : "once";
  }

  /** Reports that the agent was reloaded. */
  reloaded(): void {
    this.#face.say(`${plainLine(this.#options.agent.name)} was reloaded`, "dim");
  }

  /** Reports that the agent's files have errors. */
  broken(diagnostics: string): void {
    this.#face.say(diagnostics);
    this.#face.say("The agent stays unchanged until this is fixed", "warning");
  }

  /** Shows a line of the log. */
  debug(line: string): void {
    this.#face.say(`debug: ${line}`, "dim");
  }

  /** Shows the sign-in address of an MCP server unwrapped, so that it can be copied. */
  signIn(server: string, url: string): void {
    this.#face.say(signInText(server, url), "warning");
  }

  warn(message: string): void {
    this.#face.say(`Warning: ${message}`, "warning");
  }

  /** Classifies a typed text: a prompt, a command, or a command that must wait until the running prompt has ended. */
  kindOf(text: string): "prompt" | "command" | "later" {
    if (!isCommand(text, this.#options.skills)) return "prompt";
    return this.dialogue.isBusy && mustWait(text) ? "later" : "command";
  }

  /** Sends a prompt. */
  say(text: string): void {
    this.commands.forget();
    this.dialogue.say(text);
  }

  /** Called on typing, so that the next Ctrl+C counts as the first. */
  typed(): void {
    this.#interrupts.forget();
  }

  /** Handles Ctrl+C: leaves a list, answers an open question with no, and stops running work. A second one leaves. */
  interrupt(): void {
    const { hint, idle, input, lists, questions } = this.#face;
    if (lists().dismiss()) return;
    questions().dismiss();
    if (input().shell.stop()) {
      this.#interrupts.press(performance.now(), true);
      hint("Stopping the command; press Ctrl+C again to exit");
      return;
    }
    switch (this.#interrupts.press(performance.now(), this.dialogue.isBusy)) {
      case "leave":
        this.leave(0);
        return;
      case "stop":
        this.dialogue.stop();
        hint("Stopping; press Ctrl+C again to exit");
        return;
      case "warn":
        hint("Press Ctrl+C again to exit");
        idle();
        return;
    }
  }

  get #queue(): QuestionQueue {
    return this.#face.questions().queue;
  }

  #heard(event: AgentEvent): void {
    if (event.type === "agent_start") this.attention.promptBegan();
    if (event.type === "agent_end") this.attention.promptEnded();
    this.todo.heard(event);
    this.#face.heard(event);
    if (event.type === "agent_end" && this.#options.agent.mode === "plan") void this.#askAboutPlan(event);
  }

  /** After a plan the user says whether and in which mode it is carried out. Input that waits goes first. */
  async #askAboutPlan(event: AgentEvent): Promise<void> {
    const { askAboutPlan, endsWithPlan, GO } = await import("./plan-question.ts");
    if (!endsWithPlan(event) || this.dialogue.queue.length > 0 || this.#isLeaving) return;
    const answer = await askAboutPlan((question) => this.#face.lists().choose(question));
    if (answer?.type === "say") this.say(answer.text);
    if (answer?.type !== "go") return;
    this.#options.agent.setMode(answer.mode);
    this.say(GO);
  }

  /** Shows the end of the earlier conversation. */
  #begin(messages: readonly Message[], isFirst: boolean): void {
    const { header, say, screen, theme } = this.#face;
    const { notice } = this.dialogue.model;
    this.todo.restore(messages);
    header(messages.length, isFirst);
    if (isFirst && notice !== undefined) say(notice, "warning");
    for (const drawing of lastExchanges(messages, theme)) screen.append(drawing);
  }

  async #enter(session: string): Promise<void> {
    const messages = await this.#options.agent.session(session).messages();
    this.dialogue.enter(session);
    this.#begin(messages, false);
    await this.#takeUp(false);
  }

  /** Reports prompts that an earlier process left unfinished, and runs them if `resumes`. */
  async #takeUp(resumes: boolean): Promise<void> {
    const { agent, isPicked } = this.#options;
    const pending = await agent.session(this.dialogue.session).pendingPrompts();
    const text = pendingText(pending, resumes);
    if (text !== undefined) this.#face.say(text, "warning");
    else if (resumes && !isPicked) this.#face.say("There is nothing to resume.");
    if (resumes && pending.length > 0) this.dialogue.resume();
  }

  /** Closes the agent: a stopped prompt shows its end, and running and queued prompts are kept. Shows what is kept and how to resume. */
  async #sayFarewell(): Promise<void> {
    const { agent, dataDir, wayBack } = this.#options;
    const { queue, isInterruptible, session } = this.dialogue;
    this.dialogue.end();
    await Promise.race([agent.close(), Bun.sleep(FAREWELL)]);
    if (dataDir === undefined) return;
    const running = isInterruptible ? ["the running prompt"] : [];
    const kept = [...running, ...(queue.length === 0 ? [] : [`${counted(queue.length, "prompt")} of the queue`])];
    const verb = running.length + queue.length === 1 ? "is" : "are";
    if (kept.length > 0) {
      this.#face.say(capitalized(`${kept.join(" and ")} ${verb} kept and finished before the next one`), "warning");
    }
    const line = wayBack(session);
    if (line !== undefined) this.#face.say(line, "dim");
  }
}
