import type { AssistantMessage, Usage } from "@mdx-ai/models";
import { assistantMessage } from "./model-request.ts";
import type { LifeAnswer } from "./random-life.ts";

/** What makes one answer differ from all others. */
interface Particulars {
  readonly usage: Usage;
  /** One that nothing else has. */
  number(): number;
}

/** The message of an answer in a life. */
export function lifeAnswer({ calls, length, failure }: LifeAnswer, { usage, number }: Particulars): AssistantMessage {
  if (failure === "too long") return assistantMessage([], { stopReason: "contextExceeded", usage });
  if (failure !== "none") return broken(failure, usage);
  const content = [
    { type: "text", text: `answer ${number()} ${"yes ".repeat(length)}` } as const,
    ...calls.map((name) => toolCall(name, number())),
  ];
  return assistantMessage(content, { usage, stopReason: calls.length > 0 ? "toolUse" : "stop" });
}

const toolCall = (name: string, number: number) =>
  ({ type: "toolCall", id: `call_${number}`, name, arguments: { number } }) as const;

function broken(failure: "overloaded" | "final", usage: Usage): AssistantMessage {
  const isTransient = failure === "overloaded";
  return assistantMessage([{ type: "text", text: "half" }], {
    stopReason: "error",
    errorMessage: failure,
    failure: { status: isTransient ? 529 : 401, isTransient },
    usage,
  });
}
