import { expect, test } from "bun:test";
import { isToolResultMessage, type ToolResultMessage } from "@mdx-ai/models";
import { recordLive } from "../../../test/support/live-recording.ts";
import { isOneTooMany, wasNotRun } from "./unrun-call.ts";

const call = (id: string, name = "wait") => ({ id, name, arguments: { ticks: 1 } });

const results = async (session: Parameters<typeof recordLive>[0]): Promise<readonly ToolResultMessage[]> =>
  (await recordLive(session)).lines
    .flatMap((line) => ("result" in line && isToolResultMessage(line.result) ? [line.result] : []))
    .sort((one, other) => (one.toolCallId < other.toolCallId ? -1 : 1));

test("calls beyond the limit of a prompt, of answers that were cut off or refused, and of prompts that were stopped count as not run", async () => {
  const limits = { turns: 9, toolCalls: 1 };
  const tooMany = await results({
    scripts: [[{ calls: [call("a"), call("b")] }]],
    inputs: ["go"],
    run: { plan: { limits } },
  });
  expect(tooMany.map(wasNotRun)).toStrictEqual([false, true]);
  expect(tooMany.map(isOneTooMany)).toStrictEqual([false, true]);
  for (const stopReason of ["length", "refusal", "contextExceeded"]) {
    const cutOff = await results({ scripts: [[{ calls: [call("a")], stopReason }]], inputs: ["go"] });
    expect(cutOff.map(wasNotRun)).toStrictEqual([true]);
    expect(cutOff.map(isOneTooMany)).toStrictEqual([false]);
  }
});

test("a call that a tool refused, or in which it failed, counts as run", async () => {
  const calls = [call("a", "fail"), call("b", "missing"), { ...call("c"), arguments: { ticks: "many" } }];
  expect((await results({ scripts: [[{ calls }]], inputs: ["go"] })).map(wasNotRun)).toStrictEqual([
    false,
    false,
    false,
  ]);
});
