import { readPrompts } from "../history/read-prompt.ts";
import type { JournalLine } from "../journal/journal-line.ts";

/** A session has no such prompt, or one that did not end. */
export class UnknownPromptError extends Error {
  override readonly name = "UnknownPromptError";

  constructor(id: string, prompt: number, prompts: readonly number[]) {
    const there = prompts.length === 0 ? "none" : `${Math.min(...prompts)} to ${Math.max(...prompts)}`;
    super(`session ${id} has no prompt ${prompt} that has ended; there are: ${there} (0 is before the first)`);
  }
}

/** Throws `UnknownPromptError` unless a prompt of a session has ended; 0, before the first, always has. */
export function requirePrompt(id: string, prompt: number, lines: readonly JournalLine[]): void {
  const ended = readPrompts(lines).flatMap(({ number, hasEnded }) => (hasEnded ? [number] : []));
  if (prompt !== 0 && !ended.includes(prompt)) throw new UnknownPromptError(id, prompt, ended);
}
