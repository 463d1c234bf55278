import type {
  AvailableCommand,
  ContentBlock,
  NewSessionResponse,
  PromptResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import {
  type ChoosableModels,
  choosableModels,
  type FrontEnd,
  type OpenDirectory,
  type RunOptions,
  resolveModels,
} from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import { compactionLine, type Incident, incidentLine } from "@mdx-ai/directory/views/prompt-lines";
import type { AgentEvent, Question } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";
import { PERMISSION_MODES, type PermissionMode } from "@mdx-ai/parser";
import type { Session } from "@mdx-ai/runtime";
import {
  AnsweredQuestionError,
  keepSessionModel,
  sessionModel,
  sessionSummary,
  UnknownQuestionError,
} from "@mdx-ai/sessions";
import { invalidParams } from "./acp-errors.ts";
import { COMPACT, sessionCommands } from "./commands.ts";
import type { Editor } from "./editor.ts";
import { type PromptInput, promptInput } from "./prompt-input.ts";
import { PromptResult } from "./prompt-result.ts";
import { PromptUpdates } from "./prompt-updates.ts";
import { askEditor } from "./questions.ts";
import { configOptions, modeState, referenceOf, type SessionChoices } from "./session-options.ts";
import { shownCall } from "./tool-calls.ts";

export interface AcpSessionParts {
  readonly open: OpenDirectory;
  readonly run: RunOptions;
  readonly frontEnd: FrontEnd;
  readonly editor: Editor;
  /** The working directory of tools. Absolute. */
  readonly folder: string;
  /** For a session that existed: what this client chose there before. */
  readonly earlier?: EarlierChoices;
  readonly onWarning: (message: string) => void;
}

/** A question that the client shows. */
interface ShownQuestion {
  readonly question: Question;
  readonly withdrawal: AbortController;
}

/** What a user chose in a session. */
export interface EarlierChoices {
  readonly mode?: PermissionMode;
  /** The reference of a model; absent for the agent's own. */
  readonly model?: string;
}

/** What a client is told of a session when it is opened. */
export type OpenedState = Pick<NewSessionResponse, "modes" | "configOptions">;

/** A session that a client has open: an agent of its own, in the session's workspace. */
export class AcpSession {
  readonly id: string;
  readonly #parts: AcpSessionParts;
  readonly #session: Session;
  readonly #models: ChoosableModels;
  readonly #updates: PromptUpdates;
  /** The prompts that the client waits for. */
  readonly #running = new Map<AbortController, Promise<PromptResponse>>();
  /** The questions that the client shows, by id. */
  readonly #questions = new Map<string, ShownQuestion>();
  /** What the user chose; undefined: the agent's own, with its fallbacks. */
  #model: LanguageModel | undefined;
  /** The reference of the model in use. */
  #reference = "";
  #references: readonly string[] = [];
  #mode: PermissionMode;
  #commands: readonly AvailableCommand[] = [];
  #isTitled: boolean;
  /** Whether its commands may have changed since they were sent. */
  #isReloaded = false;

  constructor(parts: AcpSessionParts) {
    const { open, run, frontEnd, folder } = parts;
    this.id = open.session;
    this.#parts = parts;
    this.#session = open.agent.session(this.id);
    this.#models = choosableModels({ run, directory: () => open.directory, frontEnd });
    this.#updates = new PromptUpdates(folder);
    this.#mode = this.#session.mode;
    this.#isTitled = this.#title() !== "";
  }

  get dataDirectory(): string {
    return this.#parts.open.dataDirectory;
  }

  /** What the user chose while the session was open before. */
  get choices(): EarlierChoices {
    return { mode: this.#mode, ...(this.#model !== undefined && { model: this.#reference }) };
  }

  /** Reads which models the user can choose, and chooses what was chosen before. */
  async state(): Promise<OpenedState> {
    const { open, run, frontEnd } = this.#parts;
    const listed = await this.#models.list().catch(() => []);
    this.#references = listed.filter(({ missing }) => missing.length === 0).map(({ reference }) => reference);
    const { models } = await resolveModels(run, open.directory.definition.settings, frontEnd);
    const ready = models.map(({ reference }) => reference.value).find((one) => this.#references.includes(one));
    this.#reference = ready ?? referenceOf(open.agent.model);
    await this.#chooseAgain();
    const options = { configOptions: this.#options() };
    return this.#isShared ? options : { modes: modeState(this.#mode), ...options };
  }

  /** Chooses what was chosen before: by this client, else by another one, else the model of the last answer if it is none of the agent's own. */
  async #chooseAgain(): Promise<void> {
    const { open, earlier } = this.#parts;
    if (earlier === undefined) return;
    if (earlier.mode !== undefined) open.agent.setMode(earlier.mode);
    this.#mode = this.#session.mode;
    const own = [open.agent.model, ...open.agent.fallbacks].map(referenceOf);
    const kept = this.#isShared ? undefined : sessionModel(open.dataDirectory, this.id);
    const model = earlier.model ?? kept ?? (await this.#lastModel());
    if (model === undefined || own.includes(model) || !this.#references.includes(model)) return;
    // A model that cannot be opened now is chosen no more.
    await this.#setModel(model).catch(() => {});
  }

  async #lastModel(): Promise<string | undefined> {
    const messages = await this.#session.messages();
    const last = messages.findLast((message) => message.role === "assistant");
    return last && referenceOf({ provider: last.provider, name: last.model });
  }

  /** Runs what the user sends to its end, after prompts that an earlier process left unfinished. Rejects with a `RequestError`, or as `Session.prompt` does. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const input = promptInput(blocks);
    const stop = new AbortController();
    const response = this.#run(input, AbortSignal.any([stop.signal, signal]));
    this.#running.set(stop, response);
    try {
      return await response;
    } finally {
      this.#running.delete(stop);
    }
  }

  async #run({ text, images }: PromptInput, signal: AbortSignal): Promise<PromptResponse> {
    if (text.trim() === `/${COMPACT}`) return this.#compact(signal);
    const result = new PromptResult();
    const options = { ...(images.length > 0 && { images }), ...this.#chosenModel, signal, isKept: true };
    for await (const event of this.#session.prompt(text, options)) {
      result.add(event);
      await this.#show(event);
    }
    if (result.note !== undefined) await this.#say(result.note);
    await this.#report();
    return result.response();
  }

  /** Cancels all prompts that the client waits for; their requests end with "cancelled". */
  cancel(): void {
    for (const stop of this.#running.keys()) stop.abort();
  }

  /** Whether others run its prompts, in the mode of those. */
  get #isShared(): boolean {
    return this.#parts.open.shared !== undefined;
  }

  #options(): ReturnType<typeof configOptions> {
    return configOptions(this.#choices).filter(({ id }) => !(this.#isShared && id === "mode"));
  }

  /** Throws a `RequestError` if there is no such mode. */
  async setMode(id: string): Promise<void> {
    const mode = PERMISSION_MODES.find((known) => known === id);
    if (this.#isShared) throw invalidParams("the workers of the engine choose the mode");
    if (mode === undefined) throw invalidParams(`there is no mode ${JSON.stringify(id)}`);
    this.#parts.open.agent.setMode(mode);
    await this.#announceMode();
  }

  /** Returns the state of all options. Rejects with a `RequestError`, or as `ChoosableModels.open` does. */
  async setOption(id: string, value: unknown): Promise<ReturnType<typeof configOptions>> {
    if (typeof value !== "string") throw invalidParams(`the value of ${JSON.stringify(id)} is a text`);
    if (id === "mode") await this.setMode(value);
    else if (id === "model") await this.#keepModel(value);
    else throw invalidParams(`there is no option ${JSON.stringify(id)}; the options are mode and model`);
    return this.#options();
  }

  /** Sets the model also for editors that load the session later. */
  async #keepModel(reference: string): Promise<void> {
    await this.#setModel(reference);
    const { dataDirectory } = this.#parts.open;
    // Sessions of an engine have no folder: their last answer has the model.
    if (!this.#isShared) keepSessionModel(dataDirectory, this.id, reference);
  }

  async #setModel(reference: string): Promise<void> {
    if (reference === this.#reference) return;
    if (!this.#references.includes(reference)) {
      throw invalidParams(`there is no usable model ${JSON.stringify(reference)}`);
    }
    this.#model = await this.#models.open(reference);
    this.#reference = reference;
  }

  /** Sends the conversation so far, as if it happened now. */
  async replay(): Promise<void> {
    for await (const event of this.#session.events({ after: "0.0", isFollowing: false })) {
      for (const update of this.#updates.of(event, true)) await this.#send(update);
    }
  }

  /** Call it when changed files of the agent are loaded: the client sees new commands after the prompt. */
  reloaded(): void {
    this.#isReloaded = true;
  }

  /** Sends the commands of the session, if they have changed. */
  async announce(): Promise<void> {
    this.#isReloaded = false;
    const availableCommands = await sessionCommands(this.#parts.open.agent, this.#session);
    if (Bun.deepEquals(availableCommands, this.#commands)) return;
    this.#commands = availableCommands;
    await this.#send({ sessionUpdate: "available_commands_update", availableCommands });
  }

  /** Cancels running prompts, waits for their end and closes the agent. */
  async end(): Promise<void> {
    this.cancel();
    await Promise.allSettled(this.#running.values());
    await this.close();
  }

  /** Closes the agent. A running prompt stays interrupted, as after a kill; a session without a prompt stays, too. Never rejects. */
  async close(): Promise<void> {
    this.#withdrawQuestions();
    await this.#parts.open.agent.close();
  }

  get #choices(): SessionChoices {
    return { mode: this.#mode, model: this.#reference, models: this.#references };
  }

  get #chosenModel(): { readonly model?: LanguageModel } {
    return this.#model === undefined ? {} : { model: this.#model };
  }

  async #show(event: AgentEvent): Promise<void> {
    for (const update of this.#updates.of(event)) await this.#send(update);
    switch (event.type) {
      case "question_asked":
        void this.#ask(event.question);
        break;
      case "question_answered":
        this.#answered(event.questionId);
        break;
      case "permission_decided":
        await this.#announceMode();
        break;
      case "agent_end":
        this.#withdrawQuestions();
        break;
      case "model_retry":
      case "request_adapted":
      case "model_fallback":
      case "context_compacted":
        await this.#showIncident(event);
        break;
      default:
    }
  }

  /** Asks the user of the editor. Another answer, such as by `mdx-ai answer`, withdraws the question. Never rejects. */
  async #ask(question: Question): Promise<void> {
    const withdrawal = new AbortController();
    this.#questions.set(question.id, { question, withdrawal });
    const call = question.kind === "approval" ? this.#askedCall(question.request.toolCallId) : undefined;
    const asked = { sessionId: this.id, question, ...(call !== undefined && { call }) };
    try {
      const words = await askEditor(asked, this.#parts.editor, withdrawal.signal);
      if (words !== undefined) await this.#session.answer(question.id, words, BY_EDITOR);
    } catch (error) {
      if (withdrawal.signal.aborted || isSettled(error)) return;
      this.#parts.onWarning(`question ${question.id} could not be asked in the editor: ${String(error)}`);
      await this.#session.answer(question.id, "no", BY_EDITOR).catch(() => {});
    }
  }

  #askedCall(toolCallId: string) {
    const call = this.#updates.call(toolCallId);
    return call && { toolCallId: call.id, ...shownCall(call, this.#parts.folder) };
  }

  #answered(id: string): void {
    const shown = this.#questions.get(id);
    if (shown === undefined) return;
    shown.withdrawal.abort();
    this.#questions.delete(id);
    if (isAboutAddress(shown.question)) void this.#parts.editor.completeElicitation(id);
  }

  #withdrawQuestions(): void {
    for (const { withdrawal } of this.#questions.values()) withdrawal.abort();
    this.#questions.clear();
  }

  /** Reports a mode that an answer or a request has changed. */
  async #announceMode(): Promise<void> {
    const { mode } = this.#session;
    if (mode === this.#mode) return;
    this.#mode = mode;
    await this.#send({ sessionUpdate: "current_mode_update", currentModeId: mode });
    await this.#send({ sessionUpdate: "config_option_update", configOptions: configOptions(this.#choices) });
  }

  async #showIncident(event: Incident): Promise<void> {
    const { session } = this.#parts.editor.capabilities;
    if (event.type === "context_compacted" && session?.compaction != null) {
      await this.#send({ sessionUpdate: "compaction_update", compactionId: event.id ?? "", status: "completed" });
    } else await this.notice(incidentLine(event));
  }

  /** Shows a terminal of the client as the output of a call. */
  async showTerminal(callId: string, terminalId: string): Promise<void> {
    for (const update of this.#updates.inTerminal(callId, terminalId)) await this.#send(update);
  }

  /** Shows a line beside the conversation, in clients that can; else it is a warning of the program. */
  async notice(text: string): Promise<void> {
    const title = plainLine(text);
    if (this.#parts.editor.capabilities.session?.notices == null) this.#parts.onWarning(title);
    else await this.#send({ sessionUpdate: "notice", severity: "info", title });
  }

  async #compact(signal: AbortSignal): Promise<PromptResponse> {
    const report = await this.#session.compact({ ...this.#chosenModel, signal });
    if (signal.aborted) return { stopReason: "cancelled" };
    await this.#say(report === undefined ? "There is nothing to summarise yet." : compactionLine(report));
    await this.#report();
    return { stopReason: "end_turn" };
  }

  #say(text: string): Promise<void> {
    return this.#send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: `${text}\n` } });
  }

  /** Sends what a prompt has changed: the usage, and the title of a new session. */
  async #report(): Promise<void> {
    const { context, session } = await this.#session.info(this.#chosenModel);
    if (context.window !== undefined) {
      const cost = { amount: session.usd, currency: "USD" };
      await this.#send({ sessionUpdate: "usage_update", used: context.tokens, size: context.window, cost });
    }
    if (this.#isReloaded) await this.announce();
    if (this.#isTitled) return;
    const title = this.#title();
    this.#isTitled = title !== "";
    if (this.#isTitled) {
      await this.#send({
        sessionUpdate: "session_info_update",
        title: plainLine(title),
        updatedAt: new Date().toISOString(),
      });
      // Servers may have connected for the first prompt.
      await this.announce();
    }
  }

  #title(): string {
    const summary = sessionSummary(this.#parts.open.dataDirectory, this.id);
    return summary.state === "readable" ? summary.title : "";
  }

  #send(update: SessionUpdate): Promise<void> {
    return this.#parts.editor.update(this.id, update);
  }
}

/** Who answers, in the journal. */
const BY_EDITOR = { by: "editor" } as const;

/** Whether the user opens an address to answer. */
const isAboutAddress = (question: Question): boolean =>
  question.kind === "sign_in" || (question.kind === "elicitation" && question.request.type === "url");

/** Whether a question was answered elsewhere. */
const isSettled = (error: unknown): boolean =>
  error instanceof UnknownQuestionError || error instanceof AnsweredQuestionError;
