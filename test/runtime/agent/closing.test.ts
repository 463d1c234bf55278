import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import type { Reply } from "../../support/replies.ts";
import { openWaking, type WakingAgent } from "../../support/waking-agent.ts";

const AGENT = "---\npermissions:\n  write_file: ask\n---\n# Agent: A\n\n## Purpose\n\nBe tested.\n";

const call = (id: string, name: string, args: Readonly<Record<string, string | number>>): Reply => ({
  calls: [{ id, name, arguments: args }],
});

/** A prompt that runs, and the lines of its journal. */
function begun({ agent, directory }: WakingAgent) {
  const path = join(directory, "sessions/main/journal.jsonl");
  const journal = (): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
  const ended = Array.fromAsync(agent.session().prompt("go")).then(
    () => "ended",
    (error: unknown) => (error instanceof Error ? error.name : "?"),
  );
  return { journal, ended };
}

test("a close with patience waits for the running command, journals its result, and begins no other step", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT });
  const command = "echo begun > begun; while [ ! -e go ]; do sleep 0.05; done; echo finished";
  const opened = await openWaking(directory.path, [call("1", "bash", { command }), { text: "too late" }]);
  const { journal, ended } = begun(opened);
  await eventually(() => existsSync(join(directory.path, "begun")));
  const closing = opened.agent.close({ patience: 60_000 });
  await Bun.write(join(directory.path, "go"), "");
  await closing;
  expect(await ended).toBe("AgentClosedError");
  expect(journal()).toContain("finished");
  expect(journal()).not.toContain("too late");
  const next = await openWaking(directory.path, [{ text: "continued" }]);
  await Array.fromAsync(next.agent.session().resume());
  expect(JSON.stringify(await next.agent.session().messages())).toContain("continued");
  await next.agent.close();
});

test("calls that run side by side all have their results when one of them has ended first", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT });
  const slow = (name: string, until: string): string =>
    `echo > ${name}; while [ ! -e ${until} ]; do sleep 0.05; done; echo result of ${name}`;
  const calls = ["a", "b"].map((id) => ({ id, name: "bash", arguments: { command: slow(id, `go-${id}`) } }));
  const opened = await openWaking(directory.path, [{ calls }, { text: "too late" }]);
  const { journal } = begun(opened);
  await eventually(() => ["a", "b"].every((name) => existsSync(join(directory.path, name))));
  const closing = opened.agent.close({ patience: 60_000 });
  await Bun.write(join(directory.path, "go-a"), "");
  await eventually(() => journal().includes("result of a\\n"));
  await Bun.write(join(directory.path, "go-b"), "");
  await closing;
  expect(journal()).toContain("result of b\\n");
});

test("a close with patience does not wait for a question, nor longer than its patience", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT });
  const asking = await openWaking(directory.path, [call("1", "write_file", { path: "a.txt", content: "x" })], {
    answersWithin: 3_600,
  });
  const first = begun(asking);
  await eventually(() => asking.agent.session().openQuestions.length === 1);
  await asking.agent.close({ patience: 60_000 });
  expect(await first.ended).toBe("AgentClosedError");
  using other = agentDirectory({ "agent.mdx": AGENT });
  const slow = await openWaking(other.path, [call("1", "bash", { command: "echo > begun; sleep 60" })]);
  const second = begun(slow);
  await eventually(() => existsSync(join(other.path, "begun")));
  await slow.agent.close({ patience: 50 });
  expect(await second.ended).toBe("AgentClosedError");
});
