import type { Clock } from "@mdx-ai/base";
import { type AgentEvent, type AgentTool, answerText, type PermissionDecision, type ToolResult } from "@mdx-ai/loop";
import type { AssistantMessage, LanguageModel, ModelRequest } from "@mdx-ai/models";
import fc from "fast-check";
import type { PromptPlan } from "../../packages/loop/src/plan.ts";
import type { BudgetEffects } from "../../packages/loop/src/prompt-effects.ts";
import type { LimitName, SpentElsewhere } from "../../packages/loop/src/types/limit.ts";
import type { Answer, PermissionGate, Question } from "../../packages/loop/src/types/question.ts";
import { forgetfulJournal } from "../../packages/sessions/src/journal/journal.ts";
import { approvalRequest } from "./approval-request.ts";
import { runLoop } from "./loop-run.ts";
import { assistantMessage } from "./model-request.ts";

/** What one answer of the model is. */
interface PromptAnswer {
  readonly text: string;
  readonly calls: readonly PromptCall[];
  /** A status: the answer fails with it. */
  readonly failure: 400 | 401 | 429 | 529 | undefined;
  readonly stopReason: "length" | "pause" | "refusal" | "contextExceeded" | undefined;
  readonly input: number;
}

interface PromptCall {
  readonly name: string;
  /** A call with the arguments of another one is the same call. */
  readonly number: number;
  readonly isApproved: boolean;
}

/** A prompt: what its models answer, one after the other, and its plan. */
export interface RandomPrompt {
  readonly answers: readonly PromptAnswer[];
  readonly plan: Partial<PromptPlan>;
  readonly models: number;
}

const call: fc.Arbitrary<PromptCall> = fc.record({
  name: fc.constantFrom("effect", "effect", "look", "fail", "asked", "asked", "denied", "missing", "child"),
  number: fc.integer({ min: 1, max: 3 }),
  isApproved: fc.boolean(),
});

const NONE = Array.from({ length: 7 }, () => undefined);

const answer: fc.Arbitrary<PromptAnswer> = fc.record({
  text: fc.constantFrom("", "Hällo 🌍", "long ".repeat(300)),
  calls: fc.oneof(
    { weight: 6, arbitrary: fc.array(call, { maxLength: 5 }) },
    // What changes the world for all others runs alone: hosts may start calls side by side at different moments.
    {
      weight: 2,
      arbitrary: fc.constantFrom("stop", "late", "say", "say").map((name) => [{ name, number: 1, isApproved: true }]),
    },
  ),
  failure: fc.constantFrom(...NONE, 400, 401, 429, 529),
  stopReason: fc.constantFrom(...NONE, "length", "pause", "refusal", "contextExceeded"),
  input: fc.constantFrom(100, 2000),
});

const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });

/** Prompts with turns, tools, denials, approvals, retries, fallbacks, summaries, steering, a stop, limits, and agents that work for them. */
export const randomPrompt: fc.Arbitrary<RandomPrompt> = fc
  .record({
    answers: fc.array(answer, { minLength: 1, maxLength: 9 }),
    models: fc.integer({ min: 1, max: 3 }),
    retries: fc.constantFrom([], [0], [0, 0]),
    turns: fc.constantFrom(1, 3, 6),
    toolCalls: optional(fc.nat({ max: 5 })),
    repeats: optional(fc.constant(3)),
    tokens: optional(fc.constant(3000)),
    isTimed: fc.boolean(),
    asks: fc.boolean(),
    window: optional(fc.constantFrom(400, 900)),
  })
  .map(({ answers, models, retries, isTimed, asks, window, turns, ...more }) => ({
    answers,
    models,
    plan: {
      retries,
      limits: {
        turns,
        ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)),
        ...(isTimed && { seconds: 60 }),
        ...(asks && { on: "ask" as const }),
      },
      ...(asks && { isMetered: true as const }),
      ...(isTimed && { deadline: 60_000 }),
      context: window === undefined ? {} : { window, compactAt: 0.8 },
    },
  }));

