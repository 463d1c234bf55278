import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const HISTORY = [
  { role: "user", content: "My name is Ada.", timestamp: "2026-02-08T10:00:00.000Z" },
  { role: "assistant", content: "Hello Ada.", timestamp: "2026-02-08T10:00:02.000Z" },
  { role: "user", content: "List the files.", timestamp: "2026-02-08T10:01:00.000Z" },
  { role: "assistant", content: "", timestamp: "2026-02-08T10:01:02.000Z" },
];

test("an agent that another runtime has used continues its conversation", async () => {
  using home = temporaryDirectory();
  using server = anthropicServer(textReply("Ada."));
  writeFiles(home.path, {
    "agent/agent.mdx": MINIMAL_AGENT,
    "agent/sessions/main/history.json": JSON.stringify(HISTORY),
    "agent/logs/2026-02-08.log": "a line of it\n",
  });
  const args = ["agent", "--trust", "--model", "opus", "--prompt", "What is my name?"];
  const run = await runCommandLine(["agent", ...args], { home: home.path, environment: server.environment });
  expect([run.exitCode, run.stdout]).toEqual([0, "Ada.\n"]);
  expect(run.stderr).toContain("imported 4 messages of history.json; the original is kept as ");
  const { messages } = JSON.parse(server.requests[0]?.text ?? "");
  const texts = messages.map(({ role, content }: { role: string; content: readonly { text: string }[] }) => [
    role,
    ...content.map(({ text }) => text),
  ]);
  expect(texts).toEqual([
    ["user", "My name is Ada."],
    ["assistant", "Hello Ada."],
    ["user", "List the files.", "What is my name?"],
  ]);
  const kept = readdirSync(join(home.path, "agent/sessions/main"));
  expect(kept.filter((name) => name.startsWith("history.json"))).toHaveLength(2);
  const shown = await runCommandLine(["sessions", "agent", "show", "main"], { home: home.path });
  expect(shown.stdout).toContain("My name is Ada.");
  const again = await runCommandLine(["agent", ...args], { home: home.path, environment: server.environment });
  expect(again.stderr).not.toContain("imported");
});
