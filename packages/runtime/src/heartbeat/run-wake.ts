import { defined, type JsonValue, lineText } from "@mdx-ai/base";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";
import type { HeartbeatDefinition, TaskLimit } from "@mdx-ai/parser";
import { SessionInUseError, UnknownSessionError } from "@mdx-ai/sessions";
import type { PromptOptions, Session } from "../types/session.ts";
import { checkDone, checkGate, type RunCode } from "./heartbeat-code.ts";
import type { RunEnd, Wake } from "./wake.ts";
import { isSilent, refusalMessage, wakeMessage } from "./wake-message.ts";

/** What the heartbeat uses of a session. */
export type WakeSession = Pick<Session, "id" | "prompt" | "hasPrompt" | "submit">;

/** What a wake uses of its agent. */
export interface WakeAgent {
  readonly definition?: HeartbeatDefinition | undefined;
  /** Returns a session. Default: the agent's default session. */
  session(id?: string): WakeSession;
  openModel(reference: string): Promise<LanguageModel>;
  readonly runCode: RunCode;
  /** Receives the events of its prompts, unless the reply is silent. */
  onEvent(event: AgentEvent): void;
  /** Resolves when no other process uses a session, or the agent is being closed. Rejects as `sessionFree` does. */
  sessionFree(id: string): Promise<void>;
  /** Whether the agent is being closed. */
  isClosing(): boolean;
}

/** How often a result is sent back that the check refuses. */
const MAX_RETRIES = 2;

interface PromptEnd {
  readonly outcome: "done" | "error" | "limit" | "aborted";
  readonly text: string;
  readonly usd: number;
  readonly tokens: number;
  readonly problem?: string;
}

/** Runs a wake: its gate, its prompt and the check of its result. Undefined if the agent was closed before the end. Never rejects. */
export async function runWake(wake: Wake, agent: WakeAgent): Promise<RunEnd | undefined> {
  try {
    const end = await gateAndPrompt(wake, agent);
    return end.outcome === "aborted" && agent.isClosing() ? undefined : end;
  } catch (error) {
    if (agent.isClosing()) return undefined;
    return { outcome: "error", usd: 0, tokens: 0, reason: lineText(error) };
  }
}

async function gateAndPrompt(wake: Wake, agent: WakeAgent): Promise<RunEnd> {
  const { gate } = directivesOf(wake);
  if (gate === undefined || (wake.isResumed && (await hasBegun(wake, agent))))
    return promptAndCheck(wake, agent, undefined);
  const answer = await checkGate(gate, codeInput(wake), agent.runCode);
  const state: { readonly state?: JsonValue } = defined({ state: answer.state });
  if ("problem" in answer) return { outcome: "error", usd: 0, tokens: 0, reason: `@gate: ${answer.problem}` };
  if (!answer.wake) return { outcome: "gated", usd: 0, tokens: 0, ...state };
  return { ...(await promptAndCheck(wake, agent, answer.message)), ...state };
}

/** The directives of its first task: only tasks without a gate, a check and limits share a wake. */
const directivesOf = ({ due: [first] }: Wake) => first?.task.directives ?? {};

const codeInput = ({ due: [first], gate }: Wake) => ({
  task: first?.task.name ?? "",
  due: new Date(first?.due ?? 0).toISOString(),
  state: gate,
});

async function promptAndCheck(wake: Wake, agent: WakeAgent, message: string | undefined): Promise<RunEnd> {
  const tasks = wake.due.map(({ task }) => task);
  const text = wakeMessage({ definition: agent.definition, tasks, now: wake.now, message });
  return checked(wake, agent, await prompt(text, wake, agent, wake.run));
}

