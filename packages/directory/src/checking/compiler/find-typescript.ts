import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { belongsToUser } from "../../places/user-directories.ts";

/** A compiler that can be run, and the types of Bun for it. */
export interface TypeScript {
  /** The native program. Absolute. */
  readonly compiler: string;
  /** The folder that holds the folder `bun` of `@types/bun`. Absolute. */
  readonly typesFolder: string;
}

const EXECUTABLE = process.platform === "win32" ? "tsc.exe" : "tsc";

/**
 * The TypeScript that is installed nearest to the first folder that has one. Only version 7 or later counts, which has a
 * native program, and only together with `@types/bun`.
 */
export function findTypeScript(folders: readonly string[]): TypeScript | undefined {
  for (const folder of folders) {
    const compiler = nearest(folder, compilerIn);
    const typesFolder = nearest(folder, typesIn);
    if (compiler !== undefined && typesFolder !== undefined) return { compiler, typesFolder };
  }
  return undefined;
}

function compilerIn(folder: string): string | undefined {
  const manifest = join(folder, "node_modules/typescript/package.json");
  if (!isOurs(manifest)) return undefined;
  const platform = join(
    "node_modules/@typescript",
    `typescript-${process.platform}-${process.arch}`,
    "lib",
    EXECUTABLE,
  );
  // Some installers link each package to a folder that contains its dependencies, too.
  return nearest(dirname(realpathSync(manifest)), (inner) => {
    const program = join(inner, platform);
    return isOurs(program) ? program : undefined;
  });
}

function typesIn(folder: string): string | undefined {
  const types = join(folder, "node_modules/@types");
  return existsSync(join(types, "bun/package.json")) ? types : undefined;
}

/** The first result for a folder and those above it. */
function nearest(folder: string, find: (folder: string) => string | undefined): string | undefined {
  const found = find(folder);
  if (found !== undefined) return found;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearest(parent, find);
}

/** A folder above may be writable by everybody. */
const isOurs = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.isFile() === true && belongsToUser(file);
