import type { ModelError } from "../errors/model-error.ts";
import { RefusedThinking } from "../history/refused-thinking.ts";
import { SentHistory } from "../history/sent-history.ts";
import { freeId, portableContent, saysSomething, shortenedId, withoutLastThinking } from "../history/sent-parts.ts";
import { listOf, parseJsonObject, recordOf, textOf, wellFormedJson } from "../json.ts";
import type { AssistantContent, AssistantMessage, Message } from "../types/message.ts";
import { sentReasoning } from "./reasoning-item.ts";
import { turnItems } from "./wire-items.ts";

/** Characters of the id of a call that the interface accepts. */
const longestId = 64;

/**
 * Converts histories to what the responses interface accepts: every call is followed by its output, no text is empty, and
 * thinking goes back in its place, in front of what it led to, unless the server has refused it. Each item is JSON.
 */
export class WireHistory {
  readonly #vendor: string;
  readonly #refused = new RefusedThinking({ isRefusal, marksIn });
  readonly #history: SentHistory<string>;

  /** `vendor` is the one whose thinking goes back. */
  constructor(vendor: string, takesImages: boolean) {
    this.#vendor = vendor;
    this.#history = new SentHistory<string>({
      takesImages,
      content: (answer) => this.#content(answer),
      id: ({ id }, _, taken) => freeId(shortenedId(id, longestId), taken),
      add: (wire, turn) => wire.push(...turnItems(turn).map(wellFormedJson)),
    });
  }

  of(messages: readonly Message[]): readonly string[] {
    return this.#history.of(messages);
  }

  /** The failure of a request with this body, as the caller should get it; refused thinking is sent no more. */
  learn(error: unknown, body: string): unknown {
    const learnt = this.#refused.learn(error, body);
    if (learnt !== error) this.#history.forget();
    return learnt;
  }

  #content(answer: AssistantMessage): readonly AssistantContent[] {
    return withoutLastThinking(portableContent(answer, this.#vendor).filter((block) => this.#isSent(block)));
  }

  #isSent(block: AssistantContent): boolean {
    if (block.type !== "thinking") return saysSomething(block);
    const item = sentReasoning(block);
    return item !== undefined && !this.#refused.has(item.encrypted_content);
  }
}

/** Thinking is bound to the organization of a key, and with some servers to the model that thought. */
const isRefusal = ({ message, failure }: ModelError): boolean =>
  failure.kind === "invalid_encrypted_content" ||
  /encrypted content .*could not be (?:verified|decrypted)/i.test(message);

const marksIn = (body: string): readonly string[] =>
  listOf(parseJsonObject(body)?.["input"])
    .map(recordOf)
    .filter(({ type }) => type === "reasoning")
    .map(({ encrypted_content: encrypted }) => textOf(encrypted));
