import { plainLine } from "@mdx-ai/directory/text";
import type { SkillDefinition } from "@mdx-ai/parser";
import { counted } from "../output/figures.ts";
import { isCommand, nameOf } from "./command-text.ts";
import type { Dialogue } from "./dialogue.ts";

/** Runs `/queue` with these words and returns the answer. */
export function runQueueCommand(
  words: string,
  dialogue: Pick<Dialogue, "queue" | "enqueue" | "drop">,
  skills: readonly SkillDefinition[],
): string {
  if (words === "") return queueText(dialogue.queue);
  const drop = /^drop(?:\s+(\S+))?$/.exec(words);
  if (drop !== null) return dropped(drop[1], dialogue);
  if (isCommand(words, skills)) return `${nameOf(words)} is not a prompt and cannot be queued.`;
  dialogue.enqueue(words);
  return "";
}

function queueText(queue: readonly string[]): string {
  if (queue.length === 0) return "Nothing waits; /queue TEXT sends a prompt when the running one has ended.";
  return queue.map((text, at) => `${at + 1}  ${plainLine(text)}`).join("\n");
}

function dropped(number: string | undefined, dialogue: Pick<Dialogue, "queue" | "drop">): string {
  const text = number !== undefined && /^\d+$/.test(number) ? dialogue.drop(Number(number)) : undefined;
  if (text !== undefined) return `Removed from the queue: ${plainLine(text)}`;
  const there = counted(dialogue.queue.length, "prompt");
  return `/queue drop N removes the prompt with that number; ${there} wait${dialogue.queue.length === 1 ? "s" : ""}.`;
}
