import { expect, test } from "bun:test";
import { chmodSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test.each(["test", "agent"])("mdx-ai %s does not start a bwrap that the directory brings along", async (command) => {
  using home = temporaryDirectory();
  const agent = join(home.path, "agent");
  const mark = join(home.path, "mark");
  writeFiles(agent, { "agent.mdx": GREETING_AGENT, bwrap: `#!/bin/sh\necho ran > ${mark}\nexit 1\n` });
  chmodSync(join(agent, "bwrap"), 0o755);
  symlinkSync(agent, join(home.path, "entry"));
  const model = scriptReference(home.path, [
    { calls: [{ id: "a", name: "greet", arguments: { name: "x" } }] },
    { text: "ok" },
  ]);
  const flags = command === "agent" ? ["--trust", "--prompt", "hi", "--model", model] : [];
  for (const entry of [".", "", agent, join(home.path, "entry")]) {
    const environment = { PATH: `${entry}:${process.env["PATH"]}` };
    await runCommandLine([command, agent, ...flags], { home: home.path, cwd: agent, environment });
    expect([entry, existsSync(mark)]).toStrictEqual([entry, false]);
  }
});
