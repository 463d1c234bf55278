import { sha256 } from "@mdx-ai/base";

const accepted = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;

/**
 * The names under which a model receives tools: an author's name maps to itself if every provider accepts it, else
 * to one within `^[a-zA-Z0-9_-]{1,64}$`. No two names share a wire name, and the same names, in any order, give the same map.
 */
export function wireNames(names: readonly string[]): ReadonlyMap<string, string> {
  const distinct = new Set(names);
  const taken = new Set([...distinct].filter((name) => accepted.test(name)));
  const wire = new Map<string, string>();
  for (const name of [...distinct].sort()) {
    const chosen = accepted.test(name) ? name : freeName(name, taken);
    taken.add(chosen);
    wire.set(name, chosen);
  }
  return new Map([...distinct].map((name) => [name, wire.get(name) ?? name]));
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const readable = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^a-zA-Z0-9_-]+/g, "_");
  const plain = readable.slice(0, MAX_LENGTH);
  if (/[a-zA-Z0-9]/.test(plain) && readable.length <= MAX_LENGTH && !taken.has(plain)) return plain;
  const stem = /[a-zA-Z0-9]/.test(plain) ? plain : "tool_";
  for (let attempt = 0; ; attempt++) {
    const suffix = digest(attempt === 0 ? name : `${attempt} ${name}`);
    const candidate = `${stem.slice(0, MAX_LENGTH - suffix.length - 1).replace(/_$/, "")}_${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function digest(text: string): string {
  return sha256(text).slice(0, 8);
}
