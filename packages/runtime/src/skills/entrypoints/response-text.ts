import { EntrypointError } from "./entrypoint.ts";

/** Bytes of a body that are read; of the text that they make, a result keeps less. */
const MOST_BYTES = 1024 * 1024;

/** The body of a response, as far as it was read. */
export interface ReadBody {
  /** A line in brackets in place of what is no text. */
  readonly text: string;
  /** Bytes that were read. */
  readonly bytes: number;
  /** Whether more follow. */
  readonly isCut: boolean;
}

/** Reads a body up to 1 MiB. Rejects as the stream does. */
export async function readBody(response: Response): Promise<ReadBody> {
  const { bytes, isCut } = await readBytes(response.body);
  const type = response.headers.get("content-type") ?? "";
  const text =
    textOf(bytes, type, isCut) ??
    `[no text, but ${isCut ? "more than " : ""}${bytes.length} bytes of ${mediaType(type)}]`;
  return { text, bytes: bytes.length, isCut };
}

async function readBytes(body: ReadableStream<Uint8Array> | null): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  if (body === null) return { bytes: new Uint8Array(), isCut: false };
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(next.value);
    length += next.value.length;
    if (length > MOST_BYTES) {
      await reader.cancel();
      return { bytes: Buffer.concat(pieces).subarray(0, MOST_BYTES), isCut: true };
    }
  }
  return { bytes: Buffer.concat(pieces), isCut: false };
}

const mediaType = (type: string): string => /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0] ?? "an unknown type";

/** Undefined for bytes that are no text in the character set that the type names. */
function textOf(bytes: Uint8Array, type: string, isCut: boolean): string | undefined {
  const [, charset = "utf-8"] = /;\s*charset="?([\w-]+)/i.exec(type) ?? [];
  const decoder = decoderOf(charset);
  try {
    // The last character may be cut in half.
    const text = decoder.decode(bytes, { stream: isCut });
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Throws for a name that is none of a character set. */
function decoderOf(charset: string): TextDecoder {
  try {
    return Reflect.construct(TextDecoder, [charset, { fatal: true }]);
  } catch (cause) {
    throw new EntrypointError(`the answer has the unknown character set ${charset}`, { cause });
  }
}
