import { blocksOf } from "./anthropic-document.ts";
import type { StreamEvent } from "./anthropic-replies.ts";

/** The thinking that a server has sent; like the API, it takes no other back. */
export class IssuedThinking {
  readonly #issued = new Set<string>();

  /** Remembers the thinking of an answer. */
  issue(events: readonly StreamEvent[]): void {
    for (const block of blocksOf(events)) this.#issued.add(fingerprint(block));
  }

  /** Why the API would refuse a body; absent where it would not. */
  refusalOf(body: unknown): string | undefined {
    const strange = listOf(fieldOf(body, "messages"))
      .flatMap((message) => listOf(fieldOf(message, "content")))
      .find((block) => String(fieldOf(block, "type")).endsWith("thinking") && !this.#issued.has(fingerprint(block)));
    return strange === undefined ? undefined : "messages: Invalid `signature` in `thinking` block";
  }
}

const fingerprint = (block: unknown): string =>
  JSON.stringify(["type", "thinking", "signature", "data"].map((name) => fieldOf(block, name)));

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
