/** Characters of the texts and names of a value, and what each value in it counts beside them. */
const MOST_TEXT = 256 * 1024;
const VALUE_COST = 8;

/** Levels: code that follows a value level by level runs out of stack at some thousands. */
const MOST_LEVELS = 200;

/** Whether a value of JSON is small and flat enough for what describes a tool. It looks at no more than that, and never throws. */
export function isModest(value: unknown): boolean {
  const waiting: [value: unknown, level: number][] = [[value, 0]];
  let left = MOST_TEXT;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, level] = next;
    left -= VALUE_COST + (typeof part === "string" ? part.length : 0);
    if (left < 0 || level > MOST_LEVELS) return false;
    if (typeof part !== "object" || part === null) continue;
    for (const [name, inner] of Object.entries(part)) {
      left -= Array.isArray(part) ? VALUE_COST : name.length;
      if (left < 0) return false;
      waiting.push([inner, level + 1]);
    }
  }
  return true;
}
