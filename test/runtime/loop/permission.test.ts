import { expect, test } from "bun:test";
import type { ToolCall } from "@mdx-ai/models";
import type { AgentEvent, PermissionDecision } from "@mdx-ai/runtime";
import type { PermissionGate } from "../../../packages/runtime/src/types/permission.ts";
import { lastingEvents, playAll, recordLive } from "../../support/live-recording.ts";

/** A gate that allows `wait`, refuses `fail` and asks about the rest, with answers as they come. */
class AskingGate implements PermissionGate {
  readonly asked: string[] = [];
  readonly #answers: readonly PermissionDecision[];

  constructor(...answers: readonly PermissionDecision[]) {
    this.#answers = answers;
  }

  async rule({ name }: ToolCall): Promise<PermissionDecision | undefined> {
    if (name === "wait") return { action: "allow" };
    return name === "fail" ? { action: "deny", reason: "a rule refuses it" } : undefined;
  }

  async ask({ id }: ToolCall): Promise<PermissionDecision> {
    this.asked.push(id);
    return this.#answers[this.asked.length - 1] ?? { action: "deny", reason: "nobody answers" };
  }

  async confirms(): Promise<boolean> {
    return true;
  }
}

const call = (id: string, name: string, ticks = 1) => ({ id, name, arguments: { ticks } });

const script = [
  { calls: [call("a", "wait", 5), call("b", "fail"), call("c", "odd_name"), call("d", "look", 0)] },
  { text: "done" },
];

const texts = (events: readonly AgentEvent[]): readonly unknown[] =>
  events.flatMap((event) =>
    event.type === "message_end" && event.message.role === "toolResult"
      ? [[event.message.toolCallId, event.message.content[0], event.message.isError]]
      : [],
  );

test("of calls side by side each is allowed, refused or asked about; a decision is a step before that of its call", async () => {
  const gate = new AskingGate({ action: "allow", id: "1" }, { action: "deny", reason: "the user says: not now" });
  const { events, lines } = await recordLive({ scripts: [script], inputs: ["go"], run: { gate } });
  expect(gate.asked).toStrictEqual(["c", "d"]);
  expect(texts(events[0] ?? [])).toMatchObject([
    ["a", { text: "waited 5" }, false],
    ["b", { text: "a rule refuses it" }, true],
    ["c", { text: "odd" }, false],
    ["d", { text: "the user says: not now" }, true],
  ]);
  const steps = lines.map((line) => `${line.step}${"started" in line ? " started" : ""}`);
  expect(steps.filter((step) => step.startsWith("permission:")).sort()).toStrictEqual([
    "permission:tool:1:c",
    "permission:tool:1:d",
  ]);
  expect(steps.indexOf("permission:tool:1:c")).toBeLessThan(steps.indexOf("tool:1:c started"));
  expect(steps.filter((step) => step.endsWith(" started")).sort()).toStrictEqual([
    "tool:1:a started",
    "tool:1:c started",
  ]);
  const decided = (events[0] ?? []).filter(({ type }) => type === "permission_decided");
  expect(decided.map((event) => ("action" in event ? [event.toolCallId, event.action] : [])).sort()).toStrictEqual([
    ["b", "deny"],
    ["c", "allow"],
    ["d", "deny"],
  ]);
});

test("a replay reports the same decisions and asks nobody", async () => {
  const gate = new AskingGate({ action: "deny", reason: "no" }, { action: "allow", id: "2" });
  const { events, lines } = await recordLive({ scripts: [script], inputs: ["go"], run: { gate } });
  const order = (told: readonly AgentEvent[]): readonly unknown[] =>
    lastingEvents(told)
      .map((event) => JSON.stringify(event))
      .sort();
  const [played = []] = await playAll(lines);
  expect(order(played)).toStrictEqual(order(events[0] ?? []));
});
