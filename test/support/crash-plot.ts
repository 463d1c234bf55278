import type { Reply } from "./replies.ts";

/** A tool call of the plot. Its id begins with that of its turn. */
interface PlotCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, string | number>>;
}

/** What a model answers in a turn. */
export interface PlotTurn {
  /** The letter of the prompt and a number. */
  readonly id: string;
  readonly text: string;
  readonly calls: readonly PlotCall[];
  /** Whether the script model is asked for a summary before it. */
  readonly isCompacted?: boolean;
  /** Whether the script model fails once before it. */
  readonly isRetried?: boolean;
}

const note = (id: string, wait = 0): PlotCall => ({ id, name: "note", arguments: { id, wait } });
const look = (id: string, words: number): PlotCall => ({ id, name: "look", arguments: { id, words } });

const BASH = "echo begin b1-bash >> effects; sleep 0.04; echo end b1-bash >> effects";

/** As much as makes a summary worth it in the second prompt. */
const LONG = Array.from({ length: 900 }, (_, place) => `word ${place}`).join(" ");

/** Five calls side by side: of both inline tools' kinds, of a shell, of a file, and one that only looks. */
const FIVE: readonly PlotCall[] = [
  note("b1-quick"),
  note("b1-slow", 60),
  { id: "b1-bash", name: "bash", arguments: { command: BASH } },
  { id: "b1-file", name: "write_file", arguments: { path: "written.txt", content: "written" } },
  look("b1-look", 5),
];

/** A prompt of the plot. */
export type PromptName = "a" | "b" | "c";

/** In the order in which they are sent. */
export const PROMPTS: readonly PromptName[] = ["a", "b", "c"];

/** By prompt: what the model says in it. */
const PLOT: Readonly<Record<PromptName, readonly PlotTurn[]>> = {
  a: [
    { id: "a1", text: "I note it.", calls: [note("a1-note", 20), look("a1-look", 3)] },
    { id: "a2", text: `Noted. ${LONG}`, calls: [] },
  ],
  b: [
    { id: "b1", text: "Five at once.", calls: FIVE },
    { id: "b2", text: "Once more.", calls: [note("b2-note", 10), look("b2-look", 700)], isRetried: true },
    { id: "b3", text: "And again.", calls: [note("b3-note")], isCompacted: true },
    { id: "b4", text: "All is noted.", calls: [] },
  ],
  c: [{ id: "c1", text: "Still here.", calls: [] }],
};

/** The turns of a prompt. */
export const turnsOf = (prompt: PromptName): readonly PlotTurn[] => PLOT[prompt];

/** What the user says. */
export const promptText = (prompt: PromptName): string => `prompt ${prompt}`;

/** What a model makes of older messages. */
export const SUMMARY = "They spoke of notes.";

/** Where a script comes to a stop: before an answer, within it, in a summary, before a repetition, in a tool call. */
export type Standstill = `${string}:${"asked" | "streaming" | "summary" | "retry"}` | `call ${string}`;

/** Milliseconds before an answer and between its pieces, so that a kill can hit a stream. */
const PACE = { delay: 5, deltaDelay: 4 } as const;
const ENDLESS = 600_000;
/** Whoever goes on waits as long once more. */
const LONG_WAIT = 2000;

/** What the script model answers to one prompt; it goes by the order of the replies. */
export function scriptReplies(prompt: PromptName, standstill?: Standstill): readonly Reply[] {
  const stands = (place: Standstill): boolean => place === standstill;
  return turnsOf(prompt).flatMap(({ id, text, calls, isCompacted, isRetried }): Reply[] => {
    const delay = stands(`${id}:asked`) ? ENDLESS : PACE.delay;
    const deltaDelay = stands(`${id}:streaming`) ? ENDLESS : PACE.deltaDelay;
    const retryAfter = stands(`${id}:retry`) ? { retryAfter: LONG_WAIT } : {};
    return [
      ...(isCompacted ? [{ text: SUMMARY, delay: stands(`${id}:summary`) ? ENDLESS : PACE.delay }] : []),
      ...(isRetried ? [{ deltas: ["Once"], error: { ...FAILURE, ...retryAfter } }] : []),
      {
        deltas: pieces(text),
        calls: calls.map((call) => (stands(`call ${call.id}`) ? endless(call) : call)),
        delay,
        deltaDelay,
      },
    ];
  });
}

/** After one piece of the answer has come. */
const FAILURE = { message: "overloaded", status: 529, after: 1 } as const;

const endless = (call: PlotCall): PlotCall => ({ ...call, arguments: { ...call.arguments, wait: ENDLESS } });

/** The first words alone, so that there are several pieces, but not too many. */
function pieces(text: string): readonly string[] {
  const [first = "", second = "", ...rest] = text.split(/(?<= )/);
  return [first, second, rest.join("")].filter((piece) => piece !== "");
}
