import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { AssistantMessage, LanguageModel, Message, ModelRequest } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type AgentEvent, type AgentOptions, forkSession, readSession } from "@mdx-ai/runtime";
import { leftovers } from "../../packages/runtime/src/agent/leftovers.ts";
import { promptSettings } from "../../packages/runtime/src/agent/prompt-settings.ts";
import { PromptWorker } from "../../packages/runtime/src/agent/prompt-worker.ts";
import { toolRegistry } from "../../packages/runtime/src/agent/tool-registry.ts";
import { systemClock } from "../../packages/runtime/src/clock.ts";
import { contentText } from "../../packages/runtime/src/content-text.ts";
import { sentMessages } from "../../packages/runtime/src/context/sent-messages.ts";
import type { JournalLine } from "../../packages/runtime/src/journal/journal-line.ts";
import { AgentMemory } from "../../packages/runtime/src/memory/agent-memory.ts";
import { historyText } from "../../packages/runtime/src/session/history-view.ts";
import { journalPaths } from "../../packages/runtime/src/session/journal-paths.ts";
import { lookAtLines } from "../../packages/runtime/src/session/look-at-lines.ts";
import { openStoredSession, type StoredSession } from "../../packages/runtime/src/session/stored-session.ts";
import { readTranscript } from "../../packages/runtime/src/session/transcript.ts";
import { openToolHost } from "../../packages/runtime/src/tool-host/tool-host.ts";
import type { AgentTool } from "../../packages/runtime/src/types/tool.ts";
import { agentDirectory } from "./agent-directory.ts";
import { lifeAnswer } from "./life-answer.ts";
import { assistantMessage } from "./model-request.ts";
import type { LifeAnswer, LifeEvent, LifePlan } from "./random-life.ts";
import { toolHostCommand } from "./tool-host-command.ts";
import { transcriptProblems } from "./transcript-problems.ts";

/** A place in what the session's journals hold: bytes of all of them. */
type Place = number;

