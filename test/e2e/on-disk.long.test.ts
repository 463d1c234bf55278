import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply, toolReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** What a system call does, by a word; what is of no interest here has none. A sync counts when it has come to its end. */
const DEEDS: readonly (readonly [pattern: RegExp, deed: string])[] = [
  [/write\(.*journal\.jsonl.*\\"step\\":\\"begin\\"/, "user"],
  [/write\(.*journal\.jsonl.*\\"step\\":\\"model:\d\\"/, "model"],
  [/write\(.*journal\.jsonl.*\\"started\\":true/, "started"],
  [/write\(.*journal\.jsonl.*\\"step\\":\\"tool:1:t\\",\\"result\\"/, "result"],
  [/fdatasync(\(.*journal\.jsonl>\)| resumed>\)) *= 0/, "sync"],
  [/(write|sendto|sendmsg|writev)\(.*POST \/v1\/messages/, "ask"],
  [/execve\(.*touch effect/, "run"],
];

const deedOf = (call: string): readonly string[] =>
  DEEDS.flatMap(([pattern, deed]) => (pattern.test(call) ? [deed] : [])).slice(0, 1);

test.skipIf(requireProgram("bwrap") || requireProgram("strace"))(
  "what was said is on disk before a model is asked, a tool's marker before it runs, its result before the next request",
  async () => {
    using home = temporaryDirectory();
    using workshop = temporaryDirectory();
    using server = anthropicServer(
      toolReply({ id: "t", name: "bash", input: { command: "touch effect" } }),
      textReply("Done."),
    );
    writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
    const log = join(workshop.path, "calls");
    const calls = "trace=write,writev,sendto,sendmsg,fsync,fdatasync,execve";
    const tracer = ["strace", "-f", "-y", "-qq", "-s", "300", "-e", calls, "-o", log];
    const command = cliCommand(["agent", ".", "--trust", "--model", "anthropic/claude-test", "--prompt", "go"]);
    const child = Bun.spawn([...tracer, ...command], {
      cwd: home.path,
      env: cliEnvironment({ home: home.path, environment: server.environment }),
      stdout: "pipe",
      stderr: "ignore",
    });
    expect(await child.stdout.text()).toBe("Done.\n");
    expect(await child.exited).toBe(0);
    const told = readFileSync(log, "utf8").split("\n");
    const deeds = told.flatMap(deedOf);
    const order = deeds.filter((deed, place) => deed !== deeds[place - 1]);
    expect(order.slice(order.indexOf("user")).join(" ")).toBe(
      "user sync ask model started sync run result sync ask model sync",
    );
    // The names of what is new are on disk when those are that hold them.
    const first = told.slice(
      0,
      told.findIndex((call) => deedOf(call).includes("ask")),
    );
    for (const folder of ["", "/sessions", "/sessions/main"]) {
      expect(first.some((call) => call.includes("fsync(") && call.includes(`${home.path}${folder}>`))).toBe(true);
    }
  },
);
