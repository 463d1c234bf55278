import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent, ApprovalRequest } from "@mdx-ai/loop";
import type { AssistantMessage } from "@mdx-ai/models";
import { deleteSession } from "@mdx-ai/sessions";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { assistantMessage } from "../../support/model-request.ts";
import { beginOf } from "../../support/prompt-steps.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

/** A tool that writes its text to a file of the agent directory. */
const NOTE = toolText(
  "note",
  '  await Bun.write(ctx.cwd + "/noted", params.text ?? "");\n  return "noted";',
  ' permission="ask"',
);
const AGENT = `${MINIMAL_AGENT}${NOTE}`;
const ALLOWED = { permissions: { allow: ["note"] } };

const noting = (text: string): AssistantMessage =>
  assistantMessage([{ type: "toolCall", id: "a", name: "note", arguments: { text } }], { stopReason: "toolUse" });

/** The journal of a prompt that a crash cut short behind these steps. */
const journalOf = (...steps: readonly JournaledStep[]): string =>
  linesOf([["begin", beginOf("go", { tools: [{ wire: "note", name: "note", origin: "inline" }] })], ...steps]);

type JournaledStep = readonly [step: string, result: unknown];

const linesOf = (steps: readonly JournaledStep[]): string =>
  steps.map(([step, result]) => `${JSON.stringify({ v: 1, prompt: 1, step, result })}\n`).join("");

const resultText = (events: readonly AgentEvent[]): string => {
  const end = events.find(({ type }) => type === "tool_execution_end");
  return JSON.stringify(end);
};

test("a call whose arguments lost a secret in a crash does not run, and the model receives the reason", async () => {
  using directory = agentDirectory({
    "agent.mdx": AGENT,
    "sessions/main/journal.jsonl": journalOf(["model:1", noting("[redacted API_KEY]")]),
  });
  const agent = await openScriptAgent(directory.path, [{ text: "I see." }], ALLOWED);
  const events = await Array.fromAsync(agent.session().resume());
  expect(resultText(events)).toContain("its arguments held a secret, which is not kept on disk");
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
  expect(existsSync(join(directory.path, "noted"))).toBe(false);
  await agent.close();
});

test("a call that the model has just made runs with any arguments", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT });
  const call = { id: "a", name: "note", arguments: { text: "[redacted API_KEY]" } };
  const agent = await openScriptAgent(directory.path, [{ calls: [call] }, { text: "Noted." }], ALLOWED);
  const events = await Array.fromAsync(agent.session().prompt("go"));
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
  expect(readFileSync(join(directory.path, "noted"), "utf8")).toBe("[redacted API_KEY]");
  await agent.close();
});

test("an approval for this session does not hold in a new session of the same name", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT });
  const asked: ApprovalRequest[] = [];
  const calls = ["a", "b", "c"].map((id) => ({ calls: [{ id, name: "note", arguments: { text: id } }] }));
  const agent = await openScriptAgent(
    directory.path,
    calls.flatMap((reply) => [reply, { text: "Noted." }]),
    {
      onApproval: async (request) => {
        asked.push(request);
        return { answer: "session" };
      },
    },
  );
  await Array.fromAsync(agent.session().prompt("one"));
  await Array.fromAsync(agent.session().prompt("two"));
  expect(asked).toHaveLength(1);
  await agent.session().release();
  deleteSession(directory.path, "main", Date.now());
  await Array.fromAsync(agent.session().prompt("three"));
  expect(asked).toHaveLength(2);
  await agent.close();
});