/** The end of a run after the end of its prompt: the check may send the result back. */
async function checked(wake: Wake, agent: WakeAgent, first: PromptEnd): Promise<RunEnd> {
  const { done } = directivesOf(wake);
  let end = first;
  let { usd, tokens } = first;
  const ended = (outcome: RunEnd["outcome"], reason?: string): RunEnd => ({
    ...{ outcome, usd, tokens, text: end.text },
    ...defined({ reason }),
  });
  for (let retry = 0; done !== undefined && end.outcome === "done"; retry++) {
    const refusal = await checkDone(done, { ...codeInput(wake), text: end.text }, agent.runCode);
    if (refusal === undefined) break;
    if (retry === MAX_RETRIES) return ended("unmet", refusal);
    end = await prompt(refusalMessage(refusal), wake, agent, `${wake.run}-${retry + 1}`);
    usd += end.usd;
    tokens += end.tokens;
  }
  if (end.outcome !== "done") return ended(end.outcome, end.problem);
  return ended(isSilent(end.text) ? "quiet" : "done");
}

/** Runs a prompt; finishes or repeats the one that an earlier process began with the key. */
async function prompt(text: string, wake: Wake, agent: WakeAgent, key: string): Promise<PromptEnd> {
  const { model } = directivesOf(wake);
  const options: PromptOptions = {
    ...{ key, yields: true, task: wake.due.map(({ task }) => task.name).join("; ") },
    ...defined({ limits: limitsOf(wake) }),
    ...(model !== undefined && { model: await agent.openModel(model) }),
  };
  const session = sessionOf(wake, agent);
  const end = await whenFree(session, agent, () => endOf(session.prompt(text, options), agent, key));
  return end ?? { outcome: "aborted", text: "", usd: 0, tokens: 0 };
}

/** The result of `work`, which waits while another process uses the session: its user goes first. Rejects as `work` does. */
async function whenFree<Result>({ id }: WakeSession, agent: WakeAgent, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SessionInUseError) || agent.isClosing()) throw error;
      await agent.sessionFree(id);
    }
  }
}

const sessionOf = ({ session }: Wake, agent: WakeAgent): WakeSession =>
  agent.session(session === "main" ? undefined : session);

/** The lower one of the limits of a run and of what is left of the day. */
function limitsOf(wake: Wake): TaskLimit | undefined {
  const { limit } = directivesOf(wake);
  const { left } = wake;
  if (limit === undefined || left === undefined) return limit ?? left;
  const lower = (one?: number, other?: number): number | undefined =>
    one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
  return defined({ usd: lower(limit.usd, left.usd), tokens: lower(limit.tokens, left.tokens) });
}

/** Whether an earlier process began its prompt, so that its gate has said yes. */
async function hasBegun(wake: Wake, agent: WakeAgent): Promise<boolean> {
  try {
    return await sessionOf(wake, agent).hasPrompt(wake.run);
  } catch (error) {
    if (error instanceof UnknownSessionError) return false;
    throw error;
  }
}

/** Reads the events of prompts; returns the end of the one with an id. Passes events on unless the reply is silent. */
async function endOf(events: AsyncIterable<AgentEvent>, agent: WakeAgent, id: string): Promise<PromptEnd | undefined> {
  let end: PromptEnd | undefined;
  let isMeant = false;
  let seen: AgentEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (event.type === "agent_start") isMeant = event.promptId === id;
    if (event.type !== "agent_end") continue;
    const text = answerText(event.messages);
    if (event.outcome !== "done" || !isSilent(text)) for (const one of seen) agent.onEvent(one);
    if (isMeant) end = promptEnd(event, text, seen);
    seen = [];
  }
  return end;
}

function promptEnd(
  { outcome, cost, messages, denied }: Extract<AgentEvent, { type: "agent_end" }>,
  text: string,
  seen: readonly AgentEvent[],
): PromptEnd {
  const spent = { text, usd: cost.usd, tokens: cost.usage.total };
  if (outcome === "done" || outcome === "aborted") return { outcome, ...spent };
  const limit = seen.findLast((event) => event.type === "limit_reached");
  const last = messages.findLast((message) => message.role === "assistant");
  const problem = limit
    ? `the limit ${limit.limit}=${limit.value} was reached`
    : (denied ?? last?.errorMessage ?? "the prompt failed");
  return { outcome, ...spent, problem };
}
