import { resolve } from "node:path";

/** A path in quotes, which may have blanks, or a word without blanks, quotes, colons and brackets. */
const PATH = /(?<=["'`‘])(?<quoted>\.{0,2}\/[^"'`’\n]{1,1000})(?=["'`’])|[^\s"'`‘’:;,()[\]{}<>=|]{1,1000}/g;

/** The paths that a text may name, absolute, in its order, each once: those in quotes, and all other words. */
export interface NamedPaths {
  readonly quoted: readonly string[];
  readonly bare: readonly string[];
}

/** Relative paths begin in `cwd`. */
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
