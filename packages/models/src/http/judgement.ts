import { contextExceeded, type ModelErrorDetails } from "../errors.ts";

/** A wait beyond this is for the user to decide on. Milliseconds. */
export const longestWait = 60_000;

/** Statuses that the same request would meet again, whatever the server says of them. */
const finalStatuses: readonly number[] = [400, 401, 402, 403, 404, 413];

/** Statuses of requests that may be too long for the model. */
const overflowStatuses: readonly number[] = [400, 413, 422, 500];

/** What servers say if a wait will not help: the money is used up. */
const spent = /spend_limit_reached|insufficient_quota|credit balance is too low|billing/i;

/** Whether another attempt may succeed, and when. A server that says so itself is mostly right. */
export function judge(
  known: { readonly status: number; readonly kind?: string },
  { said, headers }: { readonly said: string; readonly headers: Headers },
): ModelErrorDetails {
  if (overflowStatuses.includes(known.status) && saysOverflow(said)) {
    return { ...known, kind: contextExceeded, isTransient: false };
  }
  const wait = retryAfter(headers, Date.now()) ?? (known.status === 429 ? saidWait(said) : undefined);
  const details = wait === undefined ? known : { ...known, retryAfter: wait };
  const isSpent = known.status === 429 && spent.test(said);
  const isFinal = finalStatuses.includes(known.status) || isSpent || (wait ?? 0) > longestWait;
  const advised = headers.get("x-should-retry");
  if (isFinal || advised === "false") return { ...details, isTransient: false };
  return advised === "true" ? { ...details, isTransient: true } : details;
}

/** Kinds of failures in mid-stream that the same request would meet again. */
const finalKinds = /invalid|auth|permission|billing|not_found|too_large|quota|spend_limit|policy|image|mismatch/i;

/** Whether the names of a failure in mid-stream say that the same request would meet it again. */
export const saysFinal = (names: string): boolean => finalKinds.test(names);

/** What servers say of a request that is longer than the model's window, each in its own words. */
const complaints = [
  "context.length.exceeded",
  "exceeds?_context_size",
  "prompt (?:is )?too long",
  "input is too long",
  "exceed(?:s|ed)? (?:the )?(?:model'?s )?(?:available |maximum |max )?context",
  "maximum context length",
  "context window",
  "context length of only",
  "greater than the context length",
  "longer than the model'?s context",
  "token count .*exceeds the maximum",
  "maximum prompt length is",
  "reduce the length of the messages",
  // Bytes, such as those of images, may be too many before tokens are.
  "request_too_large",
  "maximum allowed number of bytes",
];

const overflow = new RegExp(complaints.join("|"), "i");

/** A limit on how fast one may ask speaks of tokens, too. */
const pace = /rate.?limit|too many requests|per minute/i;

/** Whether a failure's text says that the request does not fit the model's context. */
export const saysOverflow = (text: string): boolean => overflow.test(text) && !pace.test(text);

/** More than any wait is worth; keeps what a server says within what JSON can hold. Milliseconds. */
const longest = Number.MAX_SAFE_INTEGER;

/**
 * Milliseconds that a response asks to wait: `retry-after-ms`, else `retry-after` in seconds or as a date, seen from
 * `now` (milliseconds since 1970). Never below zero; undefined if no header says so.
 */
function retryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = leadingNumber(headers.get("retry-after-ms"));
  // Some servers send a zero in addition to the wait that they mean.
  if (milliseconds) return Math.min(milliseconds, longest);
  const after = headers.get("retry-after");
  const seconds = leadingNumber(after) ?? leadingNumber(headers.get("retry-after-ms"));
  const wait = seconds === undefined ? Date.parse(after ?? "") - now : seconds * 1000;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), longest);
}

/** Milliseconds that the text of a limit asks to wait; OpenAI says it nowhere else once an answer streams. */
export function saidWait(text: string): number | undefined {
  const [, digits, unit] = /\btry again in (\d+(?:\.\d+)?) ?(ms|s\b|seconds?\b)/i.exec(text) ?? [];
  return digits === undefined ? undefined : Math.min(Number(digits) * (unit === "ms" ? 1 : 1000), longest);
}

/** The number that a header begins with; a unit after it does not count. */
function leadingNumber(header: string | null): number | undefined {
  const [digits] = /^\s*\d+(?:\.\d+)?/.exec(header ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}
