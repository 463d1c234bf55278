import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@mdx-ai/base";
import { verifySessions } from "@mdx-ai/sessions";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { toolResult, userMessage } from "../../../../test/support/model-request.ts";
import { requireProgram } from "../../../../test/support/require-program.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { isReadable } from "../history/read-turn.ts";
import { isJournalLine } from "../journal/journal.ts";

/** A value in which members are those of a patch, down to any depth. */
const patched = (value: unknown, patch: unknown): unknown =>
  isRecord(value) && isRecord(patch)
    ? {
        ...value,
        ...Object.fromEntries(Object.entries(patch).map(([name, part]) => [name, patched(value[name], part)])),
      }
    : patch;

/** A session whose prompt was killed behind the result of its first call, with a patch in the result of one of its steps. */
async function interrupted(directory: string, step: string, patch: unknown): Promise<void> {
  const call = { id: "a", name: "bash", arguments: { command: "echo x >> effects" } };
  const agent = await openScriptAgent(directory, [{ calls: [call] }, { text: "done" }]);
  await Array.fromAsync(agent.session().prompt("do it"));
  await agent.close();
  const journal = join(directory, "sessions/main/journal.jsonl");
  const written = readFileSync(journal, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const lines = written.filter(isJournalLine);
  const end = lines.findIndex((line) => line.step === "tool:1:a" && "result" in line);
  const steering = { v: 1, prompt: 1, step: "steer:1", result: userMessage("Use red") };
  const changed = [...lines.slice(0, end + 1), steering].map((line) =>
    line.step === step && "result" in line ? { ...line, result: patched(line.result, patch) } : line,
  );
  writeFileSync(journal, changed.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const UNREADABLE_BEGIN = "has no beginning that can be read";
const unreadable = (step: string): string => `has a result of step ${step} that cannot be read`;

test.skipIf(requireProgram("bwrap")).each<[name: string, step: string, patch: unknown, problem: string]>([
  ["a limit that is null", "begin", { plan: { limits: { turns: null } } }, UNREADABLE_BEGIN],
  ["a negative limit of a day", "begin", { plan: { limits: { day: { usd: -1 } } } }, UNREADABLE_BEGIN],
  ["a window that is a text", "begin", { plan: { context: { window: "9" } } }, UNREADABLE_BEGIN],
  ["a session that cost less than nothing", "begin", { plan: { sessionBefore: { usd: -9 } } }, UNREADABLE_BEGIN],
  ["an input beyond all time", "begin", { input: { timestamp: 1e300 } }, UNREADABLE_BEGIN],
  ["an answer beyond all time", "model:1", { timestamp: 1e300 }, unreadable("model:1")],
  ["an answer of negative usage", "model:1", { usage: { output: -1000 } }, unreadable("model:1")],
  ["an answer without its calls", "model:1", { content: [] }, "has lost an answer whose calls began"],
  ["the result of another call", "tool:1:a", { toolCallId: "b" }, unreadable("tool:1:a")],
  ["a result beyond all time", "tool:1:a", { timestamp: -1e300 }, unreadable("tool:1:a")],
  ["steering that is no message", "steer:1", "use red", unreadable("steer:1")],
])(
  "a prompt with %s is closed by the next start, as verify says, and nothing of it runs again",
  async (_, step, patch, problem) => {
    using directory = agentDirectory();
    await interrupted(directory.path, step, patch);
    const verified = async () => (await verifySessions(directory.path, { now: Date.now(), isCheck: true })).sessions;
    const found = [`prompt 1 ${problem}, so it can only be closed`];
    expect(await verified()).toMatchObject([{ state: "repairable", found: expect.arrayContaining(found) }]);
    const warnings: string[] = [];
    const onWarning = (warning: string): void => void warnings.push(warning);
    const agent = await openScriptAgent(directory.path, [{ text: "next" }], { onWarning });
    expect(await agent.session().pendingPrompts()).toStrictEqual([]);
    await Array.fromAsync(agent.session().prompt("go on"));
    await agent.close();
    expect(warnings).toContain(`session main: prompt 1 ${problem} and is closed; its results are kept`);
    expect(await verified()).toMatchObject([{ state: "ok" }]);
    expect(readFileSync(join(directory.path, "effects"), "utf8")).toBe("x\n");
  },
);

test.skipIf(requireProgram("bwrap"))(
  "a size, an answer and a result as they are written let a prompt be resumed",
  async () => {
    using directory = agentDirectory();
    await interrupted(directory.path, "model:1", {});
    const agent = await openScriptAgent(directory.path, [{ text: "next" }]);
    expect(await agent.session().pendingPrompts()).toMatchObject([{ prompt: 1, state: "interrupted" }]);
    await Array.fromAsync(agent.session().resume());
    await agent.close();
    expect(readFileSync(join(directory.path, "effects"), "utf8")).toBe("x\n");
  },
);

test.each<[step: string, result: unknown, later: unknown]>([
  ["size:1", { tokens: -1 }, { tokens: 0 }],
  ["retry:1#2", { delay: -1, until: 2 }, { delay: 0, until: 2 }],
  ["retry:1#2", { delay: 1 }, { delay: 1, until: 2 }],
  ["retry:1#2", { delay: 1, until: "soon" }, { delay: 1, until: 2 }],
  ["compact:1", { reason: 7 }, { reason: "none" }],
  ["spent:1", { day: { tokens: -1, usd: 0 } }, { day: { tokens: 1, usd: 0 } }],
  ["raise:1", { raised: { "day.eur": 1 } }, { raised: { "day.usd": 1 } }],
  ["hook:beforeEnd:1", { message: "more" }, { message: userMessage("more") }],
  ["end", { outcome: "done", at: 1e300 }, { outcome: "done", at: 8.64e15 }],
  ["end", { outcome: "limit", at: 1, limit: { limit: "turns", value: -1 } }, { outcome: "done", at: 1 }],
  ["tool:1:a#2", toolResult("b", ""), toolResult("a", "")],
  ["tool:1:a#2", toolResult("a#", ""), toolResult("a#2", "")],
])("of the step %s the result %j cannot be read, and %j can", (step, odd, fine) => {
  expect([odd, fine].map((result) => isReadable({ v: 1, prompt: 1, step, result }))).toEqual([false, true]);
});
