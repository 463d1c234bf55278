/** From one moment to another, or one moment alone; milliseconds since 1970. `to` is not before `from`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The farthest that a date reaches. */
const FARTHEST = 8.64e15;

/** A span of so many milliseconds; undefined where no date can stand for it, as a journal that was edited may hold it. */
export function spanOf(from: number, length = 0): Span | undefined {
  const to = from + Math.max(0, length);
  return Math.abs(from) <= FARTHEST && to <= FARTHEST ? { from, to } : undefined;
}

/** The span from the first moment to the last; undefined for none. */
export function wholeSpan(spans: readonly Span[]): Span | undefined {
  const [first] = spans;
  if (first === undefined) return undefined;
  return spans.reduce(
    (whole, { from, to }) => ({ from: Math.min(whole.from, from), to: Math.max(whole.to, to) }),
    first,
  );
}
