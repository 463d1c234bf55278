import { basename, resolve } from "node:path";
import { readDirectory } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import type { Trace } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";
import { writeNewFile } from "../output/write-new-file.ts";

/** A page and where it goes. */
export interface PageOutput {
  /** The agent directory, as the user names it. */
  readonly directory: string;
  readonly trace: Trace;
  /** A new file, or "-" for standard output. */
  readonly output: string;
}

/** Writes a trace as a page. Throws `UsageError` if the file exists, or what the file system says. */
export async function writePage({ directory, trace, output }: PageOutput, context: CommandContext): Promise<void> {
  const { tracePage } = await import("./page/trace-page.ts");
  const page = context.keys.text(tracePage(trace, await agentName(directory, context)));
  if (output === "-") {
    context.stdout.write(page);
    return;
  }
  const path = resolve(context.currentDirectory, output);
  writeNewFile(path, page);
  context.stdout.write(`Written: ${plainLine(path)}\n`);
}

/** As its definition says, or else its folder. */
async function agentName(directory: string, context: CommandContext): Promise<string> {
  const { definition, diagnostics } = await readDirectory(directory, context);
  const isMissing = diagnostics.some(({ severity }) => severity === "error");
  return isMissing ? basename(resolve(context.currentDirectory, directory)) : definition.identity.name;
}
