import { ByteReader } from "./byte-reader.ts";
import type { KeyMask } from "./key-mask.ts";

const HEAD_LIMIT = 262_144;
const LINE_LIMIT = 16_384;

/** The answer of a server is not passed on. The message is a line without a full stop. */
export class UnreadableResponseError extends Error {
  override readonly name = "UnreadableResponseError";
}

interface ResponseHead {
  readonly status: number;
  readonly lines: readonly string[];
  /** By name in small letters; values of the same name are joined. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Headers between a server and its proxy. */
const LEFT_OUT = /^(?:connection|keep-alive|proxy-[^:]*|alt-svc)\s*:/i;

/**
 * The answer of a server to one request, with the keys in it masked, as it arrives. Throws `UnreadableResponseError` before the
 * first byte if keys in the answer could not be found, `ByteStreamError` if it is incomplete, or the error of the connection.
 */
export async function* maskedResponse(
  source: AsyncIterable<Buffer>,
  method: string,
  mask: KeyMask,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  let head = await readHead(reader);
  for (; head.status >= 100 && head.status < 200 && head.status !== 101; head = await readHead(reader))
    yield headBytes(head, mask);
  const hasBody = method !== "HEAD" && head.status !== 204 && head.status !== 304;
  const encoding = head.headers.get("content-encoding") ?? "identity";
  if (hasBody && encoding.toLowerCase() !== "identity")
    throw new UnreadableResponseError(`it is compressed (${encoding}), although the request accepts no compression`);
  const transfer = head.headers.get("transfer-encoding");
  if (hasBody && transfer !== undefined && transfer.toLowerCase() !== "chunked")
    throw new UnreadableResponseError(`its transfer encoding is ${transfer}`);
  const connection = head.status === 101 ? "Upgrade" : "close";
  yield headBytes({ ...head, lines: [...head.lines, `Connection: ${connection}`] }, mask);
  if (!hasBody) return;
  if (head.status === 101) yield* masked(reader.rest(), mask);
  else if (transfer !== undefined) yield* maskedChunks(reader, mask);
  else yield* masked(plainBody(reader, head), mask);
}

async function readHead(reader: ByteReader): Promise<ResponseHead> {
  const [first = "", ...lines] = (await reader.until("\r\n\r\n", HEAD_LIMIT)).split("\r\n");
  const [, status] = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first) ?? [];
  if (status === undefined) throw new UnreadableResponseError("it is not HTTP/1.1");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  return { status: Number(status), lines: [first, ...lines.filter((line) => !LEFT_OUT.test(line))], headers };
}

const headBytes = ({ lines }: ResponseHead, mask: KeyMask): Buffer =>
  Buffer.from(mask.text([...lines, "", ""].join("\r\n")), "latin1");

function plainBody(reader: ByteReader, { headers }: ResponseHead): AsyncGenerator<Buffer> {
  const length = headers.get("content-length");
  if (length === undefined) return reader.rest();
  if (!/^\d{1,15}$/.test(length)) throw new UnreadableResponseError("the length of its body is no number");
  return reader.bytes(Number(length));
}

async function* masked(parts: AsyncIterable<Buffer>, mask: KeyMask): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    const bytes = mask.write(part);
    if (bytes.length > 0) yield bytes;
  }
  const rest = mask.end();
  if (rest.length > 0) yield rest;
}

/** A key may span chunks, so they are joined and made anew. */
async function* maskedChunks(reader: ByteReader, mask: KeyMask): AsyncGenerator<Buffer> {
  for await (const part of masked(chunks(reader), mask))
    yield Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]);
  yield Buffer.from("0\r\n\r\n");
}

async function* chunks(reader: ByteReader): AsyncGenerator<Buffer> {
  for (;;) {
    const [, digits] = /^([\da-f]{1,12})[\t ]*(?:;.*)?$/i.exec(await reader.until("\r\n", LINE_LIMIT)) ?? [];
    if (digits === undefined) throw new UnreadableResponseError("a chunk of its body has no length");
    const length = Number.parseInt(digits, 16);
    if (length === 0) break;
    yield* reader.bytes(length);
    await reader.until("\r\n", 0);
  }
  // Trailers are not passed on.
  while ((await reader.until("\r\n", LINE_LIMIT)) !== "");
}
