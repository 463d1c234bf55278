import { isRecord, listOf, type UnknownRecord } from "@mdx-ai/base";
import type { ModelRequest } from "../types/language-model.ts";
import type { ImageContent } from "../types/message.ts";
import type { Adaptation, RefusedRequest } from "./adaptation.ts";
import { imagesIn, LeftImages } from "./left-images.ts";

const statuses: readonly unknown[] = [undefined, 400, 404, 413, 415, 422, 500];

/** Servers' words for images. */
const IMAGE = /images?\b|image_url|multi-?modal|\bmedia\b|vision|data-uri/i;

/** Unsupported format. */
const FORMAT = /format|media.?type|mime|\bimage\/\w+/i;

/** Images are not supported at all. */
const NONE =
  /(?:does|do)(?: not|n't) (?:support|accept|have)[^.]{0,40}(?:images?|vision|image_url|multi-?modal)|(?:images?|image input|image_url|vision|multi-?modal)[^.]{0,40}(?:not (?:supported|allowed|accepted|enabled|available)|unsupported|only supported)|support (?:image|vision) input|not a (?:multi-?modal|vision) model|unknown variant `?image_url|at most 0 image/i;

/** Too many images. */
const MANY =
  /too (?:many|much)|at most|max(?:imum)?\b[^.]{0,30}(?:is|of|allowed|per|:)|exceed\w*[^.]{0,40}(?:limit|max|allowed)|limit(?:ed)? (?:the number|of|is|to)|up to \d+|no more than|(?:more|fewer) than \d+|over the (?:limit|maximum)|must be (?:<=|≤|less|at most)|many-image/i;

/** One image or all of them are too large. */
const LARGE = /\d ?(?:mb|mib|kb|kib|bytes|megabytes)\b|\btoo large|image (?:file )?size|dimensions?|pixels|resolution/i;

/** An unreadable image. */
const UNREADABLE =
  /(?:could not|cannot|can't|unable to|failed to) (?:be )?(?:process|decode|read|parse|load|identify)|invalid (?:base64|image)|image[^.]{0,40}(?:invalid|corrupt)|does not (?:represent a valid|match) |unsupported image|image_parse_error|media.?type/i;

/** The whole request is too large. */
const REQUEST_SIZE =
  /request_too_large|maximum allowed number of bytes|(?:request|payload|body|entity|content)\b[^.]{0,20}(?:size|too large)/i;

/** Above this number of images, Anthropic accepts only small ones. */
const MANY_IMAGES = 20;

/** Drops images that a server does not accept: the oldest if there are too many, else the faulty one. */
export class RefusedImages implements Adaptation {
  #count = Number.POSITIVE_INFINITY;
  #size = Number.POSITIVE_INFINITY;
  readonly #refused = new Set<string>();
  readonly #left = new LeftImages();

  learn({ status, said, field = "", isTooLong, body, request }: RefusedRequest): string | undefined {
    const images = imagesIn(request.messages);
    if (images.length === 0 || !statuses.includes(status)) return undefined;
    if (status === 413 || REQUEST_SIZE.test(said)) return this.#learnSize(images, body);
    // Too many tokens need compaction.
    return isTooLong || !IMAGE.test(said) ? undefined : this.#learnImages({ status, said, field, body, images });
  }

  request(request: ModelRequest): ModelRequest {
    const limits = {
      count: this.#count,
      size: this.#size,
      takes: (image: ImageContent) => !this.#refused.has(image.data),
    };
    const messages = this.#left.within(request.messages, limits);
    return messages === request.messages ? request : { ...request, messages };
  }

  #learnImages({ status, said, field, body, images }: RefusedImage): string | undefined {
    if (NONE.test(said) && !FORMAT.test(said)) return this.#atMost(0);
    const isLarge = LARGE.test(said);
    if (/many-image/i.test(said) && images.length > MANY_IMAGES) return this.#atMost(MANY_IMAGES);
    if (MANY.test(said) && !isLarge) return this.#atMost(mostImages(said, images.length));
    const named = imageAt(`${field} ${said}`, body, images);
    const isUnreadable = status !== 500 && (UNREADABLE.test(said) || (NONE.test(said) && FORMAT.test(said)));
    if (!isLarge && !isUnreadable) return named && this.#without([named]);
    const tooLarge = isLarge ? imagesAbove(sizeIn(said), images) : images.slice(-1);
    return this.#without(named === undefined ? tooLarge : [named]);
  }

  #atMost(count: number): string {
    this.#count = count;
    if (count === 0) return "the server accepts no images, which are left out from now on";
    return `the server accepts at most ${count} image${count === 1 ? "" : "s"} in one request, so the oldest are left out`;
  }

  #without(images: readonly ImageContent[]): string {
    for (const { data } of images) this.#refused.add(data);
    const what = images.length === 1 ? "an image" : `${images.length} images`;
    return `the server does not accept ${what}, which ${images.length === 1 ? "is" : "are"} left out from now on`;
  }

  /** Keeps half of the images, if they make the request large. */
  #learnSize(images: readonly ImageContent[], body: UnknownRecord): string | undefined {
    const size = images.reduce((sum, { data }) => sum + data.length, 0);
    if (size < JSON.stringify(body).length / 4) return undefined;
    this.#size = Math.floor(size / 2);
    return "the request has too many bytes for the server, so the oldest images are left out";
  }
}

