import { existsSync } from "node:fs";
import { dataDirectory } from "@mdx-ai/directory";
import { agentHome, currentVersion, removeAgent, versionFolder } from "@mdx-ai/directory/installing";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { shelfOf } from "../installing/shelf-options.ts";

/** `mdx-ai remove`: removes an added agent. Its sessions, state and logs stay. */
export async function runRemove(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [name = ""] = args.positionals;
  const shelf = shelfOf(name, args, context);
  const home = agentHome(shelf, name);
  const version = currentVersion(home);
  const data =
    version === undefined
      ? undefined
      : dataDirectory({ agentDir: versionFolder(home, version), isWriting: false }, context);
  await removeAgent(shelf, name, context);
  const kept = data !== undefined && existsSync(data) ? data : undefined;
  const rest = kept === undefined ? "" : `\nIts sessions, state and logs stay in ${plainLine(kept)}`;
  context.stdout.write(
    args.switches.has("json")
      ? `${jsonText({ name, ...(kept !== undefined && { data: kept }) })}\n`
      : `Removed: ${name}${rest}\n`,
  );
  return EXIT_CODE.done;
}
