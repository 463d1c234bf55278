import { lineText } from "@mdx-ai/base";
import {
  agentHome,
  currentVersion,
  installAgent,
  isAgentName,
  type LockedAgent,
  originText,
  readAgentsLock,
  readVersion,
  removeTree,
  type Shelf,
  type StagedAgent,
  stageAgent,
  stagingFolder,
} from "@mdx-ai/directory/installing";
import { parseSource } from "@mdx-ai/directory/sources";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { COMMAND_NAMES, COMPLETE, GLOBAL, type ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { agree, readExpectation } from "../installing/agreement.ts";
import { costedPower, powerLines } from "../installing/power-text.ts";
import { chosenShelf } from "../installing/shelf-options.ts";

/** `mdx-ai add`: fetches an agent, shows what it may do, and adds it if the user agrees. With `--frozen`, installs what the lock file names. */
export async function runAdd(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [source] = args.positionals;
  const shelf = chosenShelf(args, context);
  if (args.switches.has("frozen")) {
    if (source !== undefined) throw new UsageError("--frozen installs what the lock file names; leave the source out");
    return addFrozen(shelf, args, context);
  }
  if (source === undefined)
    throw new UsageError("name the agent: mdx-ai add SOURCE; or install what a lock file names with --frozen");
  return addSource(source, shelf, args, context);
}

async function addSource(text: string, shelf: Shelf, args: ParsedArguments, context: CommandContext): Promise<number> {
  const expectation = readExpectation(args);
  const source = parseSource(text, context.currentDirectory);
  const signal = context.interruption.listen();
  const staged = await stageAgent(source, { into: stagingFolder(shelf), frontEnd: context, signal });
  try {
    const name = args.values.get("name") ?? nameOf(staged);
    requireFree(name, staged, shelf);
    const power = await costedPower(staged.power, staged.directory, context);
    const added = {
      name,
      title: titleOf(name, staged.locked),
      lines: powerLines(power),
      report: { name, ...reportOf(staged), power },
    };
    const question = {
      ...added,
      question: `Add ${name}? It then runs by its name.`,
      lines: [...added.lines, staged.power.hash],
      staged,
    };
    const asked = agree(question, { ...expectation, signal, retry: ["mdx-ai", "add", text] }, context);
    if (expectation.isSilent) await asked.catch((error: unknown) => refuse(added.report, error, context));
    await asked;
    const path = await installAgent(shelf, name, staged, context);
    context.stdout.write(
      expectation.isSilent ? reportText({ ...added.report, path, isAdded: true }) : addedText(added),
    );
    return EXIT_CODE.done;
  } finally {
    removeTree(staged.folder);
  }
}

const reportText = (report: object): string => `${jsonText(report, 2)}\n`;

/** Shows what was not agreed to. Rejects with the error. */
async function refuse(report: object, error: unknown, { stdout }: CommandContext): Promise<never> {
  stdout.write(reportText({ ...report, isAdded: false }));
  await stdout.flush();
  throw error;
}

interface AddedText {
  readonly name: string;
  readonly title: string;
  readonly lines: readonly string[];
}

const addedText = ({ name, title, lines }: AddedText): string =>
  `Added: ${plainLine(title)}\n${lines.map((line) => `  ${line}\n`).join("")}Run it: mdx-ai ${name}\n`;

/** The facts about an agent in the output as JSON: `hash` is what `--expect` takes. */
const reportOf = ({ locked: { source, origin, hash }, power, leftOut }: StagedAgent): object => ({
  ...{ source, origin, hash: power.hash, files: hash },
  ...(leftOut.length > 0 && { leftOut }),
});

export const titleOf = (name: string, { source, origin }: LockedAgent): string =>
  lineText([name, source, originText(origin)].filter((part) => part !== "").join("  "));

/** The agent's name as a word of a command line. */
function nameOf({ directory }: StagedAgent): string {
  const name = directory.definition.identity.name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
  if (isAgentName(name) && !isTaken(name)) return name;
  throw new UsageError(
    `${plainLine(JSON.stringify(directory.definition.identity.name))} cannot be the name of a command; choose one with --name NAME`,
  );
}

const isTaken = (name: string): boolean => [...COMMAND_NAMES, ...GLOBAL, COMPLETE].some((word) => word === name);

/** Throws `UsageError` if a name is no name, or names another agent. */
function requireFree(name: string, { locked }: StagedAgent, shelf: Shelf): void {
  if (!isAgentName(name))
    throw new UsageError(`${plainLine(JSON.stringify(name))} is no name: use a-z, 0-9, ".", "_" and "-"`);
  if (isTaken(name)) throw new UsageError(`${name} is a command of mdx-ai; choose another name with --name`);
  const home = agentHome(shelf, name);
  const version = currentVersion(home);
  const other = version === undefined ? undefined : readVersion(home, version)?.source;
  if (other === undefined || other === locked.source) return;
  throw new UsageError(
    `${name} was added from ${plainLine(other)}; choose another name with --name, or remove it: mdx-ai remove ${name}`,
  );
}

/** Installs each agent of a lock file, exactly as it is named there, or none of them is switched to if one fails. */
async function addFrozen(shelf: Shelf, args: ParsedArguments, context: CommandContext): Promise<number> {
  const locked = [...readAgentsLock(shelf)];
  if (locked.length === 0)
    throw new UsageError(`${plainLine(shelf.lockFile)} names no agent; add one with mdx-ai add SOURCE`);
  const signal = context.interruption.listen();
  const staged: (readonly [name: string, agent: StagedAgent])[] = [];
  try {
    for (const [name, agent] of locked) {
      if (await isInstalledAs(shelf, name, agent, context)) continue;
      const source = parseSource(agent.source, context.currentDirectory);
      staged.push([
        name,
        await stageAgent(source, { into: stagingFolder(shelf), frontEnd: context, signal, locked: agent }),
      ]);
    }
    for (const [name, agent] of staged) {
      await installAgent(shelf, name, agent, context);
      if (!args.switches.has("json")) context.stdout.write(`Installed: ${plainLine(titleOf(name, agent.locked))}\n`);
    }
  } finally {
    for (const [, { folder }] of staged) removeTree(folder);
  }
  const installed = staged.map(([name]) => name);
  if (args.switches.has("json"))
    context.stdout.write(`${jsonText({ lockFile: shelf.lockFile, agents: locked.map(([name]) => name), installed }, 2)}\n`); // biome-ignore format: short
  else if (staged.length === 0) context.stdout.write("Everything that the lock file names is installed.\n");
  return EXIT_CODE.done;
}

async function isInstalledAs(
  shelf: Shelf,
  name: string,
  { hash, trust }: LockedAgent,
  context: CommandContext,
): Promise<boolean> {
  const home = agentHome(shelf, name);
  const version = currentVersion(home);
  const record = version === undefined ? undefined : readVersion(home, version);
  if (record === undefined || record.hash !== hash || record.trust !== trust) return false;
  const { verifyAgents } = await import("@mdx-ai/directory/installing");
  const [found] = await verifyAgents(shelf, [name], context);
  return found?.problems.length === 0;
}
