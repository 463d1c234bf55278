import { agentHome, originText, readVersion, requireCurrent, rollbackAgent } from "@mdx-ai/directory/installing";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { shelfOf } from "../installing/shelf-options.ts";

/** `mdx-ai rollback`: returns to the version of an added agent before the current one. */
export async function runRollback(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [name = ""] = args.positionals;
  const shelf = shelfOf(name, args, context);
  requireCurrent(shelf, name);
  const { from, to } = await rollbackAgent(shelf, name);
  const record = readVersion(agentHome(shelf, name), to);
  const version = record === undefined ? "" : originText(record.origin);
  context.stdout.write(
    args.switches.has("json")
      ? `${jsonText({ name, from: `sha256:${from}`, to: `sha256:${to}` })}\n`
      : `Back at the version before: ${plainLine([name, version, `sha256:${to.slice(0, 12)}`].filter((part) => part !== "").join(" "))}\n`,
  );
  return EXIT_CODE.done;
}
