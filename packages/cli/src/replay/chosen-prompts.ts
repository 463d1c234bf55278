import type { RecordedPrompt, Recording } from "@mdx-ai/runtime";
import { UsageError } from "../failures/usage-error.ts";
import { counted } from "../output/figures.ts";

/** The prompts of a recording that are wanted. Throws `UsageError` where there is none. */
export function chosenPrompts({ prompts }: Recording, number: number | undefined): readonly RecordedPrompt[] {
  if (prompts.length === 0) throw new UsageError("there is no prompt in the recording");
  const chosen = prompts.filter((prompt) => number === undefined || prompt.number === number);
  if (chosen.length > 0) return chosen;
  const has = counted(prompts.length, "prompt");
  const numbers = prompts.map((prompt) => prompt.number);
  const gaps = numbers.length < Math.max(...numbers) ? "; those that were left by going back are not played" : "";
  throw new UsageError(
    `there is no prompt ${number} in the recording; it has ${has}, the last is ${Math.max(...numbers)}${gaps}`,
  );
}
