import { type AgentParts, type CompactionOutcome, STEPS } from "@mdx-ai/loop";
import { type JournalLine, UNREADABLE_STEP } from "../journal/journal.ts";
import { OwnStepsReader } from "./read-own-steps.ts";
import { PromptReader } from "./read-prompt.ts";
import { NOTHING_BEFORE, type SegmentHead, segmentHead } from "./segment-head.ts";
import type { Rewind, SessionHistory, SessionPrompt } from "./session-history.ts";

/**
 * Reads the lines of a session's journals, of all journals or from any of them on, in the order in which they were
 * written. Each line is read once. Pure. Never throws, for any content of the lines.
 */
export function readHistory(lines: readonly JournalLine[]): SessionHistory {
  const known = histories.get(lines) ?? newHistory(lines);
  histories.set(lines, known);
  return known;
}

/** Opening a session reads the same lines twice: for damage, and for their content. */
const histories = new WeakMap<readonly JournalLine[], SessionHistory>();

function newHistory(lines: readonly JournalLine[]): SessionHistory {
  const head = segmentHead(lines[0]);
  const reader = new HistoryReader(head ?? NOTHING_BEFORE);
  for (const line of head ? lines.slice(1) : lines) reader.add(line);
  return reader.history();
}

interface OpenPrompt {
  readonly reader: PromptReader;
  readonly parent: number;
  readonly agent: AgentParts | undefined;
  readonly summaries: CompactionOutcome[];
}

class HistoryReader {
  readonly #before: SegmentHead;
  readonly #promptIds: Set<string>;
  readonly #own: OwnStepsReader;
  readonly #prompts = new Map<number, OpenPrompt>();
  /** The last prompt of these lines; 0 if there is none. */
  #last = 0;
  #lastPrompt: number;
  /** The last prompt of the transcript. */
  #head: number;

  constructor(before: SegmentHead) {
    this.#before = before;
    this.#promptIds = new Set(before.promptIds);
    this.#own = new OwnStepsReader(this.#promptIds);
    this.#lastPrompt = before.lastPrompt;
    this.#head = before.head;
    this.#prompts.set(before.head, openPrompt(before.head, before.head));
    for (const line of before.own) this.#own.add(line, 0);
  }

  add(line: JournalLine): void {
    if (line.prompt > 0) this.#addToPrompt(line);
    // Nothing is known of a line before the first prompt.
    else if (line.step === UNREADABLE_STEP) return;
    else if (line.step === STEPS.segment.name()) this.#own.addHead(segmentHead(line), this.#last);
    else {
      const step = this.#own.add(line, this.#last);
      if (step?.type === "rewind") this.#goTo(step);
      if (step?.type === "summary") this.#prompts.get(this.#head)?.summaries.push(step.outcome);
    }
  }

  history(): SessionHistory {
    const prompts = new Map(
      [...this.#prompts].map(([number, { reader, ...prompt }]): [number, SessionPrompt] => [
        number,
        { ...reader.history(), ...prompt },
      ]),
    );
    const { path, isCutOff } = pathTo(this.#head, prompts);
    const last = prompts.get(this.#lastPrompt);
    const isOpen = last && this.#head === this.#lastPrompt && last.lines.length > 0 && !last.hasEnded;
    return {
      before: this.#before,
      prompts: [...prompts.values()].filter(({ lines }) => lines.length > 0),
      path,
      isCutOff,
      open: isOpen ? last : undefined,
      lastPrompt: this.#lastPrompt,
      // A fork may go back to a prompt that it did not have originally.
      promptIds: new Set([...this.#promptIds, ...idsOf(path)]),
      own: this.#own.history(),
    };
  }

  #goTo({ prompt, promptIds }: Rewind): void {
    this.#head = prompt;
    if (promptIds === undefined) return;
    this.#promptIds.clear();
    for (const id of promptIds) this.#promptIds.add(id);
  }

  #addToPrompt(line: JournalLine): void {
    const { prompt: number } = line;
    const prompt = this.#prompts.get(number) ?? openPrompt(number, this.#head, this.#own.agent);
    this.#prompts.set(number, prompt);
    this.#last = Math.max(this.#last, number);
    if (number > this.#lastPrompt) {
      this.#head = number;
      this.#lastPrompt = number;
    }
    const hadBegun = prompt.reader.begin !== undefined;
    prompt.reader.add(line);
    const { begin } = prompt.reader;
    if (hadBegun || begin === undefined) return;
    this.#promptIds.add(begin.id);
    if (begin.queued !== undefined) this.#own.take(begin.queued, number);
  }
}

const openPrompt = (number: number, parent: number, agent?: AgentParts): OpenPrompt => ({
  reader: new PromptReader(number),
  parent,
  agent,
  summaries: [],
});

/** The ids of prompts. */
export const idsOf = (prompts: readonly SessionPrompt[]): readonly string[] =>
  prompts.flatMap(({ begin }) => begin?.id ?? []);

function pathTo(head: number, prompts: ReadonlyMap<number, SessionPrompt>): Pick<SessionHistory, "path" | "isCutOff"> {
  const path: SessionPrompt[] = [];
  for (let number = head; ; ) {
    const prompt = prompts.get(number);
    if (!prompt) return { path: path.reverse(), isCutOff: true };
    path.push(prompt);
    if (prompt.parent === number) return { path: path.reverse(), isCutOff: false };
    // An edited journal may refer to a later prompt.
    if (prompt.parent > number) return { path: path.reverse(), isCutOff: true };
    number = prompt.parent;
  }
}
