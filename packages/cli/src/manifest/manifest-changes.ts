import type { TrustEntries } from "./trust-entries.ts";

/** One thing that executes, or gives power, and is not as it was. */
export interface ManifestChange {
  readonly type: "added" | "removed" | "changed";
  /** Such as `tool "greet": code` or `module file modules/clock.ts`. */
  readonly name: string;
  /** In words, where the change can be told in words. */
  readonly from?: string;
  readonly to?: string;
}

/** What changed from one state to another, in the order of the names. */
export function manifestChanges(before: TrustEntries, after: TrustEntries): readonly ManifestChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => change(name, before.get(name), after.get(name)) ?? []);
}

function change(name: string, from: string | undefined, to: string | undefined): ManifestChange | undefined {
  if (from === to) return undefined;
  if (from === undefined) return { type: "added", name };
  if (to === undefined) return { type: "removed", name };
  return isHash(from) || isHash(to) ? { type: "changed", name } : { type: "changed", name, from, to };
}

const isHash = (value: string): boolean => /^[0-9a-f]{64}$/.test(value);
