import type { ImageContent, Message, TextContent } from "../types/message.ts";
import type { Adaptation } from "./adaptation.ts";

/** The limits that decide which images of a history are sent. */
export interface ImageLimits {
  /** Maximum images per request. */
  readonly count: number;
  /** Maximum base64 characters of images per request. */
  readonly size: number;
  /** Whether the server accepts an image. */
  takes(image: ImageContent): boolean;
}

/** Drops the oldest images of a request that exceeds its server's documented limit. */
export function knownImageLimit(count: number): Adaptation {
  const left = new LeftImages();
  const limits = { count, size: Number.POSITIVE_INFINITY, takes: () => true };
  return {
    learn: () => undefined,
    request(request) {
      const messages = left.within(request.messages, limits);
      return messages === request.messages ? request : { ...request, messages };
    },
  };
}

/** All images of the messages, oldest first. */
export const imagesIn = (messages: readonly Message[]): readonly ImageContent[] =>
  messages.flatMap(({ role, content }) =>
    role === "assistant" ? [] : content.filter((block) => block.type === "image"),
  );

/**
 * Replaces images that a server does not accept with text. Returns the same object for a message as long as the same images are dropped.
 */
export class LeftImages {
  readonly #known = new WeakMap<Message, { readonly left: string; readonly message: Message }>();

  /** The messages with the newest images within the limits; the same list if all fit. */
  within(messages: readonly Message[], limits: ImageLimits): readonly Message[] {
    const images = imagesIn(messages);
    const kept = keptImages(images, limits);
    if (!kept.includes(false)) return messages;
    let index = 0;
    return messages.map((message) => {
      const count = imagesIn([message]).length;
      index += count;
      return count === 0 ? message : this.#without(message, kept.slice(index - count, index), limits);
    });
  }

  /** `kept`: for each image of the message, whether it is sent. */
  #without(message: Message, kept: readonly boolean[], limits: ImageLimits): Message {
    if (message.role === "assistant" || !kept.includes(false)) return message;
    const left = kept.join();
    const known = this.#known.get(message);
    if (known?.left === left) return known.message;
    let index = 0;
    const content = message.content.map((block) =>
      block.type !== "image" || kept[index++] ? block : leftText(limits.takes(block)),
    );
    const changed: Message = { ...message, content };
    this.#known.set(message, { left, message: changed });
    return changed;
  }
}

/**
 * For each image, whether it is sent: the newest within the limits are. Older ones are dropped several at a time, so that the start of
 * requests stays stable and caches hit.
 */
function keptImages(images: readonly ImageContent[], { count, size, takes }: ImageLimits): readonly boolean[] {
  const taken = images.filter(takes);
  const excess = Math.max(0, taken.length - count);
  const step = Math.max(1, Math.floor(count / 5));
  let left = excess === 0 ? 0 : Math.min(taken.length, Math.ceil(excess / step) * step);
  let length = taken.slice(left).reduce((sum, { data }) => sum + data.length, 0);
  for (const { data } of taken.slice(left)) {
    if (length <= size) break;
    length -= data.length;
    left++;
  }
  return images.map((image) => takes(image) && left-- <= 0);
}

const leftText = (isTaken: boolean): TextContent => ({
  type: "text",
  text: isTaken
    ? "[image left out: the server accepts no more images per request, and this is one of the oldest]"
    : "[image left out: the server does not accept it]",
});
