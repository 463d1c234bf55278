import { visibleText } from "@mdx-ai/base";
import {
  type AgentEvent,
  type BudgetSubject,
  type CompactionReport,
  type Cost,
  emptyAnswerText,
  type LimitName,
  type PendingPrompt,
} from "@mdx-ai/loop";
import { type AssistantMessage, inputTokens } from "@mdx-ai/models";
import { capitalized, plainLine } from "../text.ts";
import { counted, dollars, duration, grouped } from "./figures.ts";

/**
 * The usage and cost of a prompt: "2 turns, 1,234 tokens in (1,000 cached), 56 out (20 thinking), 1,290 total, $0.0123, 3.4 s". `time`: the milliseconds
 * that passed, with tools and questions. Undefined if it used no tokens.
 */
export function promptUsage(cost: Cost, turns: number, time: number): string | undefined {
  const spent = usageText(cost);
  return spent === undefined ? undefined : `${counted(turns, "turn")}, ${spent}, ${duration(time)}`;
}

/** Tokens and their cost: "1,234 tokens in (1,000 cached), 56 out, 1,290 total, cost unknown". Undefined if no tokens were used. */
export function usageText({ usage, usd, unpriced }: Cost): string | undefined {
  if (usage.total === 0) return undefined;
  const incoming = `${counted(inputTokens(usage), "token")} in${aside(usage.cacheRead, "cached")}`;
  const outgoing = `${grouped(usage.output)} out${aside(usage.thinking, "thinking")}`;
  return `${usage.estimated ? "about " : ""}${incoming}, ${outgoing}, ${grouped(usage.total)} total, ${costText(usd, unpriced)}`;
}

const aside = (count: number, word: string): string => (count === 0 ? "" : ` (${grouped(count)} ${word})`);

/** A cost, or the known part if some prices are unknown. */
export function costText(usd: number, unpriced: number): string {
  if (unpriced === 0) return dollars(usd);
  return usd === 0 ? "cost unknown" : `at least ${dollars(usd)}`;
}

/** A limit that ended a prompt. */
export type ReachedLimit = Pick<Extract<AgentEvent, { type: "limit_reached" }>, "limit" | "value">;

/** The limit that ended a prompt and how to raise it: "stopped at the limit of 50 turns; allow more with …". */
export const limitText = (reached: ReachedLimit): string => `stopped ${placeOf(reached)}; ${adviceOn(reached.limit)}`;

function placeOf({ limit, value }: ReachedLimit): string {
  switch (limit) {
    case "turns":
      return `at the limit of ${counted(value, "turn")}`;
    case "tokens":
      return `at the limit of ${counted(value, "token")}`;
    case "usd":
      return `at the limit of ${dollars(value)}`;
    case "seconds":
      return `at the limit of ${grouped(value)} second${value === 1 ? "" : "s"}`;
    case "repeats":
      return `after ${counted(value, "identical tool call")} with identical results`;
    case "pauses":
      return `after ${counted(value, "pause")} of the model in a row`;
    case "session.tokens":
      return `at the session's limit of ${counted(value, "token")}`;
    case "session.usd":
      return `at the session's limit of ${dollars(value)}`;
    case "day.tokens":
      return `at the day's limit of ${counted(value, "token")}`;
    case "day.usd":
      return `at the day's limit of ${dollars(value)}`;
    case "agent.tokens":
      return `at the agent's limit of ${counted(value, "token")}`;
    case "agent.usd":
      return `at the agent's limit of ${dollars(value)}`;
  }
}

/** The question about a reached limit: "stopped at the day's limit of $10.00 ($10.20 spent); allow $10.00 more?" */
export const budgetText = ({ limit, spent, value, adds }: BudgetSubject): string =>
  `stopped ${placeOf({ limit, value })} (${amountOf(limit, spent)} spent); allow ${amountOf(limit, adds)} more?`;

function amountOf(limit: LimitName, amount: number): string {
  if (limit.endsWith("usd")) return dollars(amount);
  return counted(amount, limit === "turns" ? "turn" : "token");
}

