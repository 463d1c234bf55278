import { defined, isList, isRecord } from "@mdx-ai/base";
import {
  type AgentParts,
  addJournaled,
  isAgentParts,
  isCompactionOutcome,
  isNewHead,
  isQueuedText,
  isUndoPlan,
  noCost,
  type ReadStep,
  readStep,
  STEPS,
  type StepKind,
  type UndoPlan,
} from "@mdx-ai/loop";
import { type ImageContent, isTime, isUserMessage } from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal.ts";
import type { SegmentHead } from "./segment-head.ts";
import type { AgentState, Owner, OwnHistory, OwnStep, OwnSummary, QueueEntry, Rewind } from "./session-history.ts";

/** Reads the steps that a later journal repeats because they still apply. */
const HEAD_KINDS: readonly StepKind[] = ["owner", "agent", "identity", "repository"];

/** Reads the lines of session steps, one after the other. */
export class OwnStepsReader {
  readonly #lines: JournalLine[] = [];
  readonly #queue = new Map<number, QueueEntry>();
  readonly #rewinds: Rewind[] = [];
  readonly #summaries: OwnSummary[] = [];
  readonly #agents: AgentState[] = [];
  readonly #highest = { queue: 0, head: 0, undo: 0, agent: 0 };
  readonly #others = new Set<string>();
  readonly #promptIds: Set<string>;
  #unfinishedUndo: UndoPlan | undefined;
  #owner: Owner | undefined;
  #identity: string | undefined;
  #cost = noCost;

  /** `promptIds` receives the ids of inputs in the queue. */
  constructor(promptIds: Set<string>) {
    this.#promptIds = promptIds;
  }

  /** The agent's parts read so far. */
  get agent(): AgentParts | undefined {
    return this.#agents.at(-1)?.parts;
  }

  /** Reads a line that follows a prompt. Returns the rewind or the summary that it is. */
  add(line: JournalLine, afterPrompt: number): Rewind | OwnSummary | undefined {
    const read = readStep(line.step);
    this.#lines.push(line);
    this.#note(read);
    const own = "result" in line ? this.#read(read, { step: line.step, afterPrompt }, line.result) : undefined;
    if (own === undefined) this.#others.add(line.step);
    return typeof own === "object" ? own : undefined;
  }

  /** Reads the head of a later journal. It repeats data: only what the earlier journals have lost is new. */
  addHead(head: SegmentHead | undefined, afterPrompt: number): void {
    if (head === undefined) this.#others.add(STEPS.segment.name());
    const known = new Set(this.#lines.map(({ step }) => step));
    for (const line of head?.own ?? []) {
      const { kind } = readStep(line.step);
      if (HEAD_KINDS.includes(kind) && !known.has(line.step)) this.add(line, afterPrompt);
    }
  }

  /** A prompt began with an input of the queue. */
  take(number: number, prompt: number): void {
    const entry = this.#queue.get(number);
    if (entry) this.#queue.set(number, { ...entry, prompt });
  }

  history(): OwnHistory {
    return {
      lines: this.#lines,
      queue: [...this.#queue.values()],
      owner: this.#owner,
      rewinds: this.#rewinds,
      unfinishedUndo: this.#unfinishedUndo,
      summaries: this.#summaries,
      agents: this.#agents,
      identity: this.#identity,
      highest: this.#highest,
      cost: this.#cost,
      others: [...this.#others],
    };
  }

  #note({ kind, number }: ReadStep): void {
    const counted = kind === "unqueue" ? "queue" : kind;
    if (counted !== "queue" && counted !== "head" && counted !== "undo" && counted !== "agent") return;
    this.#highest[counted] = Math.max(this.#highest[counted], number);
  }

  /** Undefined if no other field represents the line. */
  #read({ kind, number }: ReadStep, own: OwnStep, result: unknown): Rewind | OwnSummary | true | undefined {
    switch (kind) {
      case "queue":
        return this.#enqueue(number, own, result);
      case "unqueue":
        return this.#withdraw(number);
      case "head":
        return this.#rewind(own, result);
      case "undo":
        if (!isUndoPlan(result)) return undefined;
        this.#unfinishedUndo = result;
        return true;
      case "agent":
        if (!isAgentParts(result)) return undefined;
        this.#agents.push({ ...own, parts: result });
        return true;
      case "owner":
        if (typeof result !== "string") return undefined;
        this.#owner = { ...own, mark: result };
        // It may be another user's, so it is not finished.
        this.#unfinishedUndo = undefined;
        return true;
      case "identity":
        if (typeof result === "string") this.#identity = result;
        return undefined;
      case "compaction":
      case "sessionCompaction": {
        if (!isCompactionOutcome(result)) return undefined;
        const summary = { type: "summary", ...own, outcome: result } as const;
        this.#summaries.push(summary);
        if (result.answer) this.#cost = addJournaled(this.#cost, result.answer);
        return summary;
      }
      default:
        return undefined;
    }
  }

  #withdraw(number: number): true {
    const entry = this.#queue.get(number);
    if (entry) this.#queue.set(number, { ...entry, isWithdrawn: true });
    return true;
  }

  #rewind(own: OwnStep, result: unknown): Rewind | undefined {
    if (!isNewHead(result)) return undefined;
    const said = {
      prompt: result.prompt,
      at: timeOf(result),
      promptIds: textsOf(result),
      isUndo: result.isUndo === true,
    };
    const rewind = { type: "rewind", ...own, ...said } as const;
    this.#rewinds.push(rewind);
    this.#unfinishedUndo = undefined;
    return rewind;
  }

  #enqueue(number: number, own: OwnStep, result: unknown): true | undefined {
    if (!isQueuedText(result)) return undefined;
    const { text, typed, cost, id, at } = result;
    const images = imagesOf(result);
    this.#promptIds.add(id);
    const entry = {
      ...own,
      number,
      text,
      ...(images.length > 0 && { images }),
      ...defined({ typed, cost }),
      id,
      at,
    };
    this.#queue.set(number, { ...entry, isWithdrawn: false, prompt: undefined });
    return true;
  }
}

/** The images of an input; none if they are invalid. */
function imagesOf(result: object): readonly ImageContent[] {
  const message: unknown = { role: "user", content: "images" in result ? result.images : [], timestamp: 0 };
  return isUserMessage(message) ? message.content.flatMap((block) => (block.type === "image" ? [block] : [])) : [];
}

function timeOf(result: unknown): number | undefined {
  const at = isRecord(result) ? result["at"] : undefined;
  return isTime(at) ? at : undefined;
}

/** The valid ids of its list; undefined if there is no list. */
function textsOf(result: unknown): readonly string[] | undefined {
  const ids = isRecord(result) ? result["promptIds"] : undefined;
  return isList(ids, () => true) ? ids.filter((id) => typeof id === "string") : undefined;
}
