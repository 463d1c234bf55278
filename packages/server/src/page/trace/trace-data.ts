import { visibleProse } from "@mdx-ai/base";
import { jsonText } from "@mdx-ai/directory/text";
import { grouped } from "@mdx-ai/directory/views/figures";
import {
  agentChangeText,
  type Entry,
  endText,
  isFailed,
  looseEntries,
  PERMISSION_TEXTS,
  queuedText,
  rewindText,
  turnEntries,
} from "@mdx-ai/directory/views/trace-entries";
import type { Trace, TracePrompt } from "@mdx-ai/sessions";

/** The JSON that the page's script draws. All text is redacted and visible; long text is cut. */
export function traceData(trace: Trace, agent: string, redact: (text: string) => string): string {
  const data = { agent, ...dataOf(trace) };
  const limit = textLimit(data);
  // Redacted before cutting, which could break a key in two.
  const shown = (text: string): string => cutText(redact(text), limit);
  return JSON.stringify(data, (_key, value: unknown) => (typeof value === "string" ? shown(value) : value));
}

function dataOf(trace: Trace): object {
  const { session, cost, prompts, damage, otherSteps } = trace;
  return {
    ...{ session, cost, otherSteps },
    damage: damage.map(({ file, line }) => `${file}:${line}`),
    prompts: prompts.map(promptData),
    between: betweenData(trace),
  };
}

function promptData(prompt: TracePrompt): object {
  const { number, input, startedAt, endedAt, outcome, holder, cost, turns, resumptions, otherSteps } = prompt;
  return {
    ...{ number, input, startedAt, endedAt, outcome, holder, cost, otherSteps },
    end: endText(prompt),
    wasInterrupted: resumptions.length > 0,
    turns: turns.map((turn) => ({ number: turn.number, entries: turnEntries(prompt, turn).map(entryData) })),
    loose: looseEntries(prompt).map(entryData),
  };
}

function entryData(entry: Entry): object {
  if (entry.type !== "tool") return { ...entry, isFailed: isFailed(entry) };
  const { type, step, name, state, permission, result, endedAt, duration, agent } = entry;
  return {
    ...{ type, step, name, state, result, endedAt, duration },
    isFailed: isFailed(entry),
    // As text, since names in it are untrusted.
    arguments: Object.keys(entry.arguments).length === 0 ? "" : jsonText(entry.arguments, 2),
    permission: permission && PERMISSION_TEXTS[permission],
    // What an agent did that worked as the tool.
    agent: agent?.trace && { name: agent.name, ...dataOf(agent.trace) },
  };
}

/** The entries between prompts, each with the prompt before it. */
function betweenData({ compactions, queued, agentChanges, rewinds }: Trace): readonly object[] {
  const note = (afterPrompt: number, name: string, more: object = {}): object => ({
    ...{ type: "note", afterPrompt, name, isFailed: false },
    ...more,
  });
  return [
    ...compactions.map((one) => ({ ...one, isFailed: isFailed(one) })),
    ...queued.map((one) => note(one.afterPrompt, queuedText(one), { type: "queued", text: one.text })),
    ...agentChanges.map((one) => note(one.afterPrompt, agentChangeText(one))),
    ...rewinds.map((one) => note(one.afterPrompt, rewindText(one.prompt), { at: one.at })),
  ];
}

/** Maximum characters of a page's long texts; browsers open this many without delay. */
const BUDGET = 2_000_000;

/** Character limits per text, the largest first. */
const LIMITS = [50_000, 10_000, 2000, 500, 200] as const;

const MIN_LENGTH = 100;

/** The character limit per text that keeps the page small for a long session. */
export function textLimit(data: unknown): number {
  const lengths: number[] = [];
  JSON.stringify(data, (_key, value: unknown) => {
    if (typeof value !== "string") return value;
    if (value.length > MIN_LENGTH) lengths.push(value.length);
    return "";
  });
  const fits = (limit: number): boolean => lengths.reduce((sum, length) => sum + Math.min(length, limit), 0) <= BUDGET;
  return LIMITS.find(fits) ?? MIN_LENGTH;
}

/** Cuts an untrusted text and appends the number of omitted characters. */
export function cutText(text: string, limit: number): string {
  // Do not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  const dropped = text.length - end;
  if (dropped <= 0) return visibleProse(text);
  return `${visibleProse(text.slice(0, end))}\n… ${grouped(dropped)} more characters; mdx-ai trace --json has all`;
}
