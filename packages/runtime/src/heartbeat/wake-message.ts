import type { HeartbeatDefinition } from "@mdx-ai/parser";
import type { HeartbeatTask } from "./heartbeat-tasks.ts";

/** The beginning of every wake message; the system prompt says what it means. */
export const HEARTBEAT_MARK = "[heartbeat]";

/** The section of the system prompt. */
export const HEARTBEAT_SECTION: string = `## Heartbeat

A message that begins with ${HEARTBEAT_MARK} comes from your own schedule; no user waits for the answer. If nothing needs the user's attention, answer only HEARTBEAT_OK: the user then sees nothing.`;

/** What a wake is for. */
export interface WakeCause {
  readonly definition?: HeartbeatDefinition | undefined;
  /** Not empty. */
  readonly tasks: readonly HeartbeatTask[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What the gate found. */
  readonly message?: string | undefined;
}

/** The message that wakes the model. */
export function wakeMessage({ definition, tasks, now, message }: WakeCause): string {
  const due = tasks.flatMap(({ text }) => text ?? []);
  const sections = [
    section("Context Reconstruction (do this first)", definition?.contextReconstruction ?? []),
    section("On Wake", definition?.onWake ?? []),
    section("Routine Tasks due now", due),
  ].filter((text) => text !== "");
  const found = message === undefined ? [] : [`## What the check before this wake found\n\n${message}`];
  const work = sections.length > 0 ? sections : ["Look whether there is something for you to do, and do it."];
  return [`${HEARTBEAT_MARK} It is ${wallTime(now, tasks[0]?.timezone)}.`, ...work, ...found].join("\n\n");
}

/** The message after a result that the check refused. */
export const refusalMessage = (reason: string): string =>
  `${HEARTBEAT_MARK} The result was checked, and it is not complete yet: ${reason}\n\nContinue until it is.`;

function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? "" : [`## ${title}`, "", ...items.map((item) => `- ${item}`)].join("\n");
}

/** Such as "2026-11-21 09:00 (Europe/Vienna)". */
function wallTime(time: number, timezone: string | undefined): string {
  // The Swedish format is ISO 8601.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: timezone });
  return `${format.format(time)} (${format.resolvedOptions().timeZone})`;
}

/** The most other characters in a silent reply. */
const MAX_SILENT = 300;

/** Whether a reply says that there is nothing to report: `HEARTBEAT_OK` at its start or end with little else, or `NO_REPLY` alone. */
export function isSilent(text: string): boolean {
  const reply = text.trim().replace(/^[*_`]+|[*_`.!]+$/g, "");
  if (reply === "NO_REPLY") return true;
  const rest = /^HEARTBEAT_OK\b/.test(reply) ? reply.slice(12) : /\bHEARTBEAT_OK$/.test(reply) ? reply.slice(0, -12) : undefined; // biome-ignore format: short
  return rest !== undefined && rest.trim().length <= MAX_SILENT;
}
