import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { FrontEnd } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import { UsageError } from "../failures/program-error.ts";
import type { Output } from "./output.ts";

/** Writes to standard output or to a new file with mode 600. Never overwrites a file. Throws `UsageError` or file system errors. */
export function writeOutput(
  file: string | undefined,
  text: string,
  context: Pick<FrontEnd, "currentDirectory"> & { readonly stdout: Output },
): void {
  if (file === undefined) {
    context.stdout.write(text);
    return;
  }
  const path = resolve(context.currentDirectory, file);
  writeNewFile(path, text);
  context.stdout.write(`Written: ${plainLine(path)}\n`);
}

/** Writes a new file. Throws `UsageError` if it exists, or file system errors. */
export function writeNewFile(path: string, text: string, mode = 0o600): void {
  try {
    writeFileSync(path, text, { mode, flag: "wx" });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw isThere ? new UsageError(`${path} already exists; name a new file`) : error;
  }
}
