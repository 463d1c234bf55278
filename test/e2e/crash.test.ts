import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { eventually } from "../support/eventually.ts";
import { overloaded, type Reply, scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Appends its text to a file, then takes long where the text says so. */
const MARK = toolText(
  "mark",
  `const fs = await import("node:fs");
  fs.appendFileSync(ctx.agentDir + "/effects", params.text + "\\n");
  if (params.text === "slow") await new Promise(() => {});
  return "marked";`,
);

const mark = (id: string, text: string) => ({ id, name: "mark", arguments: { text } });

const ENDLESS = 600_000;

/** Moments of a prompt: the replies that lead there, the step whose line shows that it has come, and what was done by then. */
const MOMENTS: readonly [name: string, replies: readonly Reply[], sign: string, effects: readonly string[]][] = [
  ["the model is asked", [{ text: "never", delay: ENDLESS }], '"step":"user"', []],
  [
    "one of two tools runs",
    [{ calls: [mark("a", "quick"), mark("b", "slow")] }],
    '"step":"tool:1:a","result"',
    ["quick", "slow"],
  ],
  [
    "the model is asked again",
    [{ calls: [mark("a", "one"), mark("b", "two")] }, { text: "never", delay: ENDLESS }],
    '"step":"tool:1:b","result"',
    ["one", "two"],
  ],
  [
    "an attempt waits for its time",
    [{ error: { message: "overloaded", status: 529, retryAfter: ENDLESS } }],
    '"step":"model:1"',
    [],
  ],
  [
    "a tool runs that a repeated attempt called",
    [overloaded, { calls: [mark("a", "quick"), mark("b", "slow")] }],
    '"step":"tool:1:a","result"',
    ["quick", "slow"],
  ],
];

test.each(MOMENTS)(
  "a kill while %s loses nothing, repeats nothing, and leaves a valid transcript",
  async (_name, replies, sign, effects) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT + MARK });
    const file = (path: string): string =>
      existsSync(join(home.path, path)) ? readFileSync(join(home.path, path), "utf8") : "";
    const done = (): string[] => file("effects").split("\n").filter(Boolean).toSorted();
    const journal = (): string => file("sessions/main/journal.jsonl");
    const ask = ["agent", "--trust", "--prompt", "go", "--model"];
    const child = Bun.spawn(cliCommand([...ask, scriptReference(home.path, replies)]), {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "ignore", "ignore"],
    });
    await eventually(() => journal().includes(sign) && done().length === effects.length);
    child.kill("SIGKILL");
    await child.exited;
    const before = journal();

    using server = anthropicServer(textReply("here again"));
    const environment = server.environment;
    const result = await runCli([...ask, "anthropic/claude-test"], { home: home.path, environment });
    expect(result).toMatchObject({ exitCode: 0, stdout: "here again\n" });
    expect(result.stderr).toContain("nothing is done twice");
    expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined]);
    expect(journal()).toStartWith(before);
    expect(done()).toEqual(effects.toSorted());
    const history: { role: string; content: string }[] = JSON.parse(file("sessions/main/history.json"));
    expect(history.filter(({ role }) => role === "user")).toHaveLength(2);
    expect(history.at(-1)).toMatchObject({ role: "assistant", content: "here again" });
  },
);
