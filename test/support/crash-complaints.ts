import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@mdx-ai/base";
import type { Message } from "@mdx-ai/models";
import { contentText } from "../../packages/loop/src/content-text.ts";
import type { JournalLine } from "../../packages/sessions/src/journal/journal.ts";
import { callOf, cutCalls, linesOf, openPrompt, wholeLines } from "./crash-journal.ts";
import { PROMPTS, type PromptName, promptText, turnsOf } from "./crash-plot.ts";
import type { CrashStory, Life, Snapshot } from "./crash-story.ts";

/** The ways in which a promise can be broken. */
export const FAULTS = ["lost", "run twice", "invalid transcript", "history wrong", "other"] as const;

export type Fault = (typeof FAULTS)[number];

/** A broken promise. */
export interface Complaint {
  readonly fault: Fault;
  readonly text: string;
}

/** What is wrong with a story whose last process came to its end. */
export function complaintsAbout({ lives }: Pick<CrashStory, "lives">): readonly Complaint[] {
  const last = lives.at(-1)?.after;
  if (last === undefined) return [{ fault: "other", text: "nothing happened" }];
  return [...lives.flatMap(aboutLife), ...aboutEffects(last), ...aboutTranscript(lives, last), ...aboutDrafts(last)];
}

function aboutLife(life: Life): Complaint[] {
  return [
    ...aboutEnd(life),
    ...aboutPromises(life),
    ...aboutQuestions(life),
    ...aboutRepetitions(life),
    ...aboutHistory(life),
  ];
}

/** A process that was not killed goes well, and tells of what another one left unfinished. */
function aboutEnd({ task, wasKilled, exitCode, stdout, stderr, before }: Life): Complaint[] {
  // Where nobody came to say anything there is no session that could be resumed.
  if (wasKilled || (task === "resume" && before.journal === "")) return [];
  const interrupted = openPrompt(before);
  const isTold = interrupted === undefined || stdout.includes('"type":"prompt_resumed"') || /interrupted/.test(stderr);
  return [
    ...(exitCode === 0 ? [] : [complaint("other", `${task} ended with ${exitCode}: ${stderr}`)]),
    ...(isTold
      ? []
      : [complaint("other", `${task} does not tell that prompt ${interrupted} was interrupted: ${stderr}`)]),
  ];
}

/** What was in the journal stays there, and what was told as ended is there. */
function aboutPromises({ task, stdout, before, after }: Life): Complaint[] {
  const kept = after.journal.startsWith(wholeLines(before.journal));
  const lines = linesOf(after);
  const fresh = lines.slice(linesOf(before).length);
  const lost = toldBy(stdout).filter(
    (told) => !(told["type"] === "agent_end" ? fresh : lines).some((line) => holds(line, told)),
  );
  return [
    ...(kept ? [] : [complaint("lost", `${task} changed what the journal held`)]),
    ...lost.map((told) => complaint("lost", `${task} told what the journal does not hold: ${JSON.stringify(told)}`)),
  ];
}

/** What events tell as ended: the messages, the results of tools, the end. */
function toldBy(stdout: string): readonly Readonly<Record<string, unknown>>[] {
  // Behind the last line break there is a line that the kill cut off, or nothing.
  const events: readonly unknown[] = stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  return events.filter(isRecord).filter(({ type }) => ENDS.includes(type));
}

const ENDS: readonly unknown[] = ["message_end", "tool_execution_end", "agent_end"];

function holds(line: JournalLine, told: Readonly<Record<string, unknown>>): boolean {
  if (!("result" in line)) return false;
  const { result } = line;
  switch (told["type"]) {
    case "message_end":
      return isDeepStrictEqual(isRecord(result) && line.step === "begin" ? result["input"] : result, told["message"]);
    case "tool_execution_end":
      return isRecord(result) && result["toolCallId"] === told["toolCallId"] && holdsResult(result, told["result"]);
    default:
      return line.step === "end";
  }
}

const holdsResult = (message: Readonly<Record<string, unknown>>, told: unknown): boolean =>
  isRecord(told) && isDeepStrictEqual(message["content"], told["content"]);

/** A provider accepts what is sent, and is not asked for what the journal holds. */
function aboutQuestions({ questions, before }: Life): Complaint[] {
  const answered = new Set(linesOf(before).flatMap(turnAnsweredIn));
  const turns = questions.map(({ turn }) => turn).filter((turn) => turn !== "summary");
  const again = turns.filter((turn, place) => answered.has(turn) || turns.indexOf(turn) !== place);
  return [
    ...questions.flatMap(({ refusal }) => (refusal === undefined ? [] : [complaint("invalid transcript", refusal)])),
    ...again.map((turn) => complaint("other", `the model was asked again for ${turn}, which it had answered`)),
  ];
}

/** The turn of the plot whose whole answer a line holds. */
function turnAnsweredIn(line: JournalLine): readonly string[] {
  if (!("result" in line) || !isRecord(line.result) || !Array.isArray(line.result["content"])) return [];
  if (line.result["role"] !== "assistant" || line.result["stopReason"] === "error") return [];
  const said = contentText(line.result["content"]);
  return ALL_TURNS.filter(({ text }) => text === said).map(({ id }) => id);
}

