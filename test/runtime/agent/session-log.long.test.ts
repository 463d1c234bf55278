import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { call, overloaded } from "../../support/replies.ts";
import { requireProgram } from "../../support/require-program.ts";
import { converse, records, told } from "../../support/session-log-bench.ts";

test("attempts that break off are warnings with what they cost, and an error follows where none is left", async () => {
  using directory = agentDirectory();
  const prompts = ["1", "2"];
  await converse(directory.path, {
    replies: [overloaded, { text: "ok" }, overloaded, overloaded],
    prompts,
    retries: [0],
  });
  const lines = records(directory.path).filter(({ event }) => event !== "session_start");
  expect(lines.map(({ turn, event, level, error }) => [turn, event, level, error !== null])).toStrictEqual([
    [1, "user_message", "INFO", false],
    [1, "assistant_message", "WARNING", true],
    [1, "assistant_message", "INFO", false],
    [2, "user_message", "INFO", false],
    [2, "assistant_message", "WARNING", true],
    [2, "assistant_message", "WARNING", true],
    [2, "error", "ERROR", true],
  ]);
  expect(String(lines.at(-1)?.["error"])).toContain("overloaded");
});

test.skipIf(requireProgram("bwrap"))(
  "an interrupted prompt is logged once, wherever journal and log were cut",
  async () => {
    using directory = agentDirectory();
    const replies = [
      { calls: [call("bash", { command: "echo out" })], usage: { input: 9, output: 1 } },
      { text: "one" },
    ];
    await converse(directory.path, { replies, prompts: ["go"] });
    const [journal, log] = [
      join(directory.path, "sessions/main/journal.jsonl"),
      join(directory.path, "logs/main.jsonl"),
    ];
    const [steps, lines] = [journal, log].map((path) => readFileSync(path, "utf8").trimEnd().split("\n"));
    // Up to the tool's result, while the log may lag behind by as much as was not written yet.
    const kept = (steps ?? []).slice(
      0,
      (steps ?? []).findIndex((step) => step.includes('"model:2"')),
    );
    for (let count = 0; count <= 5; count++) {
      writeFileSync(journal, `${kept.join("\n")}\n`);
      writeFileSync(
        log,
        (lines ?? [])
          .slice(0, count)
          .map((line) => `${line}\n`)
          .join(""),
      );
      await converse(directory.path, { replies: [{ text: "one" }, { text: "next" }], prompts: ["more"] });
      const events = records(directory.path).filter(({ event }) => event !== "session_start");
      expect(events.map(({ turn, event, error }) => `${turn} ${event} ${error ?? ""}`.trimEnd())).toStrictEqual([
        "1 user_message",
        "1 assistant_message",
        "1 tool_call",
        "1 tool_result",
        "1 assistant_message",
        "2 user_message",
        "2 assistant_message",
      ]);
      expect(events.slice(0, 4).map(told)).toStrictEqual(
        (lines ?? []).slice(1, 5).map((line) => told(JSON.parse(line))),
      );
    }
  },
);

test("wherever a crash interrupts a prompt, its log has each message, call and result once", async () => {
  using directory = agentDirectory();
  const replies = [{ calls: [call("bash", { command: "echo out" })] }, { text: "one" }];
  await converse(directory.path, { replies, prompts: ["go"] });
  const [journal, log] = [join(directory.path, "sessions/main/journal.jsonl"), join(directory.path, "logs/main.jsonl")];
  const [steps = [], lines = []] = [journal, log].map((path) => readFileSync(path, "utf8").trimEnd().split("\n"));
  for (let end = steps.findIndex((step) => step.includes('"user"')) + 1; end < steps.length; end++) {
    writeFileSync(
      journal,
      steps
        .slice(0, end)
        .map((line) => `${line}\n`)
        .join(""),
    );
    // A call is told before its marker is journaled.
    const hasCall = steps.slice(0, end).some((step) => step.includes('"model:1"'));
    writeFileSync(
      log,
      lines
        .slice(0, hasCall ? 4 : 2)
        .map((line) => `${line}\n`)
        .join(""),
    );
    await converse(directory.path, { replies: [{ text: "next" }], prompts: ["more"] });
    const events = records(directory.path).filter(({ turn }) => turn === 1);
    const count = (name: string): number => events.filter(({ event }) => event === name).length;
    const calls = hasCall ? 1 : 0;
    expect([count("user_message"), count("tool_call"), count("tool_result")]).toStrictEqual([1, calls, calls]);
    expect(count("assistant_message")).toBe(hasCall ? 2 : 1);
  }
});

test("a log that cannot be written stops nothing and is warned about once", async () => {
  using directory = agentDirectory({ logs: "a file in the way" });
  const warnings: string[] = [];
  await converse(directory.path, {
    replies: [{ text: "one" }, { text: "two" }],
    prompts: ["1", "2"],
    onWarning: (message) => warnings.push(message),
  });
  expect(warnings.filter((warning) => warning.includes("log of a session"))).toHaveLength(1);
  expect(readFileSync(join(directory.path, "sessions/main/history.json"), "utf8")).toContain("two");
});
