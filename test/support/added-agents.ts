import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { writeFiles } from "./agent-files.ts";
import { type Reply, scriptReference } from "./replies.ts";
import type { CliResult } from "./run-cli.ts";
import { runCommandLine } from "./run-command-line.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A user who adds agents. The parts of the command lines are those after `mdx-ai`. */
export interface AddingUser extends Disposable {
  readonly home: string;
  /** Writes an agent of someone else; returns its folder. */
  author(folder: string, files: Readonly<Record<string, string>>): string;
  run(...args: readonly string[]): Promise<CliResult>;
  /** As `run`, in another folder. */
  runIn(cwd: string, ...args: readonly string[]): Promise<CliResult>;
  /** As `run`, with more variables. */
  runWith(environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CliResult>;
  /** Adds a source, agreeing to whatever it is. */
  add(source: string, ...args: readonly string[]): Promise<CliResult>;
  /** Updates an agent, agreeing to whatever is new. */
  update(name: string): Promise<CliResult>;
  /** Asks an agent by its name or source. */
  ask(agent: string, prompt: string, replies?: readonly Reply[], ...args: readonly string[]): Promise<CliResult>;
}

export function addingUser(): AddingUser {
  const folder = temporaryDirectory();
  const home = join(folder.path, "home");
  const runIn = (cwd: string, ...args: readonly string[]): Promise<CliResult> => runCommandLine(args, { home, cwd });
  const run = (...args: readonly string[]): Promise<CliResult> => runIn(folder.path, ...args);
  return {
    home,
    author: (name, files) => writeFiles(join(folder.path, name), files),
    run,
    runIn,
    runWith: (environment, ...args) => runCommandLine(args, { home, cwd: folder.path, environment }),
    add: async (source, ...args) => {
      const { stdout } = await run("add", source, ...args, "--json");
      return run("add", source, ...args, "--yes", "--expect", hashIn(stdout));
    },
    update: async (name) => {
      const { stdout, exitCode } = await run("update", name, "--json");
      return exitCode === 3 ? run("update", name, "--yes", "--expect", hashIn(stdout)) : run("update", name);
    },
    ask: (agent, prompt, replies = [{ text: "ok" }], ...args) =>
      run(agent, ...args, "-p", prompt, "-m", scriptReference(folder.path, replies)),
    [Symbol.dispose]: () => {
      makeRemovable(folder.path);
      folder[Symbol.dispose]();
    },
  };
}

/** The hash of an agent's power in the output as JSON. */
export const hashIn = (json: string): string => /"hash": "(sha256:[0-9a-f]{64})"/.exec(json)?.[1] ?? "no hash";

/** Versions of added agents are read-only. */
function makeRemovable(path: string): void {
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) makeRemovable(join(path, name));
}

/** All files below a folder with their contents, by relative path; empty if there is no folder. */
export function contentsOf(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "latin1")]));
}

export interface AgentParts {
  /** Of the tool. */
  readonly attributes?: string;
  readonly prose?: string;
  /** The frontmatter. */
  readonly settings?: string;
}

/** An agent with a tool that says which version it is of. */
export const versionedAgent = (
  version: string,
  parts: AgentParts = {},
): string => `${frontmatter(parts)}# Agent: Weather

## Purpose

${parts.prose ?? "Tell the weather."}

<Tool name="weather" description="The weather" ${parts.attributes ?? ""}>
  <Param name="city" description="Where" />

\`\`\`ts
export async function execute({ city }: { city: string }) {
  return \`${version}: sunny in \${city}\`;
}
\`\`\`

</Tool>
`;

const frontmatter = ({ settings }: AgentParts): string => (settings === undefined ? "" : `---\n${settings}\n---\n`);