const ALL_TURNS = PROMPTS.flatMap(turnsOf);

/** Nothing that had been started begins again. */
function aboutRepetitions({ before, after }: Life): Complaint[] {
  const started = new Set(linesOf(before).flatMap((line) => ("started" in line ? [callOf(line)] : [])));
  const begun = after.effects.slice(before.effects.length).flatMap(begunBy);
  return begun
    .filter((id) => started.has(id))
    .map((id) => complaint("run twice", `${id} was started before the crash and again after`));
}

const begunBy = (effect: string): readonly string[] =>
  effect.startsWith("begin ") ? [effect.slice("begin ".length)] : [];

function aboutHistory({ task, wasKilled, after }: Life): Complaint[] {
  if (wasKilled) return [];
  const expected = (after.transcript ?? [])
    .filter(({ role }) => role !== "toolResult")
    .map(entryOf)
    .filter(({ content }) => content !== "");
  // Where nothing was said there need not be a file.
  const shown = after.history === "" ? [] : historyEntries(after.history);
  return isDeepStrictEqual(shown, expected)
    ? []
    : [complaint("history wrong", `after ${task} it shows ${brief(shown)}, expected ${brief(expected)}`)];
}

interface Entry {
  readonly role: unknown;
  readonly content: unknown;
}

const entryOf = ({ role, content }: Message): Entry => ({ role, content: contentText(content) });

function historyEntries(text: string): readonly Entry[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isRecord).map(({ role, content }) => ({ role, content })) : undefined;
  } catch {
    return undefined;
  }
}

/** A tool begins once, after its marker, and what is told as done has come to its end. */
function aboutEffects(last: Snapshot): Complaint[] {
  const lines = linesOf(last);
  const started = lines.flatMap((line) => ("started" in line ? [callOf(line)] : []));
  const begun = last.effects.flatMap(begunBy);
  return [
    ...begun
      .filter((id, place) => begun.indexOf(id) !== place)
      .map((id) => complaint("run twice", `${id} began twice`)),
    ...begun.filter((id) => !started.includes(id)).map((id) => complaint("other", `${id} began without a marker`)),
    ...undone(last).map((id) => complaint("lost", `${id} is told as done and never ended`)),
  ];
}

/** Calls of tools that note what they do, which the transcript tells as done and which did not end. */
const undone = ({ transcript = [], effects }: Snapshot): readonly string[] =>
  transcript
    .filter((message) => message.role === "toolResult")
    .filter(({ toolName, isError }) => !isError && NOTING.includes(toolName))
    .map(({ toolCallId }) => toolCallId)
    .filter((id) => !effects.includes(`end ${id}`));

const NOTING: readonly string[] = ["note", "bash"];

/** The session holds what the plot says, with errors for calls that a crash cut short and for no others. */
function aboutTranscript(lives: readonly Life[], last: Snapshot): Complaint[] {
  const cut = new Set(lives.flatMap(({ before }) => cutCalls(linesOf(before))));
  const said = new Set(
    linesOf(last).flatMap((line) => ("result" in line && line.step === "begin" ? [userText(line.result)] : [])),
  );
  const prompts = PROMPTS.filter((prompt) => said.has(promptText(prompt)));
  const expected = prompts.flatMap((prompt) => plotLines(prompt, cut));
  const found = (last.transcript ?? []).map(lineOf);
  if (isDeepStrictEqual(found, expected)) return [];
  return [complaint("lost", `the transcript is ${brief(found)}, expected ${brief(expected)}`)];
}

const userText = (begin: unknown): string => {
  const message = isRecord(begin) ? begin["input"] : undefined;
  return isRecord(message) && Array.isArray(message["content"]) ? contentText(message["content"]) : "";
};

function plotLines(prompt: PromptName, cut: ReadonlySet<string>): readonly string[] {
  return [
    `user: ${promptText(prompt)}`,
    ...turnsOf(prompt).flatMap(({ text, calls }) => [
      `assistant: ${text} ${calls.map(({ id }) => id).join(" ")}`,
      ...calls.map(({ id }) => `${id}: ${cut.has(id) ? "unknown" : "done"}`),
    ]),
  ];
}

function lineOf(message: Message): string {
  switch (message.role) {
    case "user":
      return `user: ${contentText(message.content)}`;
    case "assistant": {
      const ids = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
      return `assistant: ${contentText(message.content)} ${ids.join(" ")}`;
    }
    case "toolResult":
      return `${message.toolCallId}: ${resultOf(message)}`;
  }
}

function resultOf({ isError, content }: Extract<Message, { role: "toolResult" }>): string {
  const text = contentText(content);
  if (!isError) return "done";
  return text.includes("interrupted, outcome unknown") ? "unknown" : `failed, ${text}`;
}

function aboutDrafts({ drafts }: Snapshot): Complaint[] {
  return drafts.map((file) => complaint("other", `${file} is left behind`));
}

const complaint = (fault: Fault, text: string): Complaint => ({ fault, text });

const brief = (value: unknown): string =>
  JSON.stringify(value, (_key, item) =>
    typeof item === "string" && item.length > 200 ? `${item.slice(0, 200)}…` : item,
  );
