import type { ImageContent, Message, TextContent } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import type { Compaction, KeptContent, SkillMarks } from "../types/compaction.ts";

/** The marks of skills with the bodies read. */
export interface KnownSkills extends Omit<SkillMarks, "skillTexts"> {
  readonly skillTexts: readonly string[];
}

/** A conversation, divided into an older part and a tail. */
export interface Parts {
  /** The compaction before. */
  readonly earlier: Compaction | undefined;
  /** With the input that it kept. */
  readonly older: readonly Message[];
  readonly tail: readonly Message[];
}

/**
 * The content of the older part that is sent word for word: the contents of skills, once each and unless the tail holds them, in the
 * order in which they came, then the newest input of the user if the tail has none.
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

/** The contents that no larger one, nor one that is present anyway, contains. */
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

/** The contents of skills among messages: results of calls that read one, and inputs that began with one. */
function skillContents(messages: readonly Message[], skills: KnownSkills): readonly Content[] {
  const results = skillResults(messages, skills);
  return messages.flatMap((message): Content[] => {
    if (message.role === "user") return skillInput(message, skills);
    return message.role === "toolResult" && results.has(message) ? [message.content] : [];
  });
}

/** The results that hold a skill's content. A call's results follow it before the next answer. */
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
