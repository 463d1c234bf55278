import { isRecord } from "@mdx-ai/base";
import { type NewEntry, timeOf } from "@mdx-ai/memory";

/** A question, and the ids of the turns that answer it. */
interface AskedQuestion {
  readonly question: string;
  readonly evidence: readonly string[];
}

/** A conversation of a data set in LoCoMo's form. */
export interface Conversation {
  readonly id: string;
  /** Its turns, in order. */
  readonly entries: readonly (NewEntry & { readonly entryId: string; readonly createdAt: string })[];
  readonly questions: readonly AskedQuestion[];
}

/**
 * Reads a data set in LoCoMo's form. A picture's caption is the summary of its turn. Questions without evidence in the conversation
 * are left out. Throws if it is another form.
 */
export function readConversations(text: string): readonly Conversation[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error("the data set is no list of conversations");
  return value.map((sample: unknown, at) => {
    if (!isRecord(sample) || !isRecord(sample["conversation"]))
      throw new Error(`conversation ${at + 1} has another form`);
    const entries = turnsOf(sample["conversation"]);
    const ids = new Set(entries.map(({ entryId }) => entryId));
    return { id: String(sample["sample_id"] ?? at + 1), entries, questions: questionsOf(sample["qa"], ids) };
  });
}

function turnsOf(conversation: Readonly<Record<string, unknown>>): Conversation["entries"] {
  const sessions = Object.keys(conversation).flatMap((name) => /^session_(\d+)$/.exec(name)?.[1] ?? []);
  return sessions
    .toSorted((a, b) => Number(a) - Number(b))
    .flatMap((session) => {
      const createdAt = timeOf(textOf(conversation[`session_${session}_date_time`]));
      const turns = conversation[`session_${session}`];
      return Array.isArray(turns) ? turns.flatMap((turn: unknown) => entryOf(turn, { createdAt, session })) : [];
    });
}

function entryOf(
  turn: unknown,
  { createdAt, session }: { readonly createdAt: string; readonly session: string },
): Conversation["entries"] {
  if (!isRecord(turn) || textOf(turn["text"]).trim() === "") return [];
  const tags = { speaker: textOf(turn["speaker"]), session };
  const [rawEntry, summary] = [textOf(turn["text"]), textOf(turn["blip_caption"])];
  return [{ entryId: textOf(turn["dia_id"]), rawEntry, summary, createdAt, tags }];
}

function questionsOf(questions: unknown, ids: ReadonlySet<string>): readonly AskedQuestion[] {
  if (!Array.isArray(questions)) return [];
  return questions.flatMap((one: unknown) => {
    if (!isRecord(one) || !Array.isArray(one["evidence"])) return [];
    // Some evidence of the original names several turns in one text.
    const named = one["evidence"].flatMap((text: unknown) => textOf(text).match(/D\d+:\d+/g) ?? []);
    const evidence = [...new Set(named)].filter((id) => ids.has(id));
    return evidence.length === 0 ? [] : [{ question: textOf(one["question"]), evidence }];
  });
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
