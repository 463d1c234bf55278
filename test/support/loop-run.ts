import { type Clock, systemClock } from "@mdx-ai/base";
import type { AgentEvent, AgentTool } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";
import { allowAllGate } from "../../packages/loop/src/allow-all-gate.ts";
import type { PromptPlan } from "../../packages/loop/src/plan.ts";
import type { PromptEffects } from "../../packages/loop/src/prompt-effects.ts";
import { runPrompt } from "../../packages/loop/src/run-prompt.ts";
import type { Answer, PermissionGate, Question } from "../../packages/loop/src/types/question.ts";
import { Inbox } from "../../packages/sessions/src/hosts/inbox.ts";
import { LocalHost } from "../../packages/sessions/src/hosts/local-host.ts";
import { forgetfulJournal } from "../../packages/sessions/src/journal/journal.ts";
import type { PromptJournal } from "../../packages/sessions/src/session/session.ts";
import { toolRegistry } from "../../packages/tools/src/tool-registry.ts";
import { userMessage } from "./model-request.ts";
import { planOf } from "./prompt-steps.ts";

export interface LoopRun {
  /** Not empty; the first is asked. */
  readonly models: readonly LanguageModel[];
  readonly tools: readonly AgentTool[];
  readonly input?: string;
  readonly plan?: Partial<PromptPlan>;
  readonly gate?: PermissionGate;
  /** The user's answers; "once" if absent. */
  readonly ask?: (question: Question, signal: AbortSignal) => Promise<Answer>;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  readonly closing?: AbortSignal;
  /** US dollars of each answer. */
  readonly cost?: number;
  /** What is set beside the rest. */
  readonly effects?: Partial<PromptEffects>;
  emit(event: AgentEvent): void;
  onInbox?(inbox: Inbox): void;
}

/** What the steps of a prompt act on, without an agent around it. */
export function loopEffects(run: LoopRun): PromptEffects {
  const { models, gate = allowAllGate, clock = systemClock, cost } = run;
  const tools = toolRegistry(run.tools, { agentDir: "/", cwd: "/", log: async () => {} });
  return {
    begin: async () => ({
      input: { ...userMessage(run.input ?? "go"), timestamp: clock.now() },
      id: "prompt",
      plan: planOf({
        models: models.map(({ provider, name }) => ({ provider, name })),
        tools: tools.planned,
        ...run.plan,
      }),
    }),
    system: "Be tested.",
    tools,
    session: "main",
    gate,
    hooks: {
      beforePrompt: async () => ({ texts: [] }),
      beforeTool: async () => undefined,
      afterTool: async () => [],
      beforeEnd: async () => [],
      afterPrompt: async () => {},
    },
    skills: () => ({ keeps: () => false, isContext: () => false, skillTexts: async () => [] }),
    skillContexts: () => [],
    modelAt: (index) => modelAt(models, index),
    spend: async () => cost,
    journaledRefusal: async () => undefined,
    now: () => clock.now(),
    warn() {},
    ...run.effects,
  };
}

function modelAt(models: readonly LanguageModel[], index: number): LanguageModel {
  const model = models[index];
  if (!model) throw new Error(`there is no model ${index}`);
  return model;
}

const NOTHING: PromptJournal = {
  journal: forgetfulJournal,
  prompt: 1,
  journaled: [],
  conversation: { first: 0, messages: [], compaction: undefined },
};

/** Runs one prompt on the local host; without a journal nothing is kept. */
export async function runLoop(run: LoopRun, journal: PromptJournal = NOTHING): Promise<void> {
  const { clock = systemClock, signal = new AbortController().signal, emit } = run;
  const inbox = new Inbox(journal);
  run.onInbox?.(inbox);
  const effects = loopEffects(run);
  const closing = run.closing ?? new AbortController().signal;
  using host = new LocalHost({
    ...journal,
    clock,
    signal,
    closing,
    inbox,
    ask: run.ask ?? (async () => ({ answer: "once", by: "program" })),
    emit,
  });
  await runPrompt(host, effects, journal);
}
