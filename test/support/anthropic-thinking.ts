import { blocksOf } from "./anthropic-document.ts";
import type { StreamEvent } from "./anthropic-replies.ts";

/** The thinking that a server has sent; like the API, it takes no other back. */
export class IssuedThinking {
  /** Each with what the model had read when it thought. */
  readonly #issued = new Map<string, string>();
  /** Whether thinking is taken back only behind what the model had read when it thought, as models since 5.1 do it. */
  isBound = false;

  /** Remembers the thinking of the answer to a body. */
  issue(events: readonly StreamEvent[], body: unknown): void {
    const prefix = prefixOf(body, listOf(fieldOf(body, "messages")).length);
    for (const block of blocksOf(events)) this.#issued.set(fingerprint(block), prefix);
  }

  /** Why the API would refuse a body; absent where it would not. */
  refusalOf(body: unknown): string | undefined {
    for (const [place, message] of listOf(fieldOf(body, "messages")).entries()) {
      for (const block of listOf(fieldOf(message, "content"))) {
        if (!String(fieldOf(block, "type")).endsWith("thinking")) continue;
        const prefix = this.#issued.get(fingerprint(block));
        if (prefix === undefined) return "messages: Invalid `signature` in `thinking` block";
        if (this.isBound && prefix !== prefixOf(body, place))
          return `messages.${place}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation.`;
      }
    }
    return undefined;
  }
}

/** All that a model reads before a message, but for cache points. */
function prefixOf(body: unknown, place: number): string {
  const messages = listOf(fieldOf(body, "messages")).slice(0, place);
  return JSON.stringify([fieldOf(body, "system"), fieldOf(body, "tools"), messages], (key, value: unknown) =>
    key === "cache_control" ? undefined : value,
  );
}

const fingerprint = (block: unknown): string =>
  JSON.stringify(["type", "thinking", "signature", "data"].map((name) => fieldOf(block, name)));

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
