import { isUserMessage } from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal-line.ts";
import { isPromptBegin } from "../loop/plan.ts";
import { isPromptEnd, type PromptEnd } from "../loop/prompt-end.ts";
import { isRecord } from "../record.ts";
import { addSpending, noSpending } from "../spending/spending.ts";
import { type ReadStep, readStep } from "../step-kinds.ts";
import type { Attempt, PromptBeginning, PromptHistory, Resumption, Steering, TurnHistory } from "./prompt-history.ts";
import { TURN_KINDS, TurnReader } from "./read-turn.ts";

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
    readers.set(line.prompt, reader);
    reader.add(line);
  }
  return [...readers.values()].map((reader) => reader.history());
}

/** All attempts to get an answer, in their order. Pure. */
export const attemptsOf = ({ turns }: PromptHistory): readonly Attempt[] =>
  turns.flatMap(({ steps }) => steps.filter((step) => step.type === "attempt"));

/** Reads the lines of one prompt, one after the other. Each is looked at once, and no result is copied. */
export class PromptReader {
  readonly #number: number;
  readonly #lines: JournalLine[] = [];
  readonly #turns = new Map<number, TurnReader>();
  readonly #steering: Omit<Steering, "turn">[] = [];
  readonly #resumptions: Omit<Resumption, "turn">[] = [];
  /** The turns in which these continued, as far as they were read. */
  readonly #resumedTurns: number[] = [];
  readonly #hooks: string[] = [];
  readonly #unknown = new Set<string>();
  #begin: PromptBeginning | undefined;
  #hasBegun = false;
  #added: PromptHistory["added"];
  #end: PromptEnd | undefined;
  #hasEnded = false;
  #failedResumes = 0;
  /** The turn of the last line that belongs to one. */
  #turn: number | undefined;

  constructor(number: number) {
    this.#number = number;
  }

  /** How the prompt began, as far as it was read. */
  get begin(): PromptBeginning | undefined {
    return this.#begin;
  }

  add(line: JournalLine): void {
    const read = readStep(line.step);
    this.#lines.push(line);
    this.#failedResumes = read.kind === "resume" ? this.#failedResumes + 1 : 0;
    const isRead = TURN_KINDS.has(read.kind)
      ? this.#addToTurn(read, line)
      : "result" in line && this.#addResult(read, line.step, line.result);
    if (!isRead) this.#unknown.add(line.step);
  }

  history(): PromptHistory {
    const turns: TurnHistory[] = [];
    const steering: Steering[] = [];
    let spending = noSpending;
    for (const reader of [...this.#turns.values()].sort((one, other) => one.number - other.number)) {
      const delivered = this.#steering.slice(steering.length, reader.delivered);
      steering.push(...delivered.map((said) => ({ ...said, turn: reader.number })));
      const turn = reader.history(delivered.map(({ message }) => message));
      turns.push(turn);
      spending = addSpending(spending, reader.spending);
      for (const step of reader.strangers(turn.calls)) this.#unknown.add(step);
    }
    const pending = this.#steering.slice(steering.length).map((said) => ({ ...said, turn: undefined }));
    return {
      number: this.#number,
      lines: this.#lines,
      begin: this.#begin,
      hasBegun: this.#hasBegun,
      added: this.#added,
      turns,
      steering: [...steering, ...pending],
      resumptions: this.#resumptions.map((one, index) => ({ ...one, turn: this.#resumedTurns[index] ?? this.#turn })),
      failedResumes: this.#failedResumes,
      hooks: this.#hooks,
      end: this.#end,
      hasEnded: this.#hasEnded,
      spending,
      unknown: [...this.#unknown],
    };
  }

  /** Returns whether the line says something. */
  #addToTurn(read: ReadStep, line: JournalLine): boolean {
    const { number, kind } = read;
    const turn = this.#turns.get(number) ?? new TurnReader(number);
    this.#turns.set(number, turn);
    this.#turn = number;
    while (this.#resumedTurns.length < this.#resumptions.length) this.#resumedTurns.push(number);
    if (kind === "afterTool") this.#hooks.push(line.step);
    if ("result" in line) return turn.add(read, line.step, line.result);
    turn.start(line.step);
    return kind === "tool";
  }

  /** Returns whether the result says something. */
  #addResult({ kind, number }: ReadStep, step: string, result: unknown): boolean {
    switch (kind) {
      case "begin":
        this.#hasBegun = true;
        if (!isPromptBegin(result)) return false;
        this.#begin ??= { step, message: result.input, queued: result.queued, id: result.id, plan: result.plan };
        return true;
      case "input":
        this.#hasBegun = true;
        if (!isUserMessage(result)) return false;
        this.#begin ??= { step, message: result, queued: number || undefined, id: undefined, plan: undefined };
        return true;
      case "beforePrompt":
      case "afterPrompt":
        return this.#addHook(step, result);
      case "steer":
        if (isUserMessage(result)) this.#steering.push({ step, message: result });
        return isUserMessage(result);
      case "resume":
        return this.#addResumption(step, isRecord(result) ? result["at"] : undefined);
      case "end":
        this.#hasEnded = true;
        if (isPromptEnd(result)) this.#end ??= result;
        return isPromptEnd(result);
      default:
        return false;
    }
  }

  #addHook(step: string, result: unknown): boolean {
    this.#hooks.push(step);
    const message = isRecord(result) ? result["message"] : undefined;
    if (isUserMessage(message)) this.#added = message;
    return true;
  }

  #addResumption(step: string, at: unknown): boolean {
    const isKnown = typeof at === "number";
    this.#resumptions.push({ step, at: isKnown ? at : undefined });
    return isKnown;
  }
}
