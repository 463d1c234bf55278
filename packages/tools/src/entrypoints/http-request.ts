import { errorCode } from "@mdx-ai/base";
import { EntrypointError } from "./entrypoint.ts";
import { allowedAddresses, destinationOf, type ToolNetwork } from "./network-address.ts";

/** A request of a tool. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** JSON. */
  readonly body?: string | undefined;
  /** More headers; a redirect to another server does not get them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to a request, after redirects. */
interface Answered {
  readonly response: Response;
  /** The address that answered. */
  readonly url: URL;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Error codes of connections that were never made: the next address may answer. */
const UNCONNECTED: readonly string[] = [
  "ConnectionRefused",
  "FailedToOpenSocket",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
];

/**
 * Sends a request and follows redirects after the same checks of each address. Connects to the checked address, so a changed name
 * cannot lead elsewhere. A redirect that `follows` refuses is the answer. Rejects with `EntrypointError`, or as `fetch` does.
 */
export async function sendRequest(
  first: HttpRequest,
  network: ToolNetwork,
  signal: AbortSignal,
  follows: (location: URL) => boolean = () => true,
): Promise<Answered> {
  let request = first;
  for (let redirects = 0; ; redirects++) {
    const response = await sendOnce(request, network, signal);
    const location = redirectOf(response);
    if (location === undefined) return { response, url: request.url };
    const target = URL.parse(location, request.url.href);
    if (target !== null && !follows(target)) return { response, url: request.url };
    await response.body?.cancel();
    if (redirects === MAX_REDIRECTS) {
      throw new EntrypointError(`the server redirected the request more than ${MAX_REDIRECTS} times`);
    }
    request = redirected(request, response.status, location);
  }
}

/** Where a response redirects to, as it says; undefined for other responses. */
export const redirectOf = ({ status, headers }: Response): string | undefined =>
  REDIRECTS.includes(status) ? (headers.get("location") ?? undefined) : undefined;

/** A POST stays a POST, or becomes a GET only if the server says that the result is elsewhere. */
function redirected(request: HttpRequest, status: number, location: string): HttpRequest {
  if (!URL.canParse(location, request.url.href))
    throw new EntrypointError(`the server redirected to ${location}, which is not an address`);
  const url = new URL(location, request.url);
  const target = `${url.protocol}//${url.host}`;
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new EntrypointError(`the server redirected to ${url.protocol}, which is neither http: nor https:`);
  }
  if (request.url.protocol === "https:" && url.protocol === "http:") {
    throw new EntrypointError(`the server redirected from https to ${target}, which is not followed`);
  }
  const { headers } = url.origin === request.url.origin ? request : {};
  if (request.method === "GET" || status === 303) return { method: "GET", url, ...(headers && { headers }) };
  if (status === 301 || status === 302) {
    throw new EntrypointError(
      `the server redirected a POST to ${target} with the status ${status}, which leaves open whether it may be repeated`,
    );
  }
  if (url.origin !== request.url.origin) {
    throw new EntrypointError(
      `the server redirected a POST to ${target}, another server, which is not sent the arguments`,
    );
  }
  return { ...request, url };
}

async function sendOnce(request: HttpRequest, network: ToolNetwork, signal: AbortSignal): Promise<Response> {
  const destination = destinationOf(request.url);
  const { host } = destination;
  const addresses = await allowedAddresses(destination, network, signal);
  for (const [index, address] of addresses.entries()) {
    try {
      return await sendTo(address, host, request, signal);
    } catch (error) {
      if (signal.aborted || index === addresses.length - 1 || !isUnconnected(error)) throw error;
    }
  }
  throw new EntrypointError(`${host} has no address`);
}

const ACCEPTED = "application/json, text/*;q=0.9, */*;q=0.5";

/** The request and the certificate check keep the name. */
function sendTo(
  address: string,
  host: string,
  { method, url, body, headers: given }: HttpRequest,
  signal: AbortSignal,
): Promise<Response> {
  const pinned = new URL(url);
  pinned.hash = "";
  pinned.hostname = address.includes(":") ? `[${address}]` : address;
  const headers: Record<string, string> = { Host: url.host, Accept: ACCEPTED, ...given };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  return fetch(pinned, {
    method,
    headers,
    redirect: "manual",
    signal,
    keepalive: false,
    ...(body !== undefined && { body }),
    ...(url.protocol === "https:" && { tls: { serverName: host } }),
  });
}

const isUnconnected = (error: unknown): boolean => UNCONNECTED.includes(errorCode(error) ?? "");

/** The most bytes of a body that are read; a result keeps less of its text. */
const MAX_BYTES = 1024 * 1024;

/** The part of a response body that was read. */
interface ReadBody {
  /** The text, or a line in brackets if it is not text. */
  readonly text: string;
  /** The number of bytes that were read. */
  readonly bytes: number;
  /** Whether more bytes follow. */
  readonly isCut: boolean;
}

/** Reads a body up to 1 MiB. Rejects as the stream does. */
export async function readBody(response: Response): Promise<ReadBody> {
  const { bytes, isCut } = await readBytes(response.body);
  const type = response.headers.get("content-type") ?? "";
  const text =
    textOf(bytes, type, isCut) ?? `[not text: ${isCut ? "more than " : ""}${bytes.length} bytes of ${mediaType(type)}]`;
  return { text, bytes: bytes.length, isCut };
}

/** Reads up to 1 MiB, after decompression. Rejects as the stream does. */
export async function readBytes(body: Response["body"]): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  if (body === null) return { bytes: new Uint8Array(), isCut: false };
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(next.value);
    length += next.value.length;
    if (length > MAX_BYTES) {
      await reader.cancel();
      return { bytes: Buffer.concat(pieces).subarray(0, MAX_BYTES), isCut: true };
    }
  }
  return { bytes: Buffer.concat(pieces), isCut: false };
}

/** The media type of a `content-type`, as it is written. */
export const mediaType = (type: string): string => /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0] ?? "an unknown type";

/** Undefined for bytes that are not text in the named character set. */
function textOf(bytes: Uint8Array, type: string, isCut: boolean): string | undefined {
  const [, charset = "utf-8"] = /;\s*charset="?([\w-]+)/i.exec(type) ?? [];
  const decoder = decoderOf(charset);
  try {
    // The last character may be incomplete.
    const text = decoder.decode(bytes, { stream: isCut });
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Throws for an unknown character set. */
function decoderOf(charset: string): TextDecoder {
  try {
    return Reflect.construct(TextDecoder, [charset, { fatal: true }]);
  } catch (cause) {
    throw new EntrypointError(`the answer has the unknown character set ${charset}`, { cause });
  }
}
