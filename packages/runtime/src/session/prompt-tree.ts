import type { JournalLine } from "../journal/journal-line.ts";
import { isRecord } from "../record.ts";
import { END_STEP, isCompactionStep, numberOf } from "../step-names.ts";

/** A prompt of a session, and what its journal says of it. */
export interface PromptNode {
  /** 0 for what comes before the first prompt. */
  readonly number: number;
  /** The prompt that it follows in the transcript. */
  readonly parent: number;
  readonly lines: JournalLine[];
  /** The summaries that the user asked for between it and the next one. */
  readonly summaries: JournalLine[];
}

/** The prompts of a session: where one went back to an earlier prompt, another branch begins. */
export interface PromptTree {
  /** The branch that is the transcript, from the prompt before all of these lines on. */
  readonly path: readonly PromptNode[];
  /** Whether the transcript goes back to a prompt that is not in these lines. */
  readonly isCutOff: boolean;
  /** The last prompt, where a crash cut it short and nobody has gone back since. */
  readonly open: PromptNode | undefined;
  /** The number of the last prompt; 0 where there was none. */
  readonly lastPrompt: number;
}

/** What is known of the time before the lines. */
export interface TreeStart {
  readonly lastPrompt: number;
  /** The prompt with which the transcript ended. */
  readonly head: number;
}

/** The prompt with which the transcript ends from a line on; undefined where it does not say. */
export function headOf(line: JournalLine): number | undefined {
  if (line.prompt !== 0 || numberOf("head", line.step) === undefined || !("result" in line)) return undefined;
  const { result } = line;
  return isRecord(result) && Number.isSafeInteger(result["prompt"]) ? Number(result["prompt"]) : undefined;
}

/** Sorts the lines of a session's journals by prompts. */
export function promptTree(lines: readonly JournalLine[], start: TreeStart): PromptTree {
  const nodes = new Map([0, start.head].map((number) => [number, emptyNode(number, number)]));
  let { head, lastPrompt } = start;
  for (const line of lines) {
    if (line.prompt > 0) {
      const node = nodes.get(line.prompt) ?? emptyNode(line.prompt, head);
      node.lines.push(line);
      nodes.set(line.prompt, node);
      if (line.prompt > lastPrompt) head = line.prompt;
      lastPrompt = Math.max(lastPrompt, line.prompt);
    } else {
      head = headOf(line) ?? head;
      if (isCompactionStep(line.step)) nodes.get(head)?.summaries.push(line);
    }
  }
  const last = nodes.get(lastPrompt);
  const open = last && head === lastPrompt && isOpen(last) ? last : undefined;
  return { ...pathTo(head, nodes), open, lastPrompt };
}

const emptyNode = (number: number, parent: number): PromptNode => ({ number, parent, lines: [], summaries: [] });

const isOpen = ({ lines }: PromptNode): boolean => lines.length > 0 && !lines.some(({ step }) => step === END_STEP);

function pathTo(head: number, nodes: ReadonlyMap<number, PromptNode>): Pick<PromptTree, "path" | "isCutOff"> {
  const path: PromptNode[] = [];
  for (let number = head; ; ) {
    const node = nodes.get(number);
    if (!node) return { path: path.reverse(), isCutOff: true };
    path.push(node);
    if (node.parent === number) return { path: path.reverse(), isCutOff: false };
    number = node.parent;
  }
}
