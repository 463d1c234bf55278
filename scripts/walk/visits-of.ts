import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { helloAgent, runHello } from "./hello-agent.ts";

/**
 * The system calls of the second prompt of a new agent in `folder`, whose name is its real path, that open or examine the agent directory itself or a
 * folder above it. Needs strace.
 */
export async function visitsOf(root: string, folder: string): Promise<readonly string[]> {
  const log = join(folder, "calls");
  // The session exists, as for every prompt but the first.
  await runHello(root, folder, {});
  await runHello(root, folder, { tracer: ["strace", "-f", "-qq", "-s", "4096", "-e", "trace=%file", "-o", log] });
  const agent = helloAgent(folder);
  const paths = [agent, dirname(agent), folder].map((path) => JSON.stringify(path));
  const calls = (await readFile(log, "utf8")).split("\n").map((line) => line.replace(/^\d+ +/, ""));
  return calls.filter((call) => !/^(?:execve|readlink)/.test(call) && paths.some((path) => call.includes(path)));
}
