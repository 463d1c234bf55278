import { sha256, visibleText } from "@mdx-ai/base";
import { entryName, powerEntries } from "./entries.ts";
import { type Manifest, shownRules } from "./manifest.ts";

/** What can execute and what it may do, by name and in the order of the names: what a user trusts. */
export type TrustEntries = ReadonlyMap<string, string>;

export function trustEntries({ settings, skills: _, ...manifest }: Manifest): TrustEntries {
  const { permissions = {}, builtins, tools, mode, ...others } = settings;
  const rules = shownRules(permissions).map(({ pattern, action }) => [pattern, action] as const);
  const entries = powerEntries({ ...manifest, ...others, rules, restrictions: { builtins, tools, mode } }).map(
    (one) => [entryName(one), one.value] as const,
  );
  return new Map(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** One SHA-256 of everything that can execute or grants power. */
export const executableHash = (manifest: Manifest): string => sha256(JSON.stringify([...trustEntries(manifest)]));

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
