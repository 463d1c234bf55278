import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { importsOf } from "../imports/imports-of.ts";

/** What decides about every test. */
const EVERYWHERE =
  /^(package\.json|bun\.lock|bunfig\.toml|tsconfig\.json|patches\/.*|test\/support\/clean-environment\.ts)$/;

/** The files that differ from the last commit, new ones included, relative to the repository. Throws without Git. */
export function changedFiles(repository: string): readonly string[] {
  const commands = [
    ["diff", "--name-only", "HEAD"],
    ["ls-files", "--others", "--exclude-standard"],
  ];
  return commands.flatMap((command) => {
    const { stdout, stderr, success } = Bun.spawnSync(["git", ...command], { cwd: repository });
    if (!success) throw new Error(`git cannot show what changed: ${stderr}`);
    return stdout.toString().split("\n").filter(Boolean);
  });
}

/**
 * Those of `tests` that reach a changed file through imports, or through paths in their texts, such as that of a program that they start
 * or of a page that they read. All paths are relative to the repository.
 */
export function affectedTests(
  repository: string,
  tests: readonly string[],
  changed: readonly string[],
): readonly string[] {
  if (changed.some((file) => EVERYWHERE.test(file))) return tests;
  const users = usersOf(repository);
  const reached = new Set(changed);
  for (const file of reached)
    for (const path of pathsAbove(file)) for (const user of users.get(path) ?? []) reached.add(user);
  return tests.filter((test) => reached.has(test));
}

/** A path, and the folders that it is in. */
const pathsAbove = (path: string): readonly string[] => (path === "." ? [] : [path, ...pathsAbove(dirname(path))]);

/** The files that import or name a path, by that path. */
function usersOf(repository: string): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  const files = ["packages/*/src", "test", "scripts"].flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*.ts`).scanSync(repository),
  ]);
  for (const file of files) {
    const used = [...importsOf(repository, file).map(({ to }) => to), ...pathsIn(repository, file)];
    for (const path of used) users.set(path, (users.get(path) ?? new Set()).add(file));
  }
  return users;
}

/** The paths that a test, or what supports it, has as texts: beside it, or from the root of the repository. Sources of a program have none. */
function pathsIn(repository: string, file: string): readonly string[] {
  if (file.startsWith("packages/") && !file.endsWith(".test.ts")) return [];
  const texts = readFileSync(join(repository, file), "utf8").matchAll(/["`]((?:[\w.-]+\/)*[\w.-]+)["`]/g);
  return [...texts].flatMap(([, text = ""]) => {
    const places = text.startsWith("../") ? [join(dirname(file), text)] : [join(dirname(file), text), text];
    return places.filter((place) => isPath(place) && !isAbove(place, file) && existsSync(join(repository, place)));
  });
}

/** Not just a word, such as `test`. */
const isPath = (text: string): boolean => /[/.]/.test(text);

const isAbove = (folder: string, file: string): boolean => pathsAbove(file).includes(folder) || folder === ".";