function adviceOn(limit: LimitName): string {
  const setting = `allow more with limits.${limit} in agent.mdx`;
  switch (limit) {
    case "turns":
      return "allow more with --max-turns N, or limits.turns in agent.mdx";
    case "pauses":
      return "ask again to continue";
    case "session.tokens":
    case "session.usd":
      return `${setting}, or use another session with --session NAME`;
    case "day.tokens":
    case "day.usd":
      return `${setting}, or continue tomorrow`;
    default:
      return setting;
  }
}

/** Why a prompt did not run. */
export const deniedText = (reason: string): string => `a hook denied the prompt: ${reason}`;

/** An event of a prompt that belongs to no turn. */
export type Incident = Extract<
  AgentEvent,
  { type: "model_retry" | "request_adapted" | "model_fallback" | "context_compacted" }
>;

/** An incident as one line. Untrusted text in it is not sanitized here. */
export function incidentLine(event: Incident): string {
  switch (event.type) {
    case "model_retry": {
      const wait = event.delay === 0 ? "at once" : `in ${duration(event.delay)}`;
      const next = `retrying ${wait} (${event.attempt} of ${event.attempts})`;
      return /[.?!]$/.test(event.reason) ? `${event.reason} ${capitalized(next)}` : `${event.reason}; ${next}`;
    }
    case "request_adapted":
      return `${event.change} (${event.reason})`;
    case "model_fallback":
      return `${event.from} is unavailable (${event.reason}); using ${event.to} from now on`;
    case "context_compacted":
      return compactionLine(event);
  }
}

/** The tokens that a summary of older messages saved. */
export const compactionLine = ({ before, after, measured }: CompactionReport): string =>
  `older messages are replaced by a summary: a request has ${grouped(after)} instead of ${counted(before, "token")}${
    measured === "estimate" ? " (estimated)" : ""
  }`;

const SHOWN = 100;

/** A prompt that an earlier process did not finish, as one plain line: `interrupted: "Tidy up" (the outcome of bash is unknown)`. */
export const pendingLine = ({ input, state, tools }: PendingPrompt): string =>
  `${WORDS[state]}: "${beginning(input)}"${tools.length === 0 ? "" : ` (${unknownOutcome(tools)})`}`;

/** As `pendingLine`, for a prompt that is resumed or abandoned. */
export const resumedLine = (prompt: ResumedPrompt): string =>
  `${prompt.isGivenUp ? "closing" : "resuming"} what was ${pendingLine(prompt)}`;

type ResumedPrompt = Extract<AgentEvent, { type: "prompt_resumed" }>;

const WORDS = { interrupted: "interrupted", queued: "in the queue" } as const;

/** Lists tools whose outcome is unknown, as part of a sentence. */
export const unknownOutcome = (tools: readonly string[]): string =>
  `the outcome of ${[...new Set(tools.map(plainLine))].join(", ")} is unknown`;

/** The first line of an input, which may be very long. */
function beginning(input: string): string {
  const [first = "", ...others] = input
    .trimStart()
    .slice(0, 20 * SHOWN)
    .split("\n");
  const characters = [...plainLine(first)];
  const isCut = characters.length > SHOWN || others.some((line) => line.trim() !== "");
  return `${characters.slice(0, SHOWN).join("")}${isCut ? "…" : ""}`;
}

/** Why a message ended early; undefined if it ended normally. */
export function failureText(message: AssistantMessage): string | undefined {
  switch (message.stopReason) {
    case "stop":
    case "toolUse":
      return capitalized(emptyAnswerText(message) ?? "") || undefined;
    case "pause":
    case "aborted":
      return undefined;
    case "length":
      return "The answer was cut off at the model's output limit";
    case "refusal":
      return message.errorMessage ?? "The model declined to answer";
    case "contextExceeded":
      return message.errorMessage ?? "The conversation no longer fits into the model's window; /clear starts a new one";
    case "error":
      return `The model failed: ${message.errorMessage ?? "it did not say why"}`;
  }
}

/** Where the user signs in to a server, as visible text. */
export const signInText = (server: string, url: string): string =>
  `the MCP server ${visibleText(server)} wants you to sign in; open ${visibleText(url)}`;
