import { type AssistantMessage, isAssistantMessage, isToolResultMessage, isUserMessage } from "@mdx-ai/models";
import { isCompactionOutcome } from "../context/compaction-guard.ts";
import { isDelivery } from "../hosts/inbox.ts";
import { isPermissionDecision } from "../hosts/local-host.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isPolicyResult } from "../loop/decide-calls.ts";
import { isPromptBegin } from "../loop/plan.ts";
import { isPromptEnd } from "../loop/prompt-end.ts";
import { isRecord } from "../record.ts";
import { noSpending } from "../spending/spending.ts";
import { type ReadStep, readStep, type StepKind } from "../step-kinds.ts";
import { addJournaled } from "./answer-figures.ts";
import type { Attempt, PromptHistory, Steering, TurnHistory } from "./prompt-history.ts";
import { TurnReader } from "./read-turn.ts";

/** What the lines of one prompt say. Pure. */
export function readPrompt(lines: readonly JournalLine[]): PromptHistory {
  const reader = new PromptReader(lines[0]?.prompt ?? 0);
  for (const line of lines) reader.add(line);
  return reader.history();
}

/** What lines say of each prompt, in the order in which the prompts began. Pure. */
export function readPrompts(lines: readonly JournalLine[]): readonly PromptHistory[] {
  const readers = new Map<number, PromptReader>();
  for (const line of lines) {
    if (line.prompt === 0) continue;
    const reader = readers.get(line.prompt) ?? new PromptReader(line.prompt);
    readers.set(line.prompt, reader.add(line));
  }
  return [...readers.values()].map((reader) => reader.history());
}

/** All attempts to get an answer, in their order. Pure. */
export const attemptsOf = ({ turns }: PromptHistory): readonly Attempt[] =>
  turns.flatMap(({ steps }) => steps.filter((step) => step.type === "attempt"));

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Reads the lines of one prompt, one after the other. Each is looked at once, and no result is copied. */
export class PromptReader {
  readonly #lines: JournalLine[] = [];
  readonly #turns = new Map<number, TurnReader>();
  readonly #steering: Omit<Steering, "turn">[] = [];
  readonly #resumptions: Mutable<PromptHistory["resumptions"][number]>[] = [];
  readonly #hooks: string[] = [];
  readonly #unknown = new Set<string>();
  readonly #known: Mutable<
    Pick<PromptHistory, "number" | "begin" | "hasBegun" | "added" | "end" | "hasEnded" | "spending" | "failedResumes">
  >;
  #lastTurn: number | undefined;

