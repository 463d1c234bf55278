import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { systemClock } from "@mdx-ai/base";
import type { AgentEvent, AgentTool } from "@mdx-ai/loop";
import type { AssistantMessage, LanguageModel, Message, ModelRequest } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import type { AgentOptions } from "@mdx-ai/runtime";
import { forkSession, readSession, StepGate } from "@mdx-ai/sessions";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { contentText } from "../../packages/loop/src/content-text.ts";
import { sentMessages } from "../../packages/loop/src/context/sent-messages.ts";
import type { Conversation } from "../../packages/loop/src/types/compaction.ts";
import { Permissions } from "../../packages/permissions/src/permissions.ts";
import { protectedPaths } from "../../packages/permissions/src/protected-paths.ts";
import { Accounting } from "../../packages/runtime/src/agent/accounting.ts";
import { EventLog } from "../../packages/runtime/src/agent/event-log.ts";
import { NO_SKILL_TOOLS } from "../../packages/runtime/src/agent/load-agent.ts";
import type { LoadedAgent, OpenOptions } from "../../packages/runtime/src/agent/loaded-agent.ts";
import { NO_MODULES } from "../../packages/runtime/src/agent/open-modules.ts";
import { PromptRunner } from "../../packages/runtime/src/agent/prompt-runner.ts";
import { promptSettings } from "../../packages/runtime/src/agent/prompt-settings.ts";
import { compactSession } from "../../packages/runtime/src/agent/session-context.ts";
import { AgentMemory } from "../../packages/runtime/src/memory/agent-memory.ts";
import { Sandbox } from "../../packages/sandbox/src/sandbox.ts";
import type { Inbox } from "../../packages/sessions/src/hosts/inbox.ts";
import { historyText } from "../../packages/sessions/src/session/history-view.ts";
import { openStoredSession, type StoredSession } from "../../packages/sessions/src/session/stored-session.ts";
import { BackgroundCommands } from "../../packages/tools/src/background-commands.ts";
import { FileMemory } from "../../packages/tools/src/file-memory.ts";
import { ToolHost } from "../../packages/tools/src/tool-host/tool-host.ts";
import { ToolSources } from "../../packages/tools/src/tool-registry.ts";
import { agentDirectory } from "./agent-directory.ts";
import { lifeAnswer } from "./life-answer.ts";
import { LifeFiles, type LifeMark } from "./life-files.ts";
import { LifeWitness } from "./life-witness.ts";
import { assistantMessage, userMessage } from "./model-request.ts";
import type { LifeAnswer, LifeEvent, LifePlan } from "./random-life.ts";
import { sessionQuestions } from "./session-questions.ts";
import { transcriptProblems } from "./transcript-problems.ts";

export interface SessionLife extends Disposable {
  live(event: LifeEvent): Promise<void>;
  /** What is wrong by now. */
  complaints(): readonly string[];
}

const END: LifeAnswer = { calls: [], length: 1, failure: "none", meanwhile: [] };

export async function openLife(plan: Omit<LifePlan, "events">): Promise<SessionLife> {
  const agent = agentDirectory();
  const directory = await readAgentDirectory(agent.path);
  const settings = {
    ...directory.definition.settings,
    context: {
      ...(plan.messages !== undefined && { messages: plan.messages }),
      ...(plan.window !== undefined && { window: plan.window, compactAt: 0.8 }),
    },
  };
  return new Life(plan, agent, { ...directory, definition: { ...directory.definition, settings } });
}

class Life implements SessionLife {
  readonly #agent: { readonly path: string } & Disposable;
  readonly #plan: Omit<LifePlan, "events">;
  readonly #options: OpenOptions;
  readonly #runner: PromptRunner;
  readonly #accounting: Accounting;
  readonly #loaded: LoadedAgent;
  readonly #memory: AgentMemory;
  readonly #events = new EventLog(async function* () {}, { send() {} });
  #inbox: Inbox | undefined;
  #id = "main";
  #session: StoredSession;
  #number = 0;
  /** Answers that the model has still to give. */
  #answers: LifeAnswer[] = [];
  #controller = new AbortController();
  readonly #witness = new LifeWitness();
  /** How far the files were before the last event. */
  #before: LifeMark = { count: 0, size: 0, history: "" };

