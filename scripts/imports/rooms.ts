import type { Import } from "./imports-of.ts";

/** A folder or file directly under a package's `src`: `runtime/loop` for both `loop/` and `loop.ts`. */
function roomOf(path: string): string | undefined {
  const [, packageName, name] = /^packages\/([^/]+)\/src\/([^/.]+)/.exec(path) ?? [];
  return packageName === undefined ? undefined : `${packageName}/${name}`;
}

export const packageOf = (path: string): string | undefined => /^packages\/([^/]+)/.exec(path)?.[1];

/** An import between two such folders of a package. */
export interface RoomImport {
  readonly from: string;
  readonly to: string;
  /** The first import that does so, as `file:line`. */
  readonly at: string;
}

/** The imports between the folders of each package, including types and dynamic ones. */
export function roomImports(imports: readonly Import[]): readonly RoomImport[] {
  const between = new Map<string, RoomImport>();
  for (const { from: file, line, to: target } of imports) {
    const [from, to] = [roomOf(file), roomOf(target)];
    if (from === undefined || to === undefined || from === to) continue;
    if (packageOf(file) !== packageOf(target)) continue;
    const key = `${from} ${to}`;
    if (!between.has(key)) between.set(key, { from, to, at: `${file}:${line}` });
  }
  return [...between.values()];
}
