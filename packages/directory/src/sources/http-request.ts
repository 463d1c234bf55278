import { errorMessage } from "@mdx-ai/base";
import { isLoopbackHost, isPrivateHost, privatePlace } from "./loopback.ts";
import { sourceError } from "./source.ts";

export interface HttpRequest {
  readonly url: URL;
  /** Default: "GET". */
  readonly method?: string;
  /** `authorization` goes to the origin of `url` alone, not to where that redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal: AbortSignal;
  /** The most bytes of the answer. */
  readonly maxBytes: number;
}

export interface HttpAnswer {
  /** Of the last request. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

const MAX_REDIRECTS = 5;
/** For one request, in milliseconds. */
const MAX_TIME = 10 * 60_000;

/**
 * Sends a request by HTTPS, or by plain HTTP to this machine, and reads the answer of any status. Redirects of GET are followed, but never to
 * plain HTTP, nor from elsewhere to this machine. Rejects with `DirectoryError` ("source"), or with the signal's reason.
 */
export async function httpRequest(request: HttpRequest): Promise<HttpAnswer> {
  const time = AbortSignal.timeout(MAX_TIME);
  const signal = AbortSignal.any([request.signal, time]);
  try {
    return await followed({ ...request, signal }, MAX_REDIRECTS);
  } catch (error) {
    request.signal.throwIfAborted();
    if (time.aborted) throw sourceError(`${request.url.host} takes longer than ${MAX_TIME / 60_000} minutes`, error);
    if (error instanceof Error && error.name === "DirectoryError") throw error;
    throw sourceError(`cannot reach ${request.url.host}: ${errorMessage(error)}`, error);
  }
}

async function followed(request: HttpRequest, redirectsLeft: number): Promise<HttpAnswer> {
  requireSafe(request.url);
  const response = await fetch(request.url, {
    method: request.method ?? "GET",
    headers: { "user-agent": "mdx-ai", ...request.headers },
    ...(request.body !== undefined && { body: request.body }),
    redirect: "manual",
    signal: request.signal,
  });
  const target = redirectTarget(request, response);
  if (target === undefined) {
    const bytes = await readBody(request, response);
    return { url: request.url, status: response.status, headers: response.headers, bytes };
  }
  await response.body?.cancel();
  if (redirectsLeft === 0) throw sourceError(`${request.url.host} redirects more than ${MAX_REDIRECTS} times`);
  return await followed({ ...request, url: target, headers: headersFor(request, target) }, redirectsLeft - 1);
}

function requireSafe(url: URL): void {
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname))) return;
  throw sourceError(`${url.protocol}//${url.host} is not encrypted; plain HTTP is for this machine alone`);
}

function redirectTarget({ url, method = "GET" }: HttpRequest, response: Response): URL | undefined {
  const location = response.headers.get("location");
  if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  if (method !== "GET" && method !== "HEAD")
    throw sourceError(`${url.host} redirects a request that changes something`);
  const target = URL.parse(location, url.href);
  if (target === null) throw sourceError(`${url.host} redirects to an invalid address`);
  if (isPrivateHost(target.hostname) && !isPrivateHost(url.hostname)) {
    throw sourceError(`${url.host} redirects to ${privatePlace(target)}, which is not followed`);
  }
  return target;
}

function headersFor({ url, headers = {} }: HttpRequest, target: URL): Readonly<Record<string, string>> {
  if (target.origin === url.origin) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "authorization"));
}

async function readBody({ url, maxBytes }: HttpRequest, response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw sourceError(`the answer of ${url.host} is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Headers for a file whose hash counts: the server must not compress it. */
export const UNCHANGED: Readonly<Record<string, string>> = { accept: "*/*", "accept-encoding": "identity" };

/** The answer, if its status is a success. Throws `DirectoryError` ("source") with the status, and what a server says about it. */
export function requireSuccess(answer: HttpAnswer, what: string): HttpAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw sourceError(
    `${what}: ${answer.url.host} answers with status ${answer.status}${HINTS.get(answer.status) ?? ""}`,
  );
}

const HINTS: ReadonlyMap<number, string> = new Map([
  [401, "; it needs credentials"],
  [403, "; the credentials do not permit it"],
  [404, "; it does not exist, or needs credentials"],
]);
