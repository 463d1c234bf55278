/** Characters in the strings and names of a value; each value adds a constant. */
const MAX_TEXT = 256 * 1024;
const VALUE_COST = 8;

/** Levels: recursive code overflows the stack at some thousands. */
const MAX_LEVELS = 200;

/** Whether a JSON value is small and flat enough to describe a tool. Stops reading at the limits. Never throws. */
export function isModest(value: unknown): boolean {
  const waiting: Part[] = [{ value, level: 0 }];
  let left = MAX_TEXT;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    left -= costOf(part.value);
    if (left < 0 || part.level > MAX_LEVELS) return false;
    for (const inner of partsOf(part)) waiting.push(inner);
  }
  return true;
}

interface Part {
  readonly value: unknown;
  readonly level: number;
}

function costOf(value: unknown): number {
  if (typeof value === "string") return VALUE_COST + value.length;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return VALUE_COST;
  return Object.keys(value).reduce((cost, name) => cost + name.length, VALUE_COST);
}

const partsOf = ({ value, level }: Part): readonly Part[] =>
  typeof value === "object" && value !== null
    ? Object.values(value).map((inner) => ({ value: inner, level: level + 1 }))
    : [];
