import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { SHELLS, shellScript } from "../completions/shell-scripts.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";

/** `mdx-ai completions`: prints what a shell sources to complete command lines of this program. */
export async function runCompletions(
  { positionals: [shell = ""] }: ParsedArguments,
  { stdout }: CommandContext,
): Promise<number> {
  const script = shellScript(shell);
  if (script === undefined) {
    throw new UsageError(`there are completions for ${SHELLS.join(", ")}, not for ${JSON.stringify(shell)}`);
  }
  stdout.write(script);
  return EXIT_CODE.done;
}
