import { type AssistantMessage, isAssistantMessage, isToolResultMessage } from "@mdx-ai/models";
import { type CallStep, callSteps, isModelStep, turnOf } from "../step-names.ts";
import type { JournalLine } from "./journal-line.ts";

/** A tool call of a prompt that has ended, without a result: no provider accepts it so. */
export interface DanglingCall extends CallStep {
  readonly prompt: number;
  /** When the answer came that asks for it, in milliseconds since 1970. */
  readonly calledAt: number;
}

/** Finds them, in the order of the answers. Pure. */
export function danglingCalls(lines: readonly JournalLine[]): DanglingCall[] {
  const ended = new Set(lines.flatMap(({ prompt, step }) => (step === "end" ? prompt : [])));
  const answered = new Set(lines.flatMap((line) => (hasResult(line) ? keyOf(line) : [])));
  return answers(lines)
    .filter(({ prompt }) => ended.has(prompt))
    .flatMap(({ prompt, step, message }) =>
      callSteps(message, turnOf(step)).flatMap((call) =>
        answered.has(keyOf({ prompt, step: call.step })) ? [] : { ...call, prompt, calledAt: message.timestamp },
      ),
    );
}

interface Answer {
  readonly prompt: number;
  readonly step: string;
  readonly message: AssistantMessage;
}

/** The answers whose calls are run: of the attempts of a turn the last one, where it did not break off. */
function answers(lines: readonly JournalLine[]): Answer[] {
  const byTurn = new Map<string, Answer>();
  for (const line of lines) {
    if (line.prompt === 0 || !("result" in line) || !isModelStep(line.step)) continue;
    const { prompt, step, result } = line;
    if (isAssistantMessage(result)) byTurn.set(`${prompt}/${turnOf(step)}`, { prompt, step, message: result });
  }
  return [...byTurn.values()].filter(
    ({ message: { stopReason } }) => stopReason !== "error" && stopReason !== "aborted",
  );
}

const hasResult = (line: JournalLine): boolean => "result" in line && isToolResultMessage(line.result);

const keyOf = ({ prompt, step }: Pick<JournalLine, "prompt" | "step">): string => `${prompt}/${step}`;