/** A refusal about images. */
interface RefusedImage extends Pick<RefusedRequest, "status" | "said" | "body"> {
  readonly field: string;
  readonly images: readonly ImageContent[];
}

/** The number of images that a server accepts after refusing this many; half if it does not say. */
function mostImages(said: string, sent: number): number {
  const numbers = [...said.matchAll(/(?<![\w.-])\d[\d,]*(?![\w-]|\.\d)/g)].map(([digits]) =>
    Number(digits.replaceAll(",", "")),
  );
  const fitting = numbers.filter((number) => number > 0 && number < sent);
  return fitting.length === 0 ? Math.floor(sent / 2) : Math.max(...fitting);
}

/** The image at a path in the server's message, such as `messages.2.content.0.image.source.base64`. */
function imageAt(said: string, body: UnknownRecord, images: readonly ImageContent[]): ImageContent | undefined {
  const [path] = /\b(?:messages|input)[.[]+\d+[\w.[\]]*/.exec(said) ?? [];
  if (path === undefined) return undefined;
  let value: unknown = body;
  for (const name of path.split(/[.[\]]+/)) {
    const next = Array.isArray(value) ? listOf(value)[Number(name)] : isRecord(value) ? value[name] : undefined;
    // Paths may also contain types of blocks.
    if (next !== undefined) value = next;
  }
  const json = JSON.stringify(value) ?? "";
  const found = images.filter(({ data }) => json.includes(data));
  return found.length === 1 ? found[0] : undefined;
}

/** The maximum bytes per image that a server states. */
function sizeIn(said: string): number {
  const bytes = [...said.matchAll(/(\d[\d,]*) bytes/gi)].map(([, digits = ""]) => Number(digits.replaceAll(",", "")));
  if (bytes.length > 0) return Math.min(...bytes);
  const [, amount, unit = ""] = /(\d+(?:\.\d+)?) ?(mi?b|ki?b|megabytes)\b/i.exec(said) ?? [];
  if (amount === undefined) return Number.POSITIVE_INFINITY;
  return Number(amount) * (/^k/i.test(unit) ? 1024 : 1024 * 1024);
}

/** Images above a size in bytes or base64; else the largest. */
function imagesAbove(size: number, images: readonly ImageContent[]): readonly ImageContent[] {
  const above = images.filter(({ data }) => data.length > size);
  if (above.length > 0) return above;
  return images.toSorted((one, other) => other.data.length - one.data.length).slice(0, 1);
}
