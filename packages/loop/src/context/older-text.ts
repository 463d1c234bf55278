import type { AssistantMessage, Message, UserMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { type KnownSkills, leadingSkill, type Parts, skillResults } from "./kept-content.ts";
import type { Measure } from "./sent-messages.ts";

/** The share of the space for the oldest lines. If not all lines fit, the middle is left out. */
const OLDEST_SHARE = 0.25;
/** The maximum characters of one text, as a share of the space in tokens: several fit even if each character is a token. */
const TEXT_SHARE = 0.25;

interface Room {
  /** In tokens. */
  readonly room: number;
  readonly measure: Measure;
}

/**
 * The older part of a conversation for the summarising model: one JSON value per line. The summary of still
 * older messages comes first. Long texts are shortened, and messages in the middle left out, down to `room` tokens.
 */
export function olderText({ earlier, older }: Parts, known: KnownSkills, { room, measure }: Room): string {
  const skills = skillResults(older, known);
  const { skillTexts, isContext } = known;
  const options = { most: Math.floor(room * TEXT_SHARE), skills, skillTexts, isContext };
  const lines = older.map((message) => messageLine(message, options));
  const first = earlier ? [JSON.stringify({ summary_of_what_came_before: earlier.summary })] : [];
  const left = room - first.reduce((size, line) => size + measure.text(line), 0);
  return [...first, ...fitting(lines, { room: left, measure })].join("\n");
}

function fitting(lines: readonly string[], { room, measure }: Room): readonly string[] {
  const sizes = lines.map((line) => measure.text(line) + 1);
  if (sum(sizes) <= room) return lines;
  const oldest = countWithin(sizes, room * OLDEST_SHARE);
  const newest = countWithin(sizes.slice(oldest).toReversed(), room - sum(sizes.slice(0, oldest)));
  const note = JSON.stringify({ left_out: `${lines.length - oldest - newest} messages` });
  return [...lines.slice(0, oldest), note, ...lines.slice(lines.length - newest)];
}

/** How many of the first sizes fit the space. */
function countWithin(sizes: readonly number[], room: number): number {
  let used = 0;
  const index = sizes.findIndex((size) => {
    used += size;
    return used > room;
  });
  return index === -1 ? sizes.length : index;
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/** The options for shortening a message to a line. */
interface LineOptions {
  /** The maximum characters of any text. */
  readonly most: number;
  /** The results that contain a skill. Skills are kept verbatim elsewhere. */
  readonly skills: ReadonlySet<Message>;
  /** The texts of skills that an input may begin with. Skills are kept verbatim elsewhere. */
  readonly skillTexts: readonly string[];
  readonly isContext: KnownSkills["isContext"];
}

/** The maximum characters of a text, if there is space. */
const MAX_COUNT = { result: 2_000, arguments: 1_000, text: 20_000 } as const;
const KEPT = "(a skill; it is kept)";

/** A message for the summarising model, as one line of JSON, so that no text can pass for another message. */
function messageLine(message: Message, options: LineOptions): string {
  switch (message.role) {
    case "user":
      return JSON.stringify({ user: inputText(message, options), ...images(message) });
    case "assistant":
      return JSON.stringify(answerLine(message, options));
    case "toolResult": {
      const { toolName, isError, content } = message;
      const text = options.skills.has(message) ? KEPT : shortened(contentText(content), MAX_COUNT.result, options);
      return JSON.stringify({ result_of: toolName, ...(isError && { failed: true }), text, ...images(message) });
    }
  }
}

function inputText({ content, origin }: UserMessage, options: LineOptions): string {
  const isKept = (text: string): boolean => origin !== undefined && options.isContext(text);
  const text = contentText(
    content.map((block) => (block.type === "text" && isKept(block.text) ? { ...block, text: KEPT } : block)),
  );
  const skill = leadingSkill(text, options.skillTexts);
  return shortened(skill === undefined ? text : KEPT + text.slice(skill.length), MAX_COUNT.text, options);
}

function images({ content }: Exclude<Message, AssistantMessage>): { readonly images?: number } {
  const count = content.filter(({ type }) => type === "image").length;
  return count === 0 ? {} : { images: count };
}

function answerLine({ content, stopReason }: AssistantMessage, options: LineOptions): object {
  const calls = content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
  return {
    agent: shortened(contentText(content), MAX_COUNT.text, options),
    ...((stopReason === "error" || stopReason === "aborted") && { broke_off: true }),
    ...(calls.length > 0 && {
      calls: calls.map(({ name, arguments: given }) => ({
        name,
        arguments: shortened(JSON.stringify(given), MAX_COUNT.arguments, options),
      })),
    }),
  };
}

/** The beginning and the end of a text, with the number of omitted characters between them. */
function shortened(text: string, usual: number, { most }: LineOptions): string {
  const limit = Math.min(usual, most);
  if (text.length <= limit) return text;
  const tail = Math.floor(limit * 0.3);
  const head = text.slice(0, limit - tail);
  return `${head} [… ${text.length - limit} characters left out …] ${text.slice(-tail)}`.toWellFormed();
}
