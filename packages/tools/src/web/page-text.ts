import { mediaType, readBytes } from "../entrypoints/http-request.ts";

/** The text of a response. */
export interface PageText {
  readonly text: string;
  readonly isHtml: boolean;
  /** The number of bytes that were read. */
  readonly bytes: number;
  /** Whether more bytes follow. */
  readonly isCut: boolean;
}

const HTML = /^(text\/html|application\/xhtml\+xml)$/;
/** What servers say of a file whose type they do not know. */
const UNKNOWN = "application/octet-stream";
const TEXT = /^(text\/.+|application\/(.+\+)?(json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-ndjson|x-sh|sql))$/;

/**
 * Reads a response as text in its character set: that of a byte order mark, its header or the page itself, else UTF-8. Returns the
 * media type of a response that is not text, unread. Rejects as the stream does.
 */
export async function pageText(response: Response): Promise<PageText | { readonly other: string }> {
  const header = response.headers.get("content-type");
  const named = header === null ? UNKNOWN : mediaType(header).toLowerCase();
  const type = named === UNKNOWN ? undefined : named;
  if (type !== undefined && !HTML.test(type) && !TEXT.test(type)) {
    await response.body?.cancel();
    return { other: type };
  }
  const { bytes, isCut } = await readBytes(response.body);
  const start = Buffer.from(bytes.subarray(0, SAMPLE)).toString("latin1");
  const isHtml = type === undefined ? /^\s*<(!doctype html|html)/i.test(start) : HTML.test(type);
  const decoder = decoderOf(markOf(bytes) ?? charsetIn(header ?? "") ?? (isHtml ? charsetIn(start) : undefined));
  const text = decoder.decode(bytes);
  if (text.includes("\0")) return { other: type ?? "bytes that are not text" };
  return { text, isHtml, bytes: bytes.length, isCut };
}

/** The bytes in which browsers look for the character set of a page. */
const SAMPLE = 1024;

const markOf = ([first, second]: Uint8Array): string | undefined => {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb ? "utf-8" : undefined;
};

const charsetIn = (text: string): string | undefined => /charset\s*=\s*["']?\s*([\w-]+)/i.exec(text)?.[1];

/** As in browsers, invalid bytes are replaced and an unknown character set counts as UTF-8. */
function decoderOf(charset = "utf-8"): TextDecoder {
  try {
    return Reflect.construct(TextDecoder, [charset]);
  } catch {
    return new TextDecoder();
  }
}
