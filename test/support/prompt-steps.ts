import { systemClock } from "@mdx-ai/base";
import type { Step } from "@mdx-ai/loop";
import type { UserMessage } from "@mdx-ai/models";
import { contentText } from "../../packages/loop/src/content-text.ts";
import { isPromptBegin, type PromptBegin, type PromptPlan } from "../../packages/loop/src/plan.ts";
import { Inbox } from "../../packages/sessions/src/hosts/inbox.ts";
import { LocalHost } from "../../packages/sessions/src/hosts/local-host.ts";
import type { JournalLine } from "../../packages/sessions/src/journal/journal.ts";
import type { PromptJournal } from "../../packages/sessions/src/session/session.ts";
import { userMessage } from "./model-request.ts";

/** The steps of a prompt of a session, without a loop. */
export const stepsOf = (journal: PromptJournal): Step => hostOf(journal).step;

/** The host of a prompt of a session, without a loop. */
export function hostOf(journal: PromptJournal): LocalHost {
  const { signal } = new AbortController();
  const ask = async (): Promise<never> => {
    throw new Error("nobody is asked");
  };
  return new LocalHost({
    ...journal,
    clock: systemClock,
    signal,
    closing: signal,
    inbox: new Inbox(journal),
    ask,
    emit() {},
  });
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

/** How a prompt begins, with a text or a whole message. */
export function beginOf(given: string | UserMessage, plan: Partial<PromptPlan> = {}): PromptBegin {
  const input = typeof given === "string" ? userMessage(given) : given;
  return { input, id: `id of ${contentText(input.content).slice(0, 24)}`, plan: planOf(plan) };
}

/** The line of a prompt's beginning. */
export const beginLine = (prompt: number, text: string, plan: Partial<PromptPlan> = {}): JournalLine => ({
  v: 1,
  prompt: prompt,
  step: "begin",
  result: beginOf(text, plan),
});

/** Runs the first step of a prompt, and resolves to its input. */
export async function begun(step: Step, text: string): Promise<UserMessage> {
  const { input } = await step("begin", async () => beginOf(text), { accepts: isPromptBegin });
  return input;
}
