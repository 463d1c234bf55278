/** The milliseconds that a `retry-after` header asks to wait: it holds seconds or a date. Undefined where it holds neither. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const delay = Number.isNaN(seconds) ? Date.parse(header) - now : 1000 * seconds;
  return delay > 0 ? delay : undefined;
}
