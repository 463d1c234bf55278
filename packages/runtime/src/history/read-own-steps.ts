import { defined, isList, isRecord } from "@mdx-ai/base";
import { type ImageContent, isTime, isUserMessage } from "@mdx-ai/models";
import { isCompactionOutcome } from "../context/compaction-outcome.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { type ReadStep, readStep, type StepKind } from "../step-kinds.ts";
import { SEGMENT_STEP } from "../step-names.ts";
import { addJournaled, noCost } from "../usage/cost.ts";
import type { SegmentHead } from "./segment-head.ts";
import type {
  AgentParts,
  AgentState,
  OwnHistory,
  OwnStep,
  OwnSummary,
  QueueEntry,
  Rewind,
  UndoPlan,
} from "./session-history.ts";

/** Whether a value that came out of JSON is `AgentParts`. */
export const isAgentParts = (value: unknown): value is AgentParts =>
  isRecord(value) && Object.values(value).every((hash) => typeof hash === "string");

/** Whether a value that came out of JSON is the plan of an undo. */
export const isUndoPlan = (value: unknown): value is UndoPlan =>
  isRecord(value) &&
  [value["to"], value["lastPrompt"]].every(Number.isSafeInteger) &&
  typeof value["force"] === "boolean";

interface QueuedText {
  readonly text: string;
  readonly typed?: string;
  readonly id: string;
  readonly at: number;
}

/** Whether a value that came out of JSON is the journaled form of an input in the queue. */
export const isQueuedText = (value: unknown): value is QueuedText =>
  isRecord(value) &&
  typeof value["text"] === "string" &&
  (value["typed"] === undefined || typeof value["typed"] === "string") &&
  typeof value["id"] === "string" &&
  isTime(value["at"]);

/** What a later journal repeats because it still holds. */
const HEAD_KINDS: readonly StepKind[] = ["owner", "agent", "identity", "repository"];

/** Reads the lines of a session's own steps, one after the other. */
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
  #owner: string | undefined;
  #identity: string | undefined;
  #cost = noCost;

  /** `promptIds` receives the ids of inputs in the queue. */
  constructor(promptIds: Set<string>) {
    this.#promptIds = promptIds;
  }

  /** The agent's parts, as far as they were read. */
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

  /** Reads the head of a later journal, which repeats: only data that the journals before it have lost is new. */
  addHead(head: SegmentHead | undefined, afterPrompt: number): void {
    if (head === undefined) this.#others.add(SEGMENT_STEP);
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

  /** Undefined if the line says nothing that another field shows. */
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
        this.#owner ??= result;
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
    if (!isRecord(result) || !Number.isSafeInteger(result["prompt"])) return undefined;
    const said = { prompt: Number(result["prompt"]), at: timeOf(result), promptIds: textsOf(result["promptIds"]) };
    const rewind = { type: "rewind", ...own, ...said, isUndo: result["isUndo"] === true } as const;
    this.#rewinds.push(rewind);
    this.#unfinishedUndo = undefined;
    return rewind;
  }

  #enqueue(number: number, own: OwnStep, result: unknown): true | undefined {
    if (!isQueuedText(result)) return undefined;
    const { text, typed, id, at } = result;
    const images = imagesOf(result);
    this.#promptIds.add(id);
    const entry = {
      ...own,
      number,
      text,
      ...(images.length > 0 && { images }),
      ...defined({ typed }),
      id,
      at,
    };
    this.#queue.set(number, { ...entry, isWithdrawn: false, prompt: undefined });
    return true;
  }
}

/** The images of an input; none if they are not what was written. */
function imagesOf(result: object): readonly ImageContent[] {
  const message: unknown = { role: "user", content: "images" in result ? result.images : [], timestamp: 0 };
  return isUserMessage(message) ? message.content.flatMap((block) => (block.type === "image" ? [block] : [])) : [];
}

function timeOf(result: unknown): number | undefined {
  const at = isRecord(result) ? result["at"] : undefined;
  return isTime(at) ? at : undefined;
}

/** Of a list the texts; undefined if it is none. */
const textsOf = (value: unknown): readonly string[] | undefined =>
  isList(value, () => true) ? value.filter((element) => typeof element === "string") : undefined;
