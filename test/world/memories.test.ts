import { expect, test } from "bun:test";
import { agentDirectory } from "../support/agent-directory.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { memories, type Remembered } from "./oddities/texts.ts";

test.each(memories.map((row): [string, Remembered] => [`${row.name} (${row.seen})`, row]))(
  "%s is found",
  async (_name, { said, finds }) => {
    using agent = agentDirectory();
    using home = temporaryDirectory();
    const run = (...args: readonly string[]) => runCommandLine(["memory", agent.path, ...args], { home: home.path });
    await run("add", "Something else that was said");
    await run("add", said);
    const outputs = await Promise.all(finds.map((words) => run("search", words)));
    expect(finds.filter((_, index) => !outputs[index]?.stdout.includes(said))).toEqual([]);
  },
);
