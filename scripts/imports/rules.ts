import type { Import } from "./imports-of.ts";
import { packageOf } from "./rooms.ts";

/** A forbidden direction of imports. */
export interface Rule {
  readonly name: string;
  readonly because: string;
  forbids(one: Import): boolean;
}

/** Packages from the top: each may import only lower layers. */
const LAYERS: readonly (readonly string[])[] = [
  ["cli"],
  ["server", "engine"],
  ["directory"],
  ["runtime"],
  ["tools"],
  ["permissions", "sessions", "memory"],
  ["sandbox"],
  ["loop"],
  ["mcp"],
  ["models", "parser"],
  ["base"],
];

/** The parser's files that may access the system: they read a directory, and keep the cache. */
const SYSTEM_READERS: readonly string[] = [
  "packages/parser/src/read-agent-files.ts",
  "packages/parser/src/definition-cache.ts",
];

const SYSTEM = /^(node:)?(fs|child_process|net|http|https|worker_threads|sqlite)(\/|$)|^bun(:|$)/;
const BUILTIN = /^(node|bun):|^(bun|fs|path|os|crypto|process|child_process)(\/|$)/;

const layerOf = (path: string): number => LAYERS.findIndex((names) => names.includes(packageOf(path) ?? ""));
const LOOP = "packages/loop/src";
const BASE = "packages/base/src";
/** The folders of base that access the system. */
const DISK = [`${BASE}/disk`, `${BASE}/locks`] as const;
const isDisk = (path: string): boolean => DISK.some((room) => isIn(path, room));
const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

export const RULES: readonly Rule[] = [
  {
    name: "packages-import-below",
    because:
      "imports run cli -> server, engine -> directory -> runtime -> tools -> permissions, sessions, memory -> sandbox -> loop -> mcp -> models, parser -> base",
    forbids: ({ from, to }) =>
      packageOf(to) !== undefined && packageOf(from) !== packageOf(to) && layerOf(from) >= layerOf(to),
  },
  {
    name: "packages-in-layers",
    because: "a new package enters the layers in scripts/imports/rules.ts",
    forbids: ({ from }) => layerOf(from) < 0,
  },
  {
    name: "loop-knows-steps",
    because: "the loop accesses neither the disk nor any other part of the outside",
    forbids: ({ from, to }) => isIn(from, LOOP) && BUILTIN.test(to),
  },
  {
    name: "parser-is-pure",
    because: "only what reads an agent directory and the cache of its definitions access the system",
    forbids: ({ from, to }) => isIn(from, "packages/parser") && SYSTEM.test(to) && !SYSTEM_READERS.includes(from),
  },
  {
    name: "base-is-pure",
    because: "of the base, only its disk and locks access the system",
    forbids: ({ from, to }) => isIn(from, BASE) && !isDisk(from) && (SYSTEM.test(to) || isDisk(to)),
  },
  {
    name: "disk-for-readers",
    because: "the loop and the parser leave the disk to those who read and write for them",
    forbids: ({ from, to }) =>
      isDisk(to) && (isIn(from, LOOP) || isIn(from, "packages/parser")) && !SYSTEM_READERS.includes(from),
  },
  {
    name: "no-exit-import",
    because: "the linter, which lets main.ts alone end the process, would not see an exit imported from node:process",
    forbids: ({ to }) => /^(node:)?process$/.test(to),
  },
  {
    name: "nothing-from-outside",
    because: "packages import no tests, scripts, benchmarks or examples",
    forbids: ({ to }) => /^(test|scripts|bench|examples)\/|\.test\.ts$/.test(to),
  },
];

/** The rules for tests: those in test/ use packages as others do; what needs a package's inside is beside its sources. */
export const testRules = (entries: ReadonlySet<string>): readonly Rule[] => {
  const isInside = (path: string): boolean => /^packages\/[^/]+\/src\//.test(path) && !entries.has(path);
  return [
    {
      name: "tests-import-entries",
      because:
        "a test in test/ imports the entry of a package; a test of its inside is beside the source, as *.test.ts",
      forbids: ({ from, to }) => from.startsWith("test/") && isInside(to),
    },
    {
      name: "tests-beside-their-package",
      because: "a test beside a source imports the inside of its own package, or of one below it",
      forbids: ({ from, to }) =>
        from.startsWith("packages/") &&
        isInside(to) &&
        packageOf(from) !== packageOf(to) &&
        layerOf(from) >= layerOf(to),
    },
  ];
};
