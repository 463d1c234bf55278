import { mkdir } from "node:fs/promises";
import { join } from "node:path";

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

/** How the program is observed while it runs the prompt. */
export interface Observed {
  /** Commands that start it, such as `strace -f`. */
  readonly tracer?: readonly string[];
  /** Options of Bun. */
  readonly bunOptions?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** The agent that `runHello` makes. */
export const helloAgent = (folder: string): string => join(folder, "agents/hello");

/**
 * Makes an agent in `folder`, and runs one prompt of it with the offline model, from source. Its definition is cached before, as every start but
 * the first finds it. Throws if the program fails.
 */
export async function runHello(root: string, folder: string, observed: Observed): Promise<void> {
  const agent = helloAgent(folder);
  const home = join(folder, "home");
  await Bun.write(join(agent, "agent.mdx"), HELLO_AGENT);
  await mkdir(home, { recursive: true });
  // Without one the reader warns.
  await mkdir(join(agent, "skills"), { recursive: true });
  await runProgram(root, home, { words: ["check", agent] });
  await runProgram(root, home, { words: ["agent", agent, "--trust", "-p", "hello"], ...observed });
}

async function runProgram(
  root: string,
  home: string,
  { words, tracer = [], bunOptions = [], variables = {} }: Observed & { readonly words: readonly string[] },
): Promise<void> {
  const main = join(root, "packages/cli/src/main.ts");
  const child = Bun.spawn([...tracer, process.execPath, "--no-env-file", ...bunOptions, main, ...words], {
    ...{ cwd: home, stdout: "ignore", stderr: "pipe" },
    env: { PATH: process.env["PATH"], HOME: home, ...variables },
  });
  const [code, shown] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) throw new Error(`the program ended with code ${code}: ${shown}`);
}
