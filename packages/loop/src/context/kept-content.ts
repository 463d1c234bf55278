import type { ImageContent, Message, TextContent } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import type { Compaction, KeptContent, SkillMarks } from "../types/compaction.ts";

/** The recognizers of skills, with the bodies already read. */
export interface KnownSkills extends Omit<SkillMarks, "skillTexts"> {
  readonly skillTexts: readonly string[];
}

/** A conversation, divided into an older part and a tail. */
export interface Parts {
  /** The previous compaction. */
  readonly earlier: Compaction | undefined;
  /** Includes the input that the previous compaction kept. */
  readonly older: readonly Message[];
  readonly tail: readonly Message[];
}

/**
 * The content of the older part that is sent verbatim: each skill's content once, unless the tail contains it, in the
 * original order, then the newest user input if the tail has none.
 */
export function keptContent({ earlier, older, tail }: Parts, skills: KnownSkills): readonly KeptContent[] {
  const inTail = skillContents(tail, skills);
  const carried = earlier?.kept.filter(({ kind }) => kind === "skill").map(({ content }) => content) ?? [];
  const input = tail.some(isInput) ? undefined : older.findLast(isInput)?.content;
  const present = [...inTail, ...(input ? [input] : [])].map(contentText);
  const contents = once([...carried, ...skillContents(older, skills)], present);
  return [
    ...contents.map((content) => ({ kind: "skill" as const, content })),
    ...(input ? [{ kind: "input" as const, content: input }] : []),
  ];
}

type Content = readonly (TextContent | ImageContent)[];

type Input = Extract<Message, { role: "user" }>;

function isInput(message: Message): message is Input {
  if (message.role !== "user" || message.origin === "skill") return false;
  return message.content.some((block) => block.type === "image" || block.text.trim() !== "");
}

/** Drops contents that are part of a larger one, or of one that is sent anyway. */
function once(contents: readonly Content[], present: readonly string[]): readonly Content[] {
  const taken: Content[] = [];
  const largestFirst = contents.toSorted((one, other) => contentText(other).length - contentText(one).length);
  for (const content of largestFirst) {
    const text = contentText(content).trim();
    const known = [...present, ...taken.map(contentText)];
    if (text !== "" && !known.some((other) => other.includes(text))) taken.push(content);
  }
  return contents.filter((content) => taken.includes(content));
}

/** The contents of skills in messages: results of calls that read a skill, and inputs that begin with one. */
function skillContents(messages: readonly Message[], skills: KnownSkills): readonly Content[] {
  const results = skillResults(messages, skills);
  return messages.flatMap((message): Content[] => {
    if (message.role === "user") return skillInput(message, skills);
    return message.role === "toolResult" && results.has(message) ? [message.content] : [];
  });
}

/** The results that contain a skill. A call's results follow it before the next answer. */
export function skillResults(messages: readonly Message[], { keeps }: KnownSkills): ReadonlySet<Message> {
  const found = new Set<Message>();
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") {
      open = new Set(message.content.flatMap((block) => (block.type === "toolCall" && keeps(block) ? [block.id] : [])));
    } else if (message.role === "toolResult" && !message.isError && open.has(message.toolCallId)) {
      found.add(message);
    }
  }
  return found;
}

function skillInput({ content, origin }: Input, { skillTexts, isContext }: KnownSkills): Content[] {
  if (origin !== undefined) {
    return content.flatMap((block) => (block.type === "text" && isContext(block.text) ? [[block]] : []));
  }
  const skill = leadingSkill(contentText(content), skillTexts);
  return skill === undefined ? [] : [[{ type: "text", text: skill }]];
}

/** The skill with which an input begins, the longest if skills begin alike. */
export function leadingSkill(text: string, skillTexts: readonly string[]): string | undefined {
  const leading = skillTexts.filter((body) => body !== "" && (text === body || text.startsWith(`${body}\n\n`)));
  return leading.toSorted((one, other) => other.length - one.length)[0];
}
