import { expect } from "bun:test";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentDirectory, type Diagnostic, readAgentDirectory } from "@mdx-ai/parser";
import { type CorpusCase, writeCorpusCase } from "./corpus-case.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

interface ReadCase {
  /** The agent directory. Absolute. */
  readonly path: string;
  readonly directory: AgentDirectory;
}

/** Reads cases of the corpus. */
export interface CorpusReader extends Disposable {
  /** Writes a case to a new folder and gives its path. */
  write(broken: CorpusCase): string;
  read(broken: CorpusCase): Promise<ReadCase>;
}

export function corpusReader(): CorpusReader {
  const directories = temporaryDirectory();
  let count = 0;
  const write = (broken: CorpusCase): string => {
    const path = join(directories.path, String(count++), "agent");
    writeCorpusCase(broken, path);
    return path;
  };
  return {
    write,
    read: async (broken) => {
      const path = write(broken);
      return { path, directory: await readAgentDirectory(path) };
    },
    [Symbol.dispose]: () => directories[Symbol.dispose](),
  };
}

/** A diagnostic as the cases write it. */
export const shown = ({ file, line, column, severity, rule }: Diagnostic): string =>
  `${file}:${line}:${column} ${severity} ${rule}`;

/** A case has exactly its diagnostics, in order, each at a position that exists. */
export async function expectDiagnostics(broken: CorpusCase, reader: CorpusReader): Promise<void> {
  const { path, directory } = await reader.read(broken);
  const { diagnostics } = directory;
  expect(diagnostics.map(shown)).toStrictEqual([...broken.expected]);
  for (const diagnostic of diagnostics) {
    expect(diagnostic.message).toMatch(/^.+$/);
    expect(diagnostic.hint).toMatch(/^.+$/);
    expect(placeIn(path, diagnostic)).toBe("exists");
  }
}

/** Whether the file has the line and the line the column; what is no file has the first of both. */
function placeIn(directory: string, { file, line, column }: Diagnostic): "exists" | string {
  const path = join(directory, file);
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const text = isFile ? readFileSync(path, "utf8").replace(/^\uFEFF/, "") : "";
  const length = text.split(/\r\n?|\n/)[line - 1]?.length;
  return length !== undefined && column >= 1 && column <= length + 1 ? "exists" : `${line}:${column} is not in ${file}`;
}
