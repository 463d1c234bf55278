import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A compiler that can be run, and the types of Bun for it. */
export interface TypeScript {
  /** The native program. Absolute. */
  readonly compiler: string;
  /** The folder that holds the folder `bun` of `@types/bun`. Absolute. */
  readonly typesFolder: string;
}

const EXECUTABLE = process.platform === "win32" ? "tsc.exe" : "tsc";

/**
 * The TypeScript that is installed nearest to one of the places, the first place first. Only one of version 7 or later
 * counts, which has a program of its own, and only where `@types/bun` is installed, too.
 */
export function findTypeScript(places: readonly string[]): TypeScript | undefined {
  for (const place of places) {
    const compiler = nearest(place, compilerIn);
    const typesFolder = nearest(place, typesIn);
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
  // Some installers link each package to a folder that holds what it depends upon beside it.
  return nearest(dirname(realpathSync(manifest)), (place) => {
    const program = join(place, platform);
    return isOurs(program) ? program : undefined;
  });
}

function typesIn(folder: string): string | undefined {
  const types = join(folder, "node_modules/@types");
  return existsSync(join(types, "bun/package.json")) ? types : undefined;
}

/** Asks for a folder and those above it, until one gives something. */
function nearest(folder: string, find: (folder: string) => string | undefined): string | undefined {
  const found = find(folder);
  if (found !== undefined) return found;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearest(parent, find);
}

/** Whether a file is there that no other user but the superuser put there: a folder above may be open to everybody. */
function isOurs(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && (process.getuid === undefined || [0, process.getuid()].includes(stats.uid));
}
