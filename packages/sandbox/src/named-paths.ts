import { resolve } from "node:path";

/** A path in quotes, which may have blanks, or a word without blanks, quotes, colons and brackets. */
const PATH = /(?<=["'`‘])(?<quoted>\.{0,2}\/[^"'`’\n]{1,1000})(?=["'`’])|[^\s"'`‘’:;,()[\]{}<>=|]{1,1000}/g;

/** The paths that a text may name: everything in quotes, and all other words. Absolute, in order, each once. */
export interface NamedPaths {
  readonly quoted: readonly string[];
  readonly bare: readonly string[];
}

/** Relative paths are resolved in `cwd`. */
export function namedPaths(text: string, cwd: string): NamedPaths {
  const found = [...text.matchAll(PATH)].map(([word, quoted]) => ({
    path: resolve(cwd, word.replace(/(?<=.)[.!?]+$/, "")),
    isQuoted: quoted !== undefined,
  }));
  const pathsOf = (isQuoted: boolean): readonly string[] => [
    ...new Set(found.flatMap((one) => (one.isQuoted === isQuoted ? [one.path] : []))),
  ];
  return { quoted: pathsOf(true), bare: pathsOf(false) };
}
