import type { AskTrust, Opener } from "@mdx-ai/directory";
import type { CommandContext } from "../command-context.ts";
import { isTerminal } from "../output/output.ts";

/** How a command opens a directory: it asks about trust on the terminal. */
export const openerOf = (context: CommandContext, signal: AbortSignal): Opener => ({
  surroundings: context,
  signal,
  askTrust: askTrustOn(context),
});

/** Undefined without a terminal. */
function askTrustOn({ stderr }: CommandContext): AskTrust | undefined {
  if (!isTerminal(0) || !stderr.isTerminal) return undefined;
  return async (question) => {
    const { askTrust } = await import("./ask-trust.ts");
    return askTrust(question);
  };
}
