import { isRecord } from "@mdx-ai/base";
import {
  addJournaled,
  addResult,
  type Cost,
  type FileRecord,
  isAddedContext,
  isAskedCall,
  isFileRecord,
  isOfTurn,
  isPromptBegin,
  isPromptEnd,
  isSpentElsewhere,
  noCost,
  type PromptEnd,
  type ReadStep,
  RepeatWatch,
  readStep,
  type SpentElsewhere,
} from "@mdx-ai/loop";
import { isTime, isUserMessage, type UserMessage } from "@mdx-ai/models";
import { type JournalLine, UNREADABLE_STEP } from "../journal/journal.ts";
import type {
  CallHistory,
  PromptBeginning,
  PromptHistory,
  Resumption,
  Steering,
  TurnHistory,
} from "./prompt-history.ts";
import { TurnReader } from "./read-turn.ts";

/** Reads the lines of one prompt. Pure. */
export function readPrompt(lines: readonly JournalLine[]): PromptHistory {
  const reader = new PromptReader(lines[0]?.prompt ?? 0);
  for (const line of lines) reader.add(line);
  return reader.history();
}

/** Reads the lines of one prompt, one after the other. Each line is read once, and no result is copied. */
export class PromptReader {
  readonly #number: number;
  readonly #lines: JournalLine[] = [];
  /** In the order of their first lines. */
  readonly #turns: TurnReader[] = [];
  readonly #steering: Omit<Steering, "turn">[] = [];
  readonly #resumptions: Omit<Resumption, "turn">[] = [];
  /** The turns in which the resumes continued, read so far. */
  readonly #resumedTurns: number[] = [];
  readonly #files: FileRecord[] = [];
  readonly #hooks: string[] = [];
  #unknown: Set<string> | undefined;
  #begin: PromptBeginning | undefined;
  #hasBegun = false;
  #added: PromptHistory["added"];
  #isDenied = false;
  #elsewhere: SpentElsewhere | undefined;
  #end: PromptEnd | undefined;
  #hasEnded = false;
  #isDamaged = false;
  #failedResumes = 0;
  /** While a question waits for the user, a process that ends has not failed. */
  #openQuestions = 0;
  /** The turn of the last line that belongs to one. */
  #turn: TurnReader | undefined;
  #lastTurn = 0;

  constructor(number: number) {
    this.#number = number;
  }

  /** The beginning of the prompt, if read so far. */
  get begin(): PromptBeginning | undefined {
    return this.#begin;
  }

  add(line: JournalLine): void {
    const read = readStep(line.step);
    this.#lines.push(line);
    if (line.step === UNREADABLE_STEP) {
      this.#isDamaged = true;
      return;
    }
    // A step that crashes each process may journal a file before.
    if (read.kind === "resume") this.#failedResumes += this.#openQuestions > 0 ? 0 : 1;
    else if (read.kind !== "file") this.#failedResumes = 0;
    this.#openQuestions += questionsOf(read, line);
    const isRead = isOfTurn(read.kind)
      ? this.#addToTurn(read, line)
      : "result" in line && this.#addResult(read, line.step, line.result);
    if (!isRead) this.#addUnknown(line.step);
  }

