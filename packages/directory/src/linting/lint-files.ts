import { readFileSync, statSync } from "node:fs";
import { relative } from "node:path";
import { attempt } from "@mdx-ai/base";
import { type Diagnostic, rules } from "@mdx-ai/parser";
import { lintFile } from "./lint-file.ts";
import { type ForeignFile, lintDiagnostic, START } from "./linted-file.ts";

/** The mistakes of files, and the texts of those that were read, by their paths. Absolute. */
interface FilesLint {
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, string>;
}

/** Finds the mistakes in files of other programs; of those that cannot be read, says why. */
export function lintFiles(files: readonly ForeignFile[]): FilesLint {
  const texts = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const names = new Map<string, string>();
  for (const file of files) {
    const text = readText(file.path);
    if (typeof text !== "string") {
      diagnostics.push(text);
      continue;
    }
    texts.set(file.path, text);
    const { diagnostics: own, name } = lintFile(file, text);
    diagnostics.push(...own, ...secondName(file, name, names));
  }
  return { diagnostics, texts };
}

/** Of two subagents of a project with one name, one is not used. */
function secondName(file: ForeignFile, name: string | undefined, names: Map<string, string>): readonly Diagnostic[] {
  if (name === undefined) return [];
  const key = `${file.root}\0${name}`;
  const first = names.get(key);
  if (first === undefined) names.set(key, file.path);
  if (first === undefined) return [];
  const message = `second subagent named \`${name}\``;
  return [
    lintDiagnostic("subagent-name-duplicate", file.path, {
      message,
      hint: `rename it: ${relative(file.root, first)} has the same name`,
    }),
  ];
}

/** Bytes of any file that is read. */
const MAX_SIZE = 1024 * 1024;

/** The text of a file, or why it cannot be read. */
function readText(path: string): string | Diagnostic {
  const problem = (
    rule: "file-too-large" | "file-unreadable" | "file-encoding",
    message: string,
    hint: string,
  ): Diagnostic => ({
    ...{ file: path, ...START, severity: rules[rule], rule, message, hint },
  });
  const bytes = attempt(() => (statSync(path).size > MAX_SIZE ? undefined : readFileSync(path)));
  if (bytes === undefined) {
    const isLarge = (attempt(() => statSync(path).size) ?? 0) > MAX_SIZE;
    return isLarge
      ? problem("file-too-large", `the file is larger than ${MAX_SIZE} bytes`, "move parts of it to other files")
      : problem("file-unreadable", "cannot read the file", "check its permissions");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return problem("file-encoding", "the file is not valid UTF-8", "save it as UTF-8");
  }
}