  constructor(number: number) {
    this.#known = {
      number,
      begin: undefined,
      hasBegun: false,
      added: undefined,
      end: undefined,
      hasEnded: false,
      spending: noSpending,
      failedResumes: 0,
    };
  }

  /** How the prompt began, as far as it was read. */
  get begin(): PromptHistory["begin"] {
    return this.#known.begin;
  }

  add(line: JournalLine): this {
    const read = readStep(line.step);
    const known = this.#known;
    this.#lines.push(line);
    known.failedResumes = read.kind === "resume" ? known.failedResumes + 1 : 0;
    const isRead = "result" in line ? this.#read(read, line.step, line.result) : this.#start(read, line.step);
    if (!isRead) this.#unknown.add(line.step);
    return this;
  }

  history(): PromptHistory {
    const turns: TurnHistory[] = [];
    const steering: Steering[] = [];
    for (const reader of [...this.#turns.values()].sort((one, other) => one.number - other.number)) {
      const delivered = this.#steering.slice(steering.length, reader.delivered);
      steering.push(...delivered.map((said) => ({ ...said, turn: reader.number })));
      const turn = reader.history(delivered.map(({ message }) => message));
      for (const step of reader.strangers(turn.calls)) this.#unknown.add(step);
      turns.push(turn);
    }
    const pending = this.#steering.slice(steering.length).map((said) => ({ ...said, turn: undefined }));
    return {
      ...this.#known,
      lines: this.#lines,
      turns,
      steering: [...steering, ...pending],
      resumptions: this.#resumptions.map((one) => ({ ...one, turn: one.turn ?? this.#lastTurn })),
      hooks: this.#hooks,
      unknown: [...this.#unknown],
    };
  }

  /** Whether the marker says something. */
  #start({ kind, number }: ReadStep, step: string): boolean {
    if (kind !== "tool") return false;
    this.#turn(number).start(step);
    return true;
  }

  /** Whether the result says something. */
  #read(read: ReadStep, step: string, result: unknown): boolean {
    return IN_TURNS.has(read.kind) ? this.#readTurn(read, step, result) : this.#readFrame(read, step, result);
  }

  #readFrame({ kind, number }: ReadStep, step: string, result: unknown): boolean {
    const known = this.#known;
    switch (kind) {
      case "begin":
        known.hasBegun = true;
        if (!isPromptBegin(result)) return false;
        known.begin ??= { step, message: result.input, queued: result.queued, id: result.id, plan: result.plan };
        return true;
      case "input":
        known.hasBegun = true;
        if (!isUserMessage(result)) return false;
        known.begin ??= { step, message: result, queued: number || undefined, id: undefined, plan: undefined };
        return true;
      case "beforePrompt":
        this.#hooks.push(step);
        if (isRecord(result) && isUserMessage(result["message"])) known.added = result["message"];
        return true;
      case "afterPrompt":
        this.#hooks.push(step);
        return true;
      case "steer":
        if (!isUserMessage(result)) return false;
        this.#steering.push({ step, message: result });
        return true;
      case "resume": {
        const at = isRecord(result) ? result["at"] : undefined;
        this.#resumptions.push({ step, at: typeof at === "number" ? at : undefined, turn: undefined });
        return typeof at === "number";
      }
      case "end":
        known.hasEnded = true;
        if (!isPromptEnd(result)) return false;
        known.end ??= result;
        return true;
      default:
        return false;
    }
  }

  #readTurn({ kind, number, attempt }: ReadStep, step: string, result: unknown): boolean {
    const turn = this.#turn(number);
    switch (kind) {
      case "model":
        if (!isAssistantMessage(result)) return false;
        turn.add({ type: "attempt", step, attempt, message: result });
        this.#count(result);
        return true;
      case "compaction":
        if (!isCompactionOutcome(result)) return false;
        turn.add({ type: "summary", step, attempt, outcome: result });
        this.#count(result.answer);
        return true;
      case "retry":
      case "compactionRetry": {
        const delay = isRecord(result) ? result["delay"] : undefined;
        // Older versions journaled some waits without their length.
        const wait = { type: "wait", step, isForSummary: kind === "compactionRetry" } as const;
        turn.add({ ...wait, delay: typeof delay === "number" ? delay : undefined });
        return typeof delay === "number";
      }
      case "policy":
        if (!isPolicyResult(result)) return false;
        turn.policy = result.calls;
        return true;
      case "permission":
        if (!isPermissionDecision(result)) return false;
        turn.decide(step, result);
        return true;
      case "tool":
        if (!isToolResultMessage(result)) return false;
        turn.finish(step, result);
        return true;
      case "deliver":
        if (!isDelivery(result)) return false;
        turn.delivered = result.upTo;
        return true;
      case "afterTool":
        this.#hooks.push(step);
        return true;
      default:
        return kind === "size";
    }
  }

  #count(answer: AssistantMessage | undefined): void {
    const known = this.#known;
    if (answer) known.spending = addJournaled(known.spending, answer);
  }

  #turn(number: number): TurnReader {
    const turn = this.#turns.get(number) ?? new TurnReader(number);
    this.#turns.set(number, turn);
    this.#lastTurn = number;
    for (let index = this.#resumptions.length - 1; index >= 0; index--) {
      const one = this.#resumptions[index];
      if (one === undefined || one.turn !== undefined) break;
      one.turn = number;
    }
    return turn;
  }
}

const IN_TURNS: ReadonlySet<StepKind> = new Set([
  "model",
  "retry",
  "compaction",
  "compactionRetry",
  "size",
  "policy",
  "permission",
  "tool",
  "afterTool",
  "deliver",
]);
