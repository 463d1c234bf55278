import { rmSync } from "node:fs";
import { attempt } from "@mdx-ai/base";
import { type InstalledAgent, installAgent } from "@mdx-ai/directory/building";
import type { Trailer } from "@mdx-ai/directory/trailer";
import type { CommandSpec, ParsedArguments } from "../arguments/command-spec.ts";
import { parseArguments } from "../arguments/parse-arguments.ts";
import type { ProgramContext } from "../command-context.ts";
import { agentCommand } from "../command-table/agent-command.ts";
import { COMMANDS } from "../command-table/command-table.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { runProgram, showHelp } from "../run-program.ts";

/**
 * Runs the command line of an executable that contains an agent. Its first word is a command for an agent, or the command line runs the agent.
 * Resolves to the exit code. Never rejects.
 */
export async function runBuiltAgent(args: readonly string[], trailer: Trailer): Promise<number> {
  let installed: InstalledAgent | undefined;
  try {
    return await runProgram(args, async (words, context) => {
      installed = await installAgent(process.execPath, trailer, context.environment);
      return dispatch(words, installed, context);
    });
  } finally {
    const { directory, isTemporary = false } = installed ?? {};
    if (directory !== undefined && isTemporary) attempt(() => rmSync(directory, { recursive: true, force: true }));
  }
}

/** What one does with an agent that is finished; the other commands are for writing and sharing agents. */
const OFFERED: readonly CommandSpec["name"][] = [
  ...(["run", "heartbeat", "acp", "answer", "serve", "mcp-server", "tool", "test", "inspect"] as const),
  ...(["mcp", "sandbox", "sessions", "memory", "trace", "replay"] as const),
];

const BUILT_COMMANDS: readonly CommandSpec[] = COMMANDS.filter(({ name }) => OFFERED.includes(name));

/** Commands that say something about the program. */
const OF_PROGRAM: readonly string[] = ["models", "licenses"];

async function dispatch(args: readonly string[], agent: InstalledAgent, context: ProgramContext): Promise<number> {
  const [first = "", ...rest] = args;
  if (first === "--version" || first === "-v") return showVersion(agent, context);
  if (first === "--help" || first === "-h" || first === "help") return showOwnHelp(agent, context);
  const ofProgram = COMMANDS.find(({ name }) => name === first && OF_PROGRAM.includes(name));
  if (ofProgram !== undefined) return run(ofProgram, await parseArguments(ofProgram, rest), context);
  const spec = [agentCommand, ...BUILT_COMMANDS].find(({ name }) => name === first);
  const words = spec === undefined ? args : rest;
  return runOnAgent(spec ?? agentCommand, words, agent, context);
}

async function runOnAgent(
  spec: CommandSpec,
  words: readonly string[],
  { directory, isTemporary, files }: InstalledAgent,
  context: ProgramContext,
): Promise<number> {
  const parsed = await parseArguments(spec, [directory, ...words]);
  if (parsed.switches.has("help")) return showHelp(spec, context);
  const { switches, values } = parsed;
  // What is in the executable was chosen with it.
  const own = ["trust", ...(isTemporary && !keepsData(parsed) ? ["ephemeral"] : [])].filter((name) =>
    spec.options.some((option) => option.name === name),
  );
  const trusted = { ...parsed, switches: new Set([...switches, ...own]) };
  if (files === undefined) return run(spec, trusted, context);
  // Tools need a folder to start in.
  const workspace = new Map([["workspace", context.currentDirectory], ...values]);
  return run(spec, { ...trusted, values: workspace }, context, files);
}

/** Whether the user names a folder for sessions, or a session, which then cannot be kept anywhere: the error says so. */
const keepsData = ({ values, switches }: ParsedArguments): boolean =>
  ["data", "session", "session-id"].some((name) => values.has(name)) ||
  ["continue", "resume"].some((name) => switches.has(name));

async function run(
  spec: CommandSpec,
  parsed: ParsedArguments,
  program: ProgramContext,
  heldFiles?: InstalledAgent["files"],
): Promise<number> {
  const command = await spec.load();
  const { createContext } = await import("../create-context.ts");
  const context = await createContext(program, parsed);
  return command(parsed, heldFiles === undefined ? context : { ...context, heldFiles });
}

async function showVersion({ name, version }: InstalledAgent, { stdout }: ProgramContext): Promise<number> {
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  stdout.write(`${name}${version === undefined ? "" : ` ${version}`} (mdx-ai ${manifest.version})\n`);
  return EXIT_CODE.done;
}

async function showOwnHelp({ name }: InstalledAgent, context: ProgramContext): Promise<number> {
  const { builtHelp } = await import("./built-help.ts");
  context.stdout.write(builtHelp({ name, commands: BUILT_COMMANDS }, context));
  return EXIT_CODE.done;
}
