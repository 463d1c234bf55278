import { visibleText } from "../text/visible-text.ts";
import type { TrustEntries } from "./entries.ts";

/** A difference in what executes or grants power. */
export interface ManifestChange {
  readonly type: "added" | "removed" | "changed";
  /** Such as `tool "greet": code` or `module file modules/clock.ts`. */
  readonly name: string;
  /** The values before and after, unless they are hashes. */
  readonly from?: string;
  readonly to?: string;
}

/** The changes from one state to another, sorted by name. */
export function manifestChanges(before: TrustEntries, after: TrustEntries): readonly ManifestChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => change(name, before.get(name), after.get(name)) ?? []);
}

/** A change on one line, as `visibleText` shows it: `changed: tool "greet": code`. */
export function changeLine({ type, name, from, to }: ManifestChange): string {
  const values = from === undefined || to === undefined ? "" : ` (${from} → ${to})`;
  return visibleText(`${type}: ${name}${values}`);
}

function change(name: string, from: string | undefined, to: string | undefined): ManifestChange | undefined {
  if (from === to) return undefined;
  if (from === undefined) return { type: "added", name };
  if (to === undefined) return { type: "removed", name };
  return isHash(from) || isHash(to) ? { type: "changed", name } : { type: "changed", name, from, to };
}

const isHash = (value: string): boolean => /^[0-9a-f]{64}$/.test(value);
