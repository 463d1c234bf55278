import { didYouMean } from "@mdx-ai/base";
import {
  agentHome,
  currentVersion,
  isAgentName,
  projectRoot,
  projectShelf,
  readAgentsLock,
  type Shelf,
  shelves,
  userShelf,
} from "@mdx-ai/directory/installing";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";

/**
 * Where an agent is added: with `--project` in the current folder's project, with `--global` for the user; else in the project around the
 * current folder, if it has an `agents.lock.json`. Throws `UsageError`.
 */
export function chosenShelf({ switches }: ParsedArguments, context: CommandContext): Shelf {
  const { environment, currentDirectory } = context;
  if (switches.has("project") && switches.has("global"))
    throw new UsageError("--project and --global exclude each other");
  const root = switches.has("global") ? undefined : (projectRoot(context) ?? (switches.has("project") ? currentDirectory : undefined)); // biome-ignore format: short
  const shelf = root === undefined ? userShelf(environment) : projectShelf(root, environment);
  if (shelf !== undefined) return shelf;
  throw new UsageError(
    "there is no folder for agents: set HOME, or XDG_DATA_HOME and XDG_CONFIG_HOME to absolute paths",
  );
}

/** The shelves that a command is about: the chosen one, or all. Throws `UsageError`. */
export const chosenShelves = (args: ParsedArguments, context: CommandContext): readonly Shelf[] =>
  args.switches.has("project") || args.switches.has("global") ? [chosenShelf(args, context)] : shelves(context);

/** The shelf with an added agent, the nearest first. Throws `UsageError` if there is no such agent. */
export function shelfOf(name: string, args: ParsedArguments, context: CommandContext): Shelf {
  const found = chosenShelves(args, context).find(
    (shelf) => currentVersion(agentHome(shelf, name)) !== undefined || readAgentsLock(shelf).has(name),
  );
  if (found !== undefined && isAgentName(name)) return found;
  const names = chosenShelves(args, context).flatMap((shelf) => [...readAgentsLock(shelf).keys()]);
  throw new UsageError(`no agent ${JSON.stringify(name)} was added; ${didYouMean(name, names, "see mdx-ai list")}`);
}
