import { writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode } from "@mdx-ai/base";
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

/** Writes a new file. Throws `UsageError` if it exists, or its folder does not, or file system errors. */
export function writeNewFile(path: string, text: string, mode = 0o600): void {
  try {
    writeFileSync(path, text, { mode, flag: "wx" });
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") throw new UsageError(`${path} already exists; name a new file`);
    if (code === "ENOENT") throw new UsageError(`the folder ${dirname(path)} does not exist; create it first`);
    throw error;
  }
}
