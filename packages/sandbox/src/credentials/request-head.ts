/** A request with a key. */
export interface KeyedRequest {
  readonly method: string;
  /** With its final empty line, one character a byte. */
  readonly head: string;
}

/** A request that is not sent. */
export interface RefusedRequest {
  readonly status: string;
  /** A line without a full stop. */
  readonly refusal: string;
}

/** What the head of a request becomes. */
export interface HeadChange {
  /** The host as its `Host` header names it. */
  readonly authority: string;
  /** Whether a `Host` header of a client names this host. */
  readonly isHost: (text: string) => boolean;
  readonly header: string;
  readonly value: string;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
// A target with a scheme and a host would override the `Host` header.
const REQUEST_LINE = new RegExp(`^(${TOKEN}) (/[\\x21-\\x7e]*) (HTTP/1\\.[01])$`);
const HEADER = new RegExp(`^(${TOKEN}):([\\t\\x20-\\x7e\\x80-\\xff]*)$`);

/**
 * Headers between a client and its proxy, and headers that would make the answer unreadable for the search for keys: compressed
 * answers and messages of a WebSocket.
 */
const LEFT_OUT =
  /^(?:host|connection|keep-alive|te|upgrade|http2-settings|accept-encoding|sec-websocket-extensions|proxy-.*)$/;

/**
 * Puts a key into the head of a request, without its final empty line. The key replaces a header of the same name. Refuses heads
 * that two servers may read differently: the key must not end up in the body of another request.
 */
export function keyedRequest(text: string, change: HeadChange): KeyedRequest | RefusedRequest {
  const [first = "", ...lines] = text.split("\r\n");
  const [, method = "", target = "", version = ""] = REQUEST_LINE.exec(first) ?? [];
  if (method === "") return malformed("its first line is not `METHOD /PATH HTTP/1.1`; HTTP/2 does not work with a key");
  const headers = lines.map((line) => HEADER.exec(line));
  if (headers.includes(null)) return malformed("a header is malformed");
  const named = headers.map((match) => ({ name: match?.[1] ?? "", value: match?.[2]?.trim() ?? "", line: match?.[0] }));
  const valuesOf = (name: string): readonly string[] =>
    named.filter((one) => one.name.toLowerCase() === name).map(({ value }) => value);
  const other = valuesOf("host").find((host) => !change.isHost(host));
  if (other !== undefined)
    return { status: "421 Misdirected Request", refusal: `the key for ${change.authority} is not sent to ${other}` };
  const [lengths, encodings] = [valuesOf("content-length"), valuesOf("transfer-encoding")];
  if (lengths.length + encodings.length > 1 || encodings.some((encoding) => encoding.toLowerCase() !== "chunked"))
    return malformed("the length of its body is ambiguous");
  if (lengths.some((length) => !/^\d{1,15}$/.test(length))) return malformed("the length of its body is no number");
  const upgrade = valuesOf("upgrade").some((protocol) => protocol.toLowerCase() === "websocket");
  const kept = named.filter(({ name }) => !LEFT_OUT.test(name.toLowerCase()) && !isSame(name, change.header));
  const own = [
    `Host: ${change.authority}`,
    ...(upgrade ? ["Connection: Upgrade", "Upgrade: websocket"] : ["Connection: close"]),
    "Accept-Encoding: identity",
    `${change.header}: ${change.value}`,
  ];
  const rest = kept.flatMap(({ line }) => line ?? []);
  return { method, head: [`${method} ${target} ${version}`, ...own, ...rest, "", ""].join("\r\n") };
}

const malformed = (why: string): RefusedRequest => ({
  status: "400 Bad Request",
  refusal: `the request cannot carry a key: ${why}`,
});

/** Some servers read `_` as `-`. */
const isSame = (name: string, header: string): boolean => plain(name) === plain(header);
const plain = (name: string): string => name.toLowerCase().replaceAll("_", "-");
