import { contentText, plainText } from "@mdx-ai/directory/text";
import type { Environment, Message } from "@mdx-ai/models";
import { type AgentEvent, answerText } from "@mdx-ai/runtime";
import type { EventView } from "../output/event-view.ts";
import type { Output } from "../output/output.ts";
import { TextView } from "../output/text-view.ts";

/** A whole conversation on one output: user messages, tool activity and answers. */
export class ConversationView implements EventView {
  readonly #activity: TextView;

  constructor(output: Output, environment: Environment) {
    this.#activity = new TextView(output, environment);
  }

  show(event: AgentEvent): void {
    this.#activity.show(event);
    if (event.type === "message_end") this.#say(event.message);
  }

  note(message: string): void {
    this.#activity.note(message);
  }

  showAnswer(text: string): void {
    this.#activity.showAnswer(text);
  }

  showUsage(line: string): void {
    this.#activity.showUsage(line);
  }

  end(): void {
    this.#activity.end();
  }

  #say(message: Message): void {
    switch (message.role) {
      case "user":
        this.showAnswer(inputText(contentText(message.content)));
        break;
      case "assistant":
        if (message.stopReason !== "error") this.showAnswer(answerText([message]));
        break;
      case "toolResult":
        break;
    }
  }
}

/** Marked, so that it differs from answers. */
const inputText = (text: string): string =>
  plainText(text)
    .split("\n")
    .map((line, index) => `${index === 0 ? ">" : " "} ${line}`.trimEnd())
    .join("\n");
