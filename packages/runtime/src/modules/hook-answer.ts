import { kindOf } from "./kind-of.ts";

/** What a hook gave is not what its contract says. */
class HookAnswerError extends Error {
  override readonly name = "HookAnswerError";

  constructor(answer: unknown, expected: string) {
    super(`unexpected ${kindOf(answer)}, expected ${expected}`);
    // An async hook where none is expected: its rejection has no other reader and would end the process.
    if (answer instanceof Promise) answer.catch(() => {});
  }
}

/** Narrows what `describe()` gave to its name. Throws `HookAnswerError`. */
export function describedName(answer: unknown): string {
  if (typeof answer === "object" && answer !== null && "name" in answer && isText(answer.name)) return answer.name;
  throw new HookAnswerError(answer, "{name, description} with a name");
}

/** Narrows what `systemPrompt()` gave. Throws `HookAnswerError`. */
export function sectionText(answer: unknown): string {
  if (typeof answer === "string") return answer;
  throw new HookAnswerError(answer, "a string");
}

/** Narrows what `tools()` gave; the elements are looked at one by one. Throws `HookAnswerError`. */
export function toolList(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  throw new HookAnswerError(answer, "an array of tools");
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
