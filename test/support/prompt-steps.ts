import { type Step, systemClock } from "@mdx-ai/runtime";
import { Inbox } from "../../packages/runtime/src/hosts/inbox.ts";
import { LocalHost } from "../../packages/runtime/src/hosts/local-host.ts";
import type { JournalLine } from "../../packages/runtime/src/journal/journal-line.ts";
import type { PromptBegin, PromptPlan } from "../../packages/runtime/src/loop/plan.ts";
import type { PromptJournal } from "../../packages/runtime/src/session/session.ts";
import { userMessage } from "./model-request.ts";

/** The steps of a prompt of a session, without a loop. */
export function stepsOf(journal: PromptJournal): Step {
  const { signal } = new AbortController();
  const ask = async (): Promise<never> => {
    throw new Error("nobody is asked");
  };
  const { step } = new LocalHost({
    ...journal,
    clock: systemClock,
    signal,
    closing: signal,
    inbox: new Inbox(journal),
    ask,
    emit() {},
  });
  return step;
}

/** The plan of a prompt of one model, without tools and limits. */
export const planOf = (plan: Partial<PromptPlan> = {}): PromptPlan => ({
  models: [{ provider: "script", name: "test" }],
  parameters: {},
  retries: [],
  limits: {},
  context: {},
  head: 0,
  tools: [],
  ...plan,
});

/** How a prompt begins. */
export const beginOf = (text: string, plan: Partial<PromptPlan> = {}): PromptBegin => ({
  input: userMessage(text),
  id: `id of ${text}`,
  plan: planOf(plan),
});

/** The line of a prompt's beginning. */
export const beginLine = (prompt: number, text: string, plan: Partial<PromptPlan> = {}): JournalLine => ({
  v: 2,
  prompt: prompt,
  step: "begin",
  result: beginOf(text, plan),
});
