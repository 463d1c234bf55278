/** More than any wait is worth; keeps what a server says within what JSON can hold. Milliseconds. */
const longest = Number.MAX_SAFE_INTEGER;

/**
 * Milliseconds that a response asks to wait: `retry-after-ms`, else `retry-after` in seconds or as a date, seen from
 * `now` (milliseconds since 1970). Never below zero; undefined where no header says.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = leadingNumber(headers.get("retry-after-ms"));
  // Some servers send a zero beside the wait that they mean.
  if (milliseconds) return Math.min(milliseconds, longest);
  const after = headers.get("retry-after");
  const seconds = leadingNumber(after) ?? leadingNumber(headers.get("retry-after-ms"));
  const wait = seconds === undefined ? Date.parse(after ?? "") - now : seconds * 1000;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), longest);
}

/** The number that a header begins with; a unit after it does not count. */
function leadingNumber(header: string | null): number | undefined {
  const [digits] = /^\s*\d+(?:\.\d+)?/.exec(header ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}
