import type { AgentEvent } from "@mdx-ai/loop";
import type { PromptWorld, RandomPrompt } from "./random-prompt.ts";

/** Whether an event says that the model has answered, or failed. */
const isAnswer = (event: AgentEvent): boolean =>
  event.type === "message_end"
    ? event.message.role === "assistant"
    : ["model_retry", "model_fallback", "context_compacted"].includes(event.type);

interface CorpusCall {
  readonly name: string;
  readonly isApproved?: boolean;
}

interface CorpusAnswer {
  readonly text?: string;
  readonly calls?: readonly CorpusCall[];
  readonly failure?: 401 | 529;
}

const corpusPrompt = (answers: readonly CorpusAnswer[], more: Partial<RandomPrompt> = {}): RandomPrompt => ({
  models: 1,
  plan: { limits: { turns: 6 }, context: {} },
  ...more,
  answers: answers.map(({ text = "Hello", calls = [], failure }) => ({
    ...{ text, failure, stopReason: undefined, input: 100 },
    calls: calls.map(({ name, isApproved = true }, index) => ({ name, number: index + 1, isApproved })),
  })),
});

const LOOK: CorpusCall = { name: "look" };

/** Prompts with everything that a prompt can do, all of whose calls may run again: each must be finished wherever it was cut. */
export const CORPUS: readonly (readonly [name: string, prompt: RandomPrompt])[] = [
  ["turns with calls side by side", corpusPrompt([{ calls: [LOOK, LOOK, LOOK] }, { calls: [LOOK] }, {}])],
  ["an agent that works for it", corpusPrompt([{ calls: [{ name: "child" }, LOOK] }, {}])],
  ["a denial and an unknown tool", corpusPrompt([{ calls: [{ name: "denied" }, { name: "missing" }, LOOK] }, {}])],
  ["a declined question", corpusPrompt([{ calls: [LOOK, { name: "asked", isApproved: false }] }, {}])],
  [
    "a retry and a fallback",
    corpusPrompt([{ failure: 529 }, { calls: [LOOK] }, { failure: 401 }, { text: "the other one" }], {
      models: 2,
      plan: { retries: [0, 0], limits: { turns: 6 }, context: {} },
    }),
  ],
  [
    "a summary of earlier messages",
    corpusPrompt([{ text: "long ".repeat(300), calls: [LOOK] }, { calls: [LOOK] }, {}], {
      plan: { limits: { turns: 6 }, context: { window: 400, compactAt: 0.8 } },
    }),
  ],
  [
    "a limit that asks for more",
    corpusPrompt([{ calls: [LOOK, LOOK] }, { calls: [LOOK] }, {}], {
      plan: { limits: { turns: 6, toolCalls: 1, on: "ask" }, isMetered: true, context: {} },
    }),
  ],
];

/** Lets a call of the model that is repeated get the same answer. `events`: those of this attempt so far. */
export function keepAnswers(world: PromptWorld, events: () => readonly AgentEvent[]): void {
  world.kept = () => events().filter(isAnswer).length;
}
