import { realpathSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { plugin } from "bun";
import { attempt } from "../attempt.ts";
import { withoutQuery } from "./module-syntax.ts";

/** The target of an import. */
export interface ImportTarget {
  /** As Bun names what it loads, with a query. */
  readonly name: string;
  /** The file, real and absolute. */
  readonly path: string;
  /** The path as it is written, before links are followed; the file itself if no path is written. Absolute. */
  readonly written: string;
}

/**
 * Calls `compare` with each later import, once it is found and before it is loaded; what that throws, the import
 * throws. `compareOf` gives it for the file that holds the import, or undefined. Bun asks only about imports with the ending of a
 * file, and as long as the process lasts.
 */
export function compareTargets(compareOf: (importer: string) => ((target: ImportTarget) => void) | undefined): void {
  let isFinding = false;
  const find = (specifier: string, importer: string): ImportTarget | undefined => {
    // This asks the same plugin.
    isFinding = true;
    try {
      return importTarget(specifier, dirname(importer));
    } finally {
      isFinding = false;
    }
  };
  const onResolve = ({ path, importer }: Pick<Bun.OnResolveArgs, "path" | "importer">): undefined => {
    const file = withoutQuery(importer);
    const compare = isFinding ? undefined : compareOf(file);
    const target = compare && find(path, file);
    if (target !== undefined) compare?.(target);
  };
  plugin({
    name: "agent-targets",
    setup: (build) => {
      build.onResolve({ filter: /^/ }, onResolve);
    },
  });
}

/** Finds the target of an import in a folder's code; undefined if it is part of Bun, or does not exist. */
function importTarget(specifier: string, folder: string): ImportTarget | undefined {
  const name = attempt(() => Bun.resolveSync(specifier, folder));
  if (name === undefined || !isAbsolute(name)) return undefined;
  const path = attempt(() => realpathSync.native(withoutQuery(name)));
  if (path === undefined) return undefined;
  const isPath = /^\.{1,2}\//.test(specifier) || isAbsolute(specifier);
  return { name, path, written: isPath ? resolve(folder, withoutQuery(specifier)) : path };
}