/** What a prompt acts on; it outlives restarts of the loop. */
export class PromptWorld {
  readonly #prompt: RandomPrompt;
  /** The effects of tools, in the order in which they came. */
  readonly effects: string[] = [];
  /** The prompts of agents that work for this one, by call. A call that is repeated gets the same one. */
  readonly #children = new Map<string, Promise<ToolResult>>();
  readonly #raises = new Map<string, { readonly limit: LimitName; readonly by: number }>();
  #time = 0;
  #count = 0;
  /** How many answers are known to be kept; the next question gets the one behind. */
  kept: () => number = () => this.#count++;
  say: (text: string) => Promise<unknown> = async () => {};
  stop: () => unknown = () => {};
  readonly clock: Clock = { now: () => this.#time, after: () => () => {} };

  constructor(prompt: RandomPrompt) {
    this.#prompt = prompt;
  }

  get models(): readonly LanguageModel[] {
    return Array.from({ length: this.#prompt.models }, (_, index) => this.#model(`model-${index}`));
  }

  get tools(): readonly AgentTool[] {
    const parameters = { type: "object", properties: { number: { type: "integer" }, isApproved: { type: "boolean" } } };
    const tool = (name: string, run: (number: unknown) => unknown, more: Partial<AgentTool> = {}): AgentTool => ({
      ...{ name, description: `Does ${name}`, parameters },
      execute: async ({ number }, { callId }) => {
        this.effects.push(`${name} ${callId}`);
        await run(number);
        return `${name} gave ${number}`;
      },
      ...more,
    });
    return [
      tool("effect", () => {}),
      tool("asked", () => {}),
      tool("denied", () => {}),
      tool("look", () => {}, { readOnly: true }),
      tool("fail", (number) => {
        throw new Error(`failed at ${number}`);
      }),
      tool("say", (number) => this.say(`listen ${number}`)),
      tool("stop", () => this.stop()),
      tool("late", () => {
        this.#time += 40_000;
      }),
      tool("child", () => {}, { idempotent: true, execute: ({ number }, { callId }) => this.#child(callId, number) }),
    ];
  }

  /** An agent that works for a call: a prompt of its own, with as many turns as the call says, whose cost counts. */
  #child(callId: string, turns: unknown): Promise<ToolResult> {
    const known = this.#children.get(callId);
    if (known !== undefined) return known;
    const begun = this.#runChild(callId, Number(turns));
    this.#children.set(callId, begun);
    return begun;
  }

  async #runChild(callId: string, turns: number): Promise<ToolResult> {
    const model = childModel(turns);
    const effect: AgentTool = {
      ...{ name: "effect", description: "Does effect", parameters: { type: "object" } },
      execute: async (_args, context) => {
        this.effects.push(`child ${callId} ${context.callId}`);
        return "done";
      },
    };
    let result: ToolResult = { content: [], isError: true };
    const emit = (event: AgentEvent): void => {
      if (event.type !== "agent_end") return;
      const { messages, cost } = event;
      result = {
        content: [{ type: "text", text: answerText(messages) }],
        details: { messages: messages.length },
        cost,
      };
    };
    const conversation = { first: 0, messages: [], compaction: undefined };
    const journal = { journal: forgetfulJournal, prompt: 1, journaled: [], conversation };
    await runLoop({ models: [model], tools: [effect], clock: this.clock, emit }, journal);
    return result;
  }

  /** `asked` is asked about, `denied` is denied, all else may run. */
  get gate(): PermissionGate {
    return {
      rule: async ({ name }) => {
        if (name === "asked") return undefined;
        return name === "denied" ? { action: "deny", reason: "a rule denies it" } : { action: "allow" };
      },
      question: async ({ id, name, arguments: args }) => ({
        kind: "approval",
        request: approvalRequest({ toolCallId: id, toolName: name, args: { isApproved: args["isApproved"] === true } }),
      }),
      settle: async (_call, _subject, { answer }): Promise<PermissionDecision> =>
        answer === "no" ? { action: "deny", reason: "the user says no" } : { action: "allow" },
    };
  }

  /** What the user has added to limits; the same question adds once. */
  get budget(): BudgetEffects {
    const now = async (): Promise<SpentElsewhere> => {
      const raised: Partial<Record<LimitName, number>> = {};
      for (const { limit, by } of this.#raises.values()) raised[limit] = (raised[limit] ?? 0) + by;
      return { raised };
    };
    return {
      spent: now,
      deadline: () => undefined,
      raise: (limit, by, id) => {
        this.#raises.set(id, { limit, by });
        return now();
      },
      ready: async () => {},
    };
  }

  /** The user approves the calls that say so, and allows more twice. */
  answer(question: Question): Answer {
    if (question.kind === "budget") return { answer: /[12]$/.test(question.id) ? "once" : "no", by: "program" };
    const isApproved = question.kind === "approval" && question.request.args["isApproved"] === true;
    return { answer: isApproved ? "once" : "no", by: "program" };
  }

  #model(name: string): LanguageModel {
    const world = this;
    return {
      provider: "test",
      name,
      async *stream(request: ModelRequest, signal) {
        const message = world.#answer(name, request, signal);
        yield { type: "start", partial: message };
        if (message.stopReason === "error") yield { type: "error", message, error: new Error("it failed") };
        else yield { type: "done", message };
      },
    };
  }

  #answer(model: string, { tools }: ModelRequest, signal: AbortSignal): AssistantMessage {
    const place = this.kept();
    const about = { provider: "test", model, timestamp: this.#time };
    const usage = (input: number) => ({ input, output: 7, cacheRead: 0, cacheWrite: 0, thinking: 0, total: input + 7 });
    if (signal.aborted) return assistantMessage([], { ...about, stopReason: "aborted", errorMessage: "aborted" });
    if (tools.length === 0) {
      return assistantMessage([{ type: "text", text: `summary ${place}` }], { ...about, usage: usage(50) });
    }
    const drawn = this.#prompt.answers[place];
    if (!drawn) return assistantMessage([{ type: "text", text: "the end" }], { ...about, usage: usage(10) });
    if (drawn.failure !== undefined) {
      const { failure: status } = drawn;
      const failure = { status, isTransient: status === 429 || status === 529 };
      return assistantMessage([], { ...about, stopReason: "error", errorMessage: `failed with ${status}`, failure });
    }
    const calls = drawn.calls.map(({ name, number, isApproved }, index) => ({
      type: "toolCall" as const,
      id: `call_${place}_${index}`,
      name,
      arguments: { number, isApproved },
    }));
    const stopReason = drawn.stopReason ?? (calls.length > 0 ? "toolUse" : "stop");
    return assistantMessage([{ type: "text", text: drawn.text }, ...calls], {
      ...about,
      usage: usage(drawn.input),
      stopReason,
    });
  }
}

/** Calls `effect` once a turn, then answers. */
function childModel(turns: number): LanguageModel {
  const about = { provider: "test", model: "child", timestamp: 0 };
  const usage = { input: 100, output: 7, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 107 };
  return {
    ...{ provider: "test", name: "child" },
    async *stream({ messages }) {
      const turn = messages.filter(({ role }) => role === "assistant").length + 1;
      const message =
        turn > turns
          ? assistantMessage([{ type: "text", text: `did ${turns}` }], { ...about, usage })
          : assistantMessage([{ type: "toolCall", id: `child_${turn}`, name: "effect", arguments: {} }], {
              ...{ ...about, usage, stopReason: "toolUse" },
            });
      yield { type: "start", partial: message };
      yield { type: "done", message };
    },
  };
}