  history(): PromptHistory {
    const steering: Steering[] = [];
    const repeats = new RepeatWatch();
    const turns = this.#turns
      .sort((one, other) => one.number - other.number)
      .map((reader): TurnHistory => {
        const delivered = this.#steering.slice(steering.length, reader.delivered);
        for (const said of delivered) steering.push({ ...said, turn: reader.number });
        const { turn, strangers } = reader.history(delivered.map(({ message }) => message));
        for (const step of strangers) this.#addUnknown(step);
        return { ...turn, calls: asReceived(turn.calls, repeats) };
      });
    for (const said of this.#steering.slice(steering.length)) steering.push({ ...said, turn: undefined });
    return {
      number: this.#number,
      lines: this.#lines,
      begin: this.#begin,
      hasBegun: this.#hasBegun,
      added: this.#added,
      isDenied: this.#isDenied,
      turns,
      steering,
      resumptions: this.#resumptions.map((one, index) => ({
        ...one,
        turn: this.#resumedTurns[index] ?? this.#turn?.number,
      })),
      failedResumes: this.#failedResumes,
      files: this.#files,
      hooks: this.#hooks,
      elsewhere: this.#elsewhere,
      end: this.#end,
      hasEnded: this.#hasEnded,
      isDamaged: this.#isDamaged,
      cost: costOf(this.#begin?.message, turns),
      unknown: [...(this.#unknown ?? [])],
    };
  }

  /** Returns whether the line is known. */
  #addToTurn(read: ReadStep, line: JournalLine): boolean {
    const { number, kind } = read;
    const turn = this.#turnOf(number);
    while (this.#resumedTurns.length < this.#resumptions.length) this.#resumedTurns.push(number);
    if (kind === "afterTool" || kind === "beforeEnd") this.#hooks.push(line.step);
    if ("result" in line) return turn.add(read, line.step, line.result);
    turn.start(line.step);
    return kind === "tool";
  }

  #turnOf(number: number): TurnReader {
    if (this.#turn?.number === number) return this.#turn;
    // In an undamaged journal, turns only increase.
    const known = number > this.#lastTurn ? undefined : this.#turns.findLast((turn) => turn.number === number);
    const turn = known ?? new TurnReader(number);
    if (known === undefined) this.#turns.push(turn);
    this.#lastTurn = Math.max(this.#lastTurn, number);
    this.#turn = turn;
    return turn;
  }

  #addUnknown(step: string): void {
    this.#unknown ??= new Set();
    this.#unknown.add(step);
  }

  /** Returns whether the result is known. */
  #addResult({ kind }: ReadStep, step: string, result: unknown): boolean {
    switch (kind) {
      case "begin":
        this.#hasBegun = true;
        if (!isPromptBegin(result)) return false;
        this.#begin ??= { message: result.input, queued: result.queued, id: result.id, plan: result.plan };
        return true;
      case "beforePrompt":
      case "afterPrompt":
        return this.#addHook(step, result);
      case "steer":
        if (!isUserMessage(result)) return false;
        this.#steering.push({ step, message: result });
        return true;
      case "file":
        if (!isFileRecord(result)) return false;
        this.#files.push(result);
        return true;
      case "spent":
      case "raise":
        if (!isSpentElsewhere(result)) return false;
        this.#elsewhere = result;
        return true;
      case "budgetQuestion":
      case "budgetAnswer":
        return true;
      case "resume":
        return this.#addResumption(step, isRecord(result) ? result["at"] : undefined);
      case "end":
        this.#hasEnded = true;
        if (!isPromptEnd(result)) return false;
        this.#end ??= result;
        return true;
      default:
        return false;
    }
  }

  #addHook(step: string, result: unknown): boolean {
    this.#hooks.push(step);
    if (!isAddedContext(result)) return true;
    if (result.message) this.#added = result.message;
    this.#isDenied = result.denied !== undefined;
    return true;
  }

  #addResumption(step: string, at: unknown): boolean {
    this.#resumptions.push({ step, at: isTime(at) ? at : undefined });
    return isTime(at);
  }
}

/** 1 if a line asks the user, -1 if it answers. */
function questionsOf({ kind }: ReadStep, line: JournalLine): number {
  if (kind === "answer" || kind === "budgetAnswer") return -1;
  if (kind === "budgetQuestion") return 1;
  return kind === "question" && "result" in line && isAskedCall(line.result) && "question" in line.result ? 1 : 0;
}

/** Calls with their results as the model received them, with notes about repeated calls. */
const asReceived = (calls: readonly CallHistory[], repeats: RepeatWatch): readonly CallHistory[] =>
  calls.map((one) => {
    const received = one.result && repeats.add(one.call, one.result);
    return received === one.result ? one : { ...one, result: received };
  });

function costOf(input: UserMessage | undefined, turns: readonly TurnHistory[]): Cost {
  let cost = input === undefined ? noCost : addResult(noCost, input);
  for (const { delivered, steps, calls } of turns) {
    for (const step of steps) {
      if (step.type === "attempt") cost = addJournaled(cost, step.message);
      else if (step.type === "summary" && step.outcome.answer) cost = addJournaled(cost, step.outcome.answer);
    }
    for (const result of [...delivered, ...calls.flatMap(({ result: one }) => one ?? [])])
      cost = addResult(cost, result);
  }
  return cost;
}
