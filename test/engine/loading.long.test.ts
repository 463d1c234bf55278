import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { cliEnvironment, sourceCommand } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Leaves the paths of all loaded modules. */
const WITNESS = `
  import { writeFileSync } from "node:fs";
  process.on("exit", () => writeFileSync("loaded", Object.keys(require.cache).join("\\n")));
`;

/** The modules of the engine that a command loads, by package. */
function engineModules(...args: readonly string[]): readonly string[] {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  const witness = join(home.path, "witness.ts");
  writeFileSync(witness, WITNESS);
  const [bun = "", ...command] = sourceCommand(args);
  Bun.spawnSync([bun, "--preload", witness, ...command], {
    ...{ cwd: home.path, env: cliEnvironment({ home: home.path }), stdin: "ignore" },
  });
  const paths = readFileSync(join(home.path, "loaded"), "utf8").split("\n");
  expect(paths.length).toBeGreaterThan(20);
  return [...new Set(paths.flatMap((path) => /@restatedev|packages\/engine/.exec(path)?.[0] ?? []))];
}

test("a prompt loads nothing of the engine, and its own command does", () => {
  expect(engineModules("run", "agent", "--trust", "--prompt", "hi")).toEqual([]);
  expect(engineModules("engine", "export", "agent", "main", "--engine", "restate://127.0.0.1:1").toSorted()).toEqual([
    "@restatedev",
    "packages/engine",
  ]);
});