  constructor(
    plan: Omit<LifePlan, "events">,
    agent: { readonly path: string } & Disposable,
    directory: AgentOptions["directory"],
  ) {
    this.#plan = plan;
    this.#agent = agent;
    const host = new ToolHost({ command: toolHostCommand(), agentDir: agent.path, cwd: agent.path, environment: {} });
    this.#options = {
      directory,
      model: this.#model(),
      cwd: agent.path,
      workspace: agent.path,
      toolHostCommand: toolHostCommand(),
      environment: {},
      ephemeral: true,
      retries: [0, 0],
      maxTurns: 8,
      dataDirectory: agent.path,
      clock: systemClock,
      onWarning: () => {},
    };
    const tools = this.#tools();
    const sources = new ToolSources([{ origin: "builtin", tools: () => tools }], {
      agentDir: agent.path,
      cwd: agent.path,
      log: async () => {},
    });
    const permissions = new Permissions({
      agentDir: agent.path,
      cwd: agent.path,
      environment: {},
      user: { allowsAll: true },
      now: Date.now,
    });
    const sandbox = new Sandbox({
      ...{ agentDir: agent.path, cwd: agent.path, environment: {}, toolHostCommand: toolHostCommand() },
      lists: () => protectedPaths({ environment: {} }),
      policy: { mode: "off", network: "none", read: [], write: [] },
    });
    this.#loaded = {
      skills: NO_SKILL_TOOLS,
      ...{
        options: this.#options,
        host,
        sources,
        files: new FileMemory(),
        background: new BackgroundCommands(),
        permissions,
        sandbox,
      },
      settings: promptSettings(this.#options),
      modules: NO_MODULES,
      servers: [],
      environment: {},
      warnUncontained: () => {},
      warnOfModel: () => {},
    };
    this.#memory = new AgentMemory({
      agentDir: agent.path,
      dataDir: agent.path,
      clock: systemClock,
      isEphemeral: true,
      onWarning: () => {},
    });
    this.#accounting = new Accounting({ loaded: { options: this.#options } });
    this.#runner = new PromptRunner({
      accounting: this.#accounting,
      observe: () => [],
      deliver: async () => {},
      closing: new AbortController().signal,
      gate: new StepGate(),
      memory: this.#memory,
    });
    this.#session = this.#open();
  }

  [Symbol.dispose](): void {
    this.#session.close();
    this.#accounting.settle();
    this.#agent[Symbol.dispose]();
  }

  async live(event: LifeEvent): Promise<void> {
    if (event.type !== "kill") this.#before = this.#files.mark();
    switch (event.type) {
      case "prompt":
        await this.#runPending(event.answers);
        return this.#prompt({ input: this.#text(event.length) }, event.answers);
      case "resume":
        return this.#runPending(event.answers);
      case "enqueue":
        return this.#enqueue();
      case "dequeue":
        return this.#dequeue(event.place);
      case "compact":
        await this.#runPending([]);
        return this.#compact();
      case "reopen":
        return this.#reopen();
      case "kill":
        return this.#kill(event);
      case "rewind":
        return this.#rewind(event.place);
      case "fork":
        return this.#fork(event.place);
      case "clear":
        return this.#clear();
    }
  }

  complaints(): readonly string[] {
    const transcript = this.#files.transcript();
    const whole = transcript.conversation.messages;
    const check = (isRight: boolean, text: string): void => this.#witness.check(isRight, text);
    check(isDeepStrictEqual(this.#session.messages, whole), "memory and disk differ");
    check(isDeepStrictEqual(this.#session.cost, transcript.cost), "cost differs");
    if (transcript.interrupted === undefined) {
      const read = readSession(this.#agent.path, this.#id);
      check(isDeepStrictEqual(read.messages, whole), "readSession differs");
      check(isDeepStrictEqual(read.summary.cost, transcript.cost), "cost of readSession differs");
    }
    const history = this.#files.history();
    check(history === historyText(whole), `history.json differs: ${history} for ${historyText(whole)}`);
    this.#checkSent(transcript.conversation);
    this.#witness.look(this.#files);
    return this.#witness.complaints;
  }

  #checkSent({ messages, compaction: written }: Conversation): void {
    const { context } = promptSettings(this.#options);
    const { compaction } = this.#session.conversation;
    const expected = sentMessages({ first: 0, messages: [...messages], compaction }, context);
    const sent = sentMessages(this.#session.conversation, context);
    const isSame = JSON.stringify(sent) === JSON.stringify(expected);
    this.#witness.check(isSame, `what is sent differs: ${brief(sent)} for ${brief(expected)}`);
    this.#witness.check(isDeepStrictEqual(written, compaction), "the summary differs");
  }

  async #prompt(
    prompt: { readonly input: string; readonly queued?: number | undefined; readonly pendingPrompt?: never },
    answers: readonly LifeAnswer[],
  ): Promise<void> {
    this.#answers = [...answers];
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const questions = sessionQuestions();
    const running = {
      ...prompt,
      id: `prompt ${++this.#number}`,
      signal,
      events: this.#events,
      questions: () => questions,
      onInbox: (inbox: Inbox) => {
        this.#inbox = inbox;
      },
    };
    const reader = { send: (event: AgentEvent) => this.#hear(event) };
    await this.#events.readBy([reader], () => this.#runner.run(this.#session, this.#loaded, running));
    this.#inbox = undefined;
  }

  #hear(event: AgentEvent): void {
    if (event.type === "message_end" && event.message.role === "user") this.#accept(contentText(event.message.content));
    if (event.type !== "agent_end") return;
    for (const text of event.pendingInput ?? []) {
      const said = this.#session.conversation.messages.map(({ content }) => contentText(content));
      this.#witness.check(!said.includes(text), `told and given back: ${text}`);
      this.#witness.letGo(text, this.#files.written().length);
    }
  }

  #accept(text: string): void {
    this.#witness.accept(text, this.#files.written().length);
  }

  async #runPending(answers: readonly LifeAnswer[]): Promise<void> {
    for (const { prompt, queued } of this.#session.pending)
      await this.#prompt({ input: prompt.input, queued }, answers);
  }

  async #enqueue(): Promise<void> {
    const text = this.#text(1);
    await this.#session.enqueue({ text }, text);
    this.#accept(text);
  }

  async #dequeue(place: number): Promise<void> {
    const { queued } = this.#files.transcript();
    const input = queued[place % Math.max(1, queued.length)];
    if (!input) return;
    this.#letGo(input.text);
    await this.#session.dequeue(input.number);
  }

  async #compact(): Promise<void> {
    this.#answers = [END];
    const parts = { loaded: this.#loaded, accounting: this.#accounting, memory: this.#memory };
    await compactSession({ session: this.#session, ...parts }, new AbortController().signal).catch(() => {});
  }

  #reopen(): void {
    const { context } = promptSettings(this.#options);
    const before = JSON.stringify(sentMessages(this.#session.conversation, context));
    const cost = this.#session.cost;
    this.#session.close();
    this.#session = this.#open();
    const after = JSON.stringify(sentMessages(this.#session.conversation, context));
    this.#witness.check(after === before, `what is sent is another after a restart: ${before} ${after}`);
    this.#witness.check(isDeepStrictEqual(cost, this.#session.cost), "cost is another after a restart");
  }

  #kill(where: { readonly share: number; readonly isTorn: boolean }): void {
    this.#session.close();
    this.#files.cut(this.#before, where);
    const place = this.#files.written().length;
    this.#session = this.#open();
    this.#witness.goBack(this.#files.written(), place);
    this.#before = this.#files.mark();
  }

  async #rewind(place: number): Promise<void> {
    const to = this.#promptAt(place);
    this.#leaveAll();
    await this.#session.past.rewind(to);
  }

  async #fork(place: number): Promise<void> {
    const at = this.#promptAt(place);
    this.#leaveAll();
    const from = this.#id;
    this.#session.close();
    this.#id = `fork-${++this.#number}`;
    await forkSession(this.#agent.path, { from, to: this.#id, at, now: 0, onWarning() {} });
    this.#session = this.#open();
    this.#witness.fork();
    this.#before = this.#files.mark();
  }

  #clear(): void {
    const waiting = this.#files.waiting();
    this.#session.clear();
    this.#witness.clear(waiting);
    this.#before = this.#files.mark();
  }

  #promptAt(place: number): number {
    const ended = this.#files.lines().flatMap(({ prompt, step }) => (prompt > 0 && step === "end" ? [prompt] : []));
    return [0, ...ended][place % (ended.length + 1)] ?? 0;
  }

  #leaveAll(): void {
    this.#witness.letGoAllBut(this.#files.waiting(), this.#nextLine());
  }

  #letGo(text: string): void {
    this.#witness.letGo(text, this.#nextLine());
  }

  #nextLine(): number {
    return this.#files.written().length + 1;
  }

  #open(): StoredSession {
    return openStoredSession({
      directory: join(this.#agent.path, "sessions"),
      id: this.#id,
      policy: promptSettings(this.#options).context,
      longFrom: this.#plan.longFrom,
      clock: { now: () => 0 },
      onWarning: (message) => {
        if (!message.includes("the last line of journal.jsonl is unfinished")) this.#witness.complain(message);
      },
    });
  }

  get #files(): LifeFiles {
    return new LifeFiles(join(this.#agent.path, "sessions", this.#id));
  }

  #text(length: number): string {
    return `said ${++this.#number} ${"so ".repeat(length)}.`;
  }

  #tools(): readonly AgentTool[] {
    const parameters = { type: "object", properties: { number: { type: "integer" } } };
    const effect = async (number: unknown): Promise<string> => {
      this.#witness.did(String(number), this.#files.written().length);
      await Promise.resolve();
      return `did ${number}`;
    };
    return [
      { name: "effect", description: "Has an effect", parameters, execute: ({ number }) => effect(number) },
      { name: "look", description: "Looks", parameters, readOnly: true, execute: async () => "seen" },
      {
        name: "steering",
        description: "Has an effect while the user says something",
        parameters,
        execute: async ({ number }) => {
          await this.#meanwhile(["steer"]);
          return effect(number);
        },
      },
    ];
  }

  async #meanwhile(interjections: LifeAnswer["meanwhile"]): Promise<void> {
    for (const one of interjections) {
      if (one === "abort") this.#controller.abort();
      else if (one === "enqueue") await this.#enqueue();
      else {
        const text = this.#text(1);
        if (await this.#inbox?.accept(userMessage(text))) this.#accept(text);
      }
    }
  }

  #model(): LanguageModel {
    const life = this;
    return {
      provider: "test",
      name: "life",
      async *stream(request, signal) {
        const message = await life.#answer(request, signal);
        yield { type: "start", partial: message };
        const isBroken = message.stopReason === "error" || message.stopReason === "aborted";
        if (isBroken) yield { type: "error", message, error: new Error(message.stopReason) };
        else yield { type: "done", message };
      },
    };
  }

  async #answer({ tools, messages }: ModelRequest, signal: AbortSignal): Promise<AssistantMessage> {
    const input = Math.ceil(JSON.stringify(messages).length / 4);
    const usage = { input, output: 3, cacheRead: 0, cacheWrite: 0, thinking: 0, total: input + 3 };
    if (tools.length === 0) return assistantMessage([{ type: "text", text: `summary ${++this.#number}` }], { usage });
    for (const problem of transcriptProblems(messages.slice(messages.findIndex(({ role }) => role !== "toolResult")))) {
      this.#witness.complain(`asked: ${problem}`);
    }
    const answer = this.#answers.shift() ?? END;
    await this.#meanwhile(answer.meanwhile);
    if (signal.aborted) return assistantMessage([], { stopReason: "aborted", errorMessage: "aborted" });
    return lifeAnswer(answer, { usage, number: () => ++this.#number });
  }
}

const brief = (messages: readonly Message[]): string =>
  messages.map(({ role, content }) => `${role[0]}:${contentText(content).slice(0, 12)}`).join(" | ");
