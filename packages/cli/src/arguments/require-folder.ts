import { shellWord } from "@mdx-ai/base";
import type { AgentDirectory } from "@mdx-ai/parser";
import { UsageError } from "../failures/program-error.ts";

/** Throws `UsageError` for an agent that is a single file, which has no folder to keep `file` in. */
export function requireFolder({ source }: Pick<AgentDirectory, "source">, file: string): void {
  if (source === undefined) return;
  const command = `mdx-ai init DIR --from ${shellWord(source)}`;
  throw new UsageError(`${source} is a single file, and ${file} belongs in an agent directory; create one: ${command}`);
}
