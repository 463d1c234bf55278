import { noRedactor, type Redactor } from "@mdx-ai/base";
import { typedText } from "@mdx-ai/models/typed-words";
import type { OpenedSession } from "@mdx-ai/sessions";
import type { WrittenInput } from "./prompt-queue.ts";

/** The key of a prompt was given again with another input. */
export class PromptKeyError extends Error {
  override readonly name = "PromptKeyError";

  constructor(key: string) {
    super(`the key ${JSON.stringify(key)} belongs to a prompt with another input; choose a new key`);
  }
}

/** The input of a prompt of a session, redacted as on disk; undefined if it is no longer known. */
export function knownInput({ past }: OpenedSession, id: string): WrittenInput | undefined {
  const history = past?.history();
  const message = history?.prompts.findLast(({ begin }) => begin?.id === id)?.begin?.message;
  if (message !== undefined) {
    return { text: typedText(message), images: message.content.filter((block) => block.type === "image") };
  }
  const queued = history?.own.queue.findLast((entry) => entry.id === id);
  return queued && { text: queued.typed ?? queued.text, images: queued.images };
}

/** Throws `PromptKeyError` if a repeated submission differs from the first one, as far as that is known. */
export function requireSame(
  { id, ...given }: WrittenInput & { readonly id: string },
  first: WrittenInput | undefined,
  redactor: Redactor = noRedactor,
): void {
  if (first === undefined) return;
  const isSame =
    redactor.text(given.text) === first.text && Bun.deepEquals(given.images ?? [], first.images ?? [], true);
  if (!isSame) throw new PromptKeyError(id);
}