/** Something that a user was told is safe, or that was done outside. */
interface Fact {
  readonly text: string;
  readonly at: Place;
}

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
  readonly #options: AgentOptions;
  readonly #worker: PromptWorker;
  #id = "main";
  #session: StoredSession;
  #number = 0;
  /** Answers that the model has still to give. */
  #answers: LifeAnswer[] = [];
  #controller = new AbortController();
  #accepted: Fact[] = [];
  #effects: Fact[] = [];
  /** Texts that need not be found any more: of branches that were left, taken back, given back to the user. */
  #let = new Map<string, Place>();
  #wrong: string[] = [];
  /** All that the journals held, without their heads. */
  #written = "";
  /** Bytes of the live journal before the last event, while it was not put aside since. */
  #before = { count: 0, size: 0, history: "" };

  constructor(
    plan: Omit<LifePlan, "events">,
    agent: { readonly path: string } & Disposable,
    directory: AgentOptions["directory"],
  ) {
    this.#plan = plan;
    this.#agent = agent;
    const host = openToolHost({ command: toolHostCommand, agentDir: agent.path, cwd: agent.path, environment: {} });
    this.#options = {
      directory,
      model: this.#model(),
      cwd: agent.path,
      toolHostCommand,
      environment: {},
      ephemeral: true,
      retries: [0, 0],
      maxTurns: 8,
    };
    const tools = toolRegistry(this.#tools(), { agentDir: agent.path, cwd: agent.path, log: async () => {} });
    this.#worker = new PromptWorker({
      options: this.#options,
      clock: systemClock,
      observe: () => [],
      host,
      onWarning: () => {},
      tools: () => tools,
      moduleSections: () => [],
      memory: new AgentMemory({ agentDir: agent.path, clock: systemClock, isEphemeral: true, onWarning: () => {} }),
    });
    this.#session = this.#open();
  }

  [Symbol.dispose](): void {
    this.#session.close();
    this.#worker.close();
    this.#agent[Symbol.dispose]();
  }

  async live(event: LifeEvent): Promise<void> {
    if (event.type !== "kill") this.#before = this.#size();
    switch (event.type) {
      case "prompt":
        await this.#workOffLeftovers(event.answers);
        return this.#prompt({ input: this.#text(event.length) }, event.answers);
      case "resume":
        return this.#workOffLeftovers(event.answers);
      case "enqueue":
        return this.#enqueue();
      case "dequeue":
        return this.#dequeue(event.place);
      case "compact":
        await this.#workOffLeftovers([]);
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
    const lines = lookAtLines(this.#folder);
    const transcript = readTranscript(lines);
    const whole = transcript.conversation.messages;
    const check = (isRight: boolean, text: string): void => void (isRight || this.#wrong.push(text));
    check(isDeepStrictEqual(this.#session.messages, whole), "memory and disk differ");
    check(isDeepStrictEqual(this.#session.spending, transcript.spending), "spending differs");
    if (transcript.interrupted === undefined) {
      const read = readSession(this.#agent.path, this.#id);
      check(isDeepStrictEqual(read.messages, whole), "readSession differs");
      check(isDeepStrictEqual(read.summary.spending, transcript.spending), "spending of readSession differs");
    }
    const history = readFileSync(join(this.#folder, "history.json"), "utf8");
    check(history === historyText(whole), `history.json differs: ${history} for ${historyText(whole)}`);
    for (const problem of transcriptProblems(whole)) check(false, problem);
    this.#checkSent(whole);
    this.#checkTexts(lines, whole);
    this.#checkEffects(lines);
    const written = this.#read();
    check(written.startsWith(this.#written), "the journal was changed");
    this.#written = written;
    return this.#wrong;
  }

  #checkSent(whole: readonly Message[]): void {
    const { context } = promptSettings(this.#options);
    const { compaction } = this.#session.conversation;
    const expected = sentMessages({ first: 0, messages: [...whole], compaction }, context);
    const sent = sentMessages(this.#session.conversation, context);
    if (JSON.stringify(sent) !== JSON.stringify(expected)) {
      this.#wrong.push(`what is sent differs: ${brief(sent)} for ${brief(expected)}`);
    }
    const read = readTranscript(lookAtLines(this.#folder)).conversation.compaction;
    if (!isDeepStrictEqual(read, compaction)) this.#wrong.push("the summary differs");
  }

  /** What was accepted is somewhere, and nowhere twice. */
  #checkTexts(lines: readonly JournalLine[], whole: readonly Message[]): void {
    const said = whole.flatMap((message) => (message.role === "user" ? [contentText(message.content)] : []));
    if (new Set(said).size !== said.length) this.#wrong.push(`told twice: ${said}`);
    const open = readTranscript(lines).interrupted ?? [];
    const begun = open.flatMap((line) => ("result" in line ? [JSON.stringify(line.result)] : []));
    const waiting = readTranscript(lines).queued.map(({ text }) => text);
    const both = waiting.filter((text) => said.includes(text));
    if (both.length > 0) this.#wrong.push(`waits and was told: ${both}`);
    for (const { text } of this.#accepted) {
      const isThere = said.includes(text) || waiting.includes(text) || begun.some((line) => line.includes(`"${text}"`));
      if (!isThere && !this.#let.has(text)) this.#wrong.push(`lost: ${text.slice(0, 20)}`);
    }
  }

  #checkEffects(lines: readonly JournalLine[]): void {
    const done = this.#effects.map(({ text }) => text);
    if (new Set(done).size !== done.length) this.#wrong.push(`done twice: ${done}`);
    const prompts = lines.flatMap(({ prompt }) => (prompt === 0 ? [] : [prompt]));
    if (
      !isDeepStrictEqual(
        prompts,
        prompts.toSorted((one, other) => one - other),
      )
    )
      this.#wrong.push("prompts are out of order");
  }

  async #prompt(
    prompt: { readonly input: string; readonly queued?: number | undefined; readonly leftover?: never },
    answers: readonly LifeAnswer[],
  ): Promise<void> {
    this.#answers = [...answers];
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    await this.#worker.run(this.#session, {
      ...prompt,
      models: [this.#options.model],
      signal,
      emit: (event) => this.#hear(event),
    });
  }

  #hear(event: AgentEvent): void {
    if (event.type === "message_end" && event.message.role === "user") this.#accept(contentText(event.message.content));
    if (event.type !== "agent_end") return;
    for (const text of event.undelivered ?? []) {
      const said = this.#session.conversation.messages.map(({ content }) => contentText(content));
      if (said.includes(text)) this.#wrong.push(`told and given back: ${text}`);
      this.#let.set(text, this.#read().length);
    }
  }

  #accept(text: string): void {
    if (!this.#accepted.some((fact) => fact.text === text)) this.#accepted.push({ text, at: this.#read().length });
  }

  async #workOffLeftovers(answers: readonly LifeAnswer[]): Promise<void> {
    for (const { prompt, queued } of leftovers(this.#session))
      await this.#prompt({ input: prompt.input, queued }, answers);
  }

  async #enqueue(): Promise<void> {
    const text = this.#text(1);
    await this.#session.enqueue(text);
    this.#accept(text);
  }

  async #dequeue(place: number): Promise<void> {
    const { queued } = readTranscript(lookAtLines(this.#folder));
    const input = queued[place % Math.max(1, queued.length)];
    if (!input) return;
    this.#letGo(input.text);
    await this.#session.dequeue(input.number);
  }

  async #compact(): Promise<void> {
    this.#answers = [END];
    await this.#worker.compact(this.#session, this.#options.model, new AbortController().signal).catch(() => {});
  }

  #reopen(): void {
    const { context } = promptSettings(this.#options);
    const before = JSON.stringify(sentMessages(this.#session.conversation, context));
    const spending = this.#session.spending;
    this.#session.close();
    this.#session = this.#open();
    const after = JSON.stringify(sentMessages(this.#session.conversation, context));
    if (after !== before) this.#wrong.push(`what is sent is another after a restart: ${before} ${after}`);
    if (!isDeepStrictEqual(spending, this.#session.spending)) this.#wrong.push("spending is another after a restart");
  }

  #kill({ share, isTorn }: { readonly share: number; readonly isTorn: boolean }): void {
    this.#session.close();
    const live = join(this.#folder, "journal.jsonl");
    const bytes = readFileSync(live);
    const now = this.#size();
    const start = now.count === this.#before.count ? this.#before.size : bytes.indexOf("\n") + 1;
    let cut = Math.round(start + share * (now.size - start));
    if (!isTorn) cut = Math.max(start, bytes.lastIndexOf("\n", cut - 1) + 1);
    truncateSync(live, cut);
    if (cut < now.size) writeFileSync(join(this.#folder, "history.json"), this.#before.history);
    const place = this.#read().length;
    this.#accepted = this.#accepted.filter(({ at }) => at <= place);
    this.#effects = this.#effects.filter(({ at }) => at <= place);
    this.#let = new Map([...this.#let].filter(([, at]) => at <= place));
    this.#session = this.#open();
    this.#written = this.#read();
    this.#before = this.#size();
  }

  async #rewind(place: number): Promise<void> {
    const to = this.#promptAt(place);
    this.#leaveAll();
    await this.#session.rewind(to);
  }

  async #fork(place: number): Promise<void> {
    const at = this.#promptAt(place);
    this.#leaveAll();
    const from = this.#id;
    this.#session.close();
    this.#id = `fork-${++this.#number}`;
    await forkSession(this.#agent.path, { from, to: this.#id, at, now: 0, onWarning() {} });
    this.#session = this.#open();
    for (const { text } of this.#accepted) this.#let.set(text, 0);
    this.#written = "";
    this.#before = this.#size();
  }

  /** What was said is in the archive now, and what waits still waits. */
  #clear(): void {
    const waiting = readTranscript(lookAtLines(this.#folder)).queued;
    this.#session.clear();
    this.#accepted = waiting.map(({ text }) => ({ text, at: 0 }));
    this.#effects = this.#effects.map(({ text }) => ({ text, at: 0 }));
    this.#written = "";
    this.#before = this.#size();
  }

  #promptAt(place: number): number {
    const ended = lookAtLines(this.#folder).flatMap(({ prompt, step }) =>
      prompt > 0 && step === "end" ? [prompt] : [],
    );
    return [0, ...ended][place % (ended.length + 1)] ?? 0;
  }

  /** What was said until now may be left on a branch; what waits in the queue is not. */
  #leaveAll(): void {
    const waiting = readTranscript(lookAtLines(this.#folder)).queued.map(({ text }) => text);
    for (const { text } of this.#accepted) if (!waiting.includes(text)) this.#letGo(text);
  }

  /** From the next line on. */
  #letGo(text: string): void {
    if (!this.#let.has(text)) this.#let.set(text, this.#read().length + 1);
  }

  #open(): StoredSession {
    return openStoredSession({
      directory: join(this.#agent.path, "sessions"),
      id: this.#id,
      policy: promptSettings(this.#options).context,
      longFrom: this.#plan.longFrom,
      now: () => 0,
      onWarning: (message) => {
        if (!message.includes("an unfinished last line")) this.#wrong.push(message);
      },
    });
  }

  get #folder(): string {
    return join(this.#agent.path, "sessions", this.#id);
  }

  /** All journals as one, without the heads. */
  #read(): string {
    const texts = journalPaths(this.#folder).map((path) => readFileSync(path, "utf8"));
    return texts.map((text) => text.replace(/^\{"v":1,"prompt":0,"step":"segment".*\n/, "")).join("");
  }

  #size(): { readonly count: number; readonly size: number; readonly history: string } {
    const paths = journalPaths(this.#folder);
    const history = readFileSync(join(this.#folder, "history.json"), "utf8");
    return { count: paths.length, size: readFileSync(join(this.#folder, "journal.jsonl")).length, history };
  }

  #text(length: number): string {
    return `said ${++this.#number} ${"so ".repeat(length)}.`;
  }

  #tools(): readonly AgentTool[] {
    const parameters = { type: "object", properties: { number: { type: "integer" } } };
    const effect = async (number: unknown): Promise<string> => {
      this.#effects.push({ text: String(number), at: this.#read().length });
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
        if (await this.#worker.steer(this.#id, text)) this.#accept(text);
      }
    }
  }

  #model(): LanguageModel {
    const life = this;
    return {
      provider: "test",
      name: "life",
      async *stream(request, signal, ready) {
        await ready;
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
    const usage = { input, output: 3, cacheRead: 0, cacheWrite: 0, thinking: 0 };
    if (tools.length === 0) return assistantMessage([{ type: "text", text: `summary ${++this.#number}` }], { usage });
    for (const problem of transcriptProblems(messages.slice(messages.findIndex(({ role }) => role !== "toolResult")))) {
      this.#wrong.push(`asked: ${problem}`);
    }
    const answer = this.#answers.shift() ?? END;
    await this.#meanwhile(answer.meanwhile);
    if (signal.aborted) return assistantMessage([], { stopReason: "aborted", errorMessage: "aborted" });
    return lifeAnswer(answer, { usage, number: () => ++this.#number });
  }
}

const brief = (messages: readonly Message[]): string =>
  messages.map(({ role, content }) => `${role[0]}:${contentText(content).slice(0, 12)}`).join(" | ");
