import { dataDirectory } from "@mdx-ai/directory";
import {
  agentHome,
  currentVersion,
  originText,
  readAgentsLock,
  readVersion,
  type Shelf,
  versionFolder,
} from "@mdx-ai/directory/installing";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { chosenShelves } from "../installing/shelf-options.ts";
import { twoColumns } from "../output/line-layout.ts";

/** `mdx-ai list`: the added agents, of the project first. */
export async function runList(args: ParsedArguments, context: CommandContext): Promise<number> {
  const agents = chosenShelves(args, context).flatMap((shelf) => agentsOf(shelf, context));
  if (args.switches.has("json")) {
    context.stdout.write(`${jsonText(agents, 2)}\n`);
    return EXIT_CODE.done;
  }
  if (agents.length === 0) context.stderr.write("No agent was added; add one with mdx-ai add SOURCE.\n");
  const rows = agents.map(({ name, source, version, path, scope }): readonly [string, string] => [
    plainLine(name),
    plainLine(
      [source, version, scope === "project" ? "(project)" : "", path === undefined ? "(not installed)" : ""]
        .filter((part) => part !== "")
        .join(" "),
    ),
  ]);
  if (rows.length > 0) context.stdout.write(`${twoColumns(rows, Number.POSITIVE_INFINITY)}\n`);
  return EXIT_CODE.done;
}

/** An added agent in the output as JSON. */
interface ListedAgent {
  readonly name: string;
  readonly scope: Shelf["scope"];
  readonly source: string;
  /** As people read it; empty for a folder. */
  readonly version: string;
  /** Of its files. */
  readonly hash: string;
  /** Of what it may do. */
  readonly trust: string;
  /** Absent if it is not installed. */
  readonly path?: string;
  /** Its sessions, state and logs. */
  readonly data?: string;
}

function agentsOf(shelf: Shelf, context: CommandContext): readonly ListedAgent[] {
  return [...readAgentsLock(shelf)].map(([name, locked]) => {
    const home = agentHome(shelf, name);
    const version = currentVersion(home);
    const { source, origin, hash, trust } = (version === undefined ? undefined : readVersion(home, version)) ?? locked;
    const path = version === undefined ? undefined : versionFolder(home, version);
    const places =
      path === undefined ? {} : { path, data: dataDirectory({ agentDir: path, isWriting: false }, context) };
    return { name, scope: shelf.scope, source, version: originText(origin), hash, trust, ...places };
  });
}
