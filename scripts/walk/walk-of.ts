import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A part of the walk of a prompt through the source files. */
export interface WalkPart {
  readonly name: string;
  /** How many files are entered. */
  readonly files: number;
  /** How often a function of another file is entered than of the file before. */
  readonly hops: number;
  /** How often each file is entered from another one, most often first. */
  readonly entered: readonly (readonly [file: string, times: number])[];
}

/** An agent with one tool, as `init` makes them. */
const HELLO_AGENT = `---
model: offline
---

# Agent: hello

## Purpose

Greets people.

<Tool name="greet" description="Greets somebody by name.">
  <Param name="name" type="string" description="Who is greeted" required />

\`\`\`typescript
export async function execute({ name }: { name: string }) {
  return \`Hello, \${name}!\`;
}
\`\`\`
</Tool>
`;

/** Rooms whose files are words of the language rather than stations of the walk. */
const WORDS = /^base\/src\/(?:errors|json|paths)\//;

/**
 * Runs one prompt of a new agent in `folder` with the offline model, from source, whose definition is cached, and returns what it enters: in all up
 * to the request, and in parts. Throws if the program fails.
 */
export async function walkOf(root: string, folder: string): Promise<readonly WalkPart[]> {
  const entries = await tracedEntries(root, folder);
  const request = indexOf(entries, /^models\/src\/offline\/offline-model\.ts$/, /^stream$/);
  const opened = indexOf(entries, /\/open-agent\.ts$/, /./);
  return [
    partOf("argv → request", entries.slice(0, request)),
    partOf("argv → open agent", entries.slice(0, opened)),
    partOf("open agent → request", entries.slice(opened, request)),
  ];
}

interface Entry {
  readonly file: string;
  readonly name: string;
}

async function tracedEntries(root: string, folder: string): Promise<readonly Entry[]> {
  const agent = join(folder, "hello");
  await Bun.write(join(agent, "agent.mdx"), HELLO_AGENT);
  const log = join(folder, "walk.log");
  const main = join(root, "packages/cli/src/main.ts");
  const environment = { PATH: process.env["PATH"], HOME: folder, WALK_LOG: log };
  // Fills the cache of definitions, as every start but the first finds it.
  await run([main, "check", agent], environment);
  await run(
    ["--preload", join(root, "scripts/walk/trace.ts"), main, "agent", agent, "--trust", "-p", "hello"],
    environment,
  );
  const lines = (await readFile(log, "utf8")).split("\n");
  return lines.map((line) => {
    const [file = "", name = ""] = line.split("\t");
    return { file, name };
  });
}

/** Runs Bun in the home folder of these variables. Throws if the program fails. */
async function run(
  args: readonly string[],
  environment: { readonly HOME: string; readonly PATH: string | undefined },
): Promise<void> {
  const child = Bun.spawn([process.execPath, "--no-env-file", ...args], {
    ...{ cwd: environment.HOME, env: environment, stdout: "ignore", stderr: "pipe" },
  });
  const [code, shown] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) throw new Error(`the program ended with code ${code}: ${shown}`);
}

function indexOf(entries: readonly Entry[], file: RegExp, name: RegExp): number {
  const index = entries.findIndex((entry) => file.test(entry.file) && name.test(entry.name));
  if (index === -1) throw new Error(`the walk never enters ${name.source} of ${file.source}`);
  return index;
}

function partOf(name: string, entries: readonly Entry[]): WalkPart {
  const files = entries.map(({ file }) => file).filter((file) => !WORDS.test(file));
  const visited = files.filter((file, index) => file !== files[index - 1]);
  const times = new Map<string, number>();
  for (const file of visited) times.set(file, (times.get(file) ?? 0) + 1);
  const entered = [...times].toSorted(([, one], [, other]) => other - one);
  return { name, files: entered.length, hops: visited.length, entered };
}
