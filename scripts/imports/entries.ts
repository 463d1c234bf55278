import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files that the packages below `root` (absolute) export, relative to it. */
export function entriesOf(root: string): ReadonlySet<string> {
  const manifests = [...new Bun.Glob("packages/*/package.json").scanSync(root)];
  return new Set(manifests.flatMap((manifest) => exportsOf(root, manifest)));
}

/** A published package exports what is built of its sources; in a clone the entry is its index. */
function exportsOf(root: string, manifest: string): readonly string[] {
  const { exports = {} }: { readonly exports?: Readonly<Record<string, unknown>> } = JSON.parse(
    readFileSync(join(root, manifest), "utf8"),
  );
  const folder = manifest.replace("/package.json", "");
  const paths = Object.values(exports).filter((path) => typeof path === "string");
  return [join(folder, "src/index.ts"), ...paths.map((path) => join(folder, path))].flatMap((path) =>
    path.includes("*") ? [...new Bun.Glob(path).scanSync(root)] : existsSync(join(root, path)) ? [path] : [],
  );
}
