import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Holds what would keep a program alive: a timer and a server. */
const BUSY_MODULE = `import { writeFileSync } from "node:fs";
export default {
  describe: () => ({ name: "busy", description: "Never rests" }),
  initialize: async () => {},
  tools: () => [],
  systemPrompt: () => "",
  start: async () => {
    setInterval(() => {}, 10);
    Bun.serve({ port: 0, fetch: () => new Response("") });
    writeFileSync(import.meta.dir + "/started", "");
  },
  stop: () => writeFileSync(import.meta.dir + "/stopped", ""),
};
`;

test("--prompt answers and exits, though a heartbeat waits and a module keeps working", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, {
    "agent.mdx": MINIMAL_AGENT,
    "heartbeat.md": "## Schedule\n\n@every: 1s\n\n## On Wake\n\n- Look\n",
    "modules/busy.ts": BUSY_MODULE,
  });
  const model = scriptReference(home.path, [{ text: "It is noon." }]);
  const args = ["agent", ".", "--trust", "--prompt", "What time is it?", "--model", model];
  expect(await runCommandLine(args, { home: home.path })).toMatchObject({ exitCode: 0, stdout: "It is noon.\n" });
  expect(existsSync(join(home.path, "modules/started"))).toBe(true);
  expect(existsSync(join(home.path, "modules/stopped"))).toBe(true);
});
