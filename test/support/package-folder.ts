import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TemporaryDirectory, temporaryDirectory } from "./temporary-directory.ts";

/** A new folder with packages in its node_modules, each of one file: its code, by the package's name. */
export function packageFolder(packages: Readonly<Record<string, string>>): TemporaryDirectory {
  const folder = temporaryDirectory();
  for (const [name, code] of Object.entries(packages)) {
    const path = join(folder.path, "node_modules", name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "package.json"), JSON.stringify({ name, type: "module", exports: "./index.js" }));
    writeFileSync(join(path, "index.js"), code);
  }
  return folder;
}

/** Links a package that this repository has installed into a folder's node_modules. */
export function linkPackage(folder: string, name: string): void {
  const link = join(folder, "node_modules", name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))), link);
}
