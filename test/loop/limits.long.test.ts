import { describe, expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { endOf, look, reached, run, say } from "../support/limit-bench.ts";
import type { Reply } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";

describe("a limit ends the prompt after the turn that reaches it, with an event:", () => {
  test.skipIf(requireProgram("bwrap"))("seconds end a tool that hangs and the model's wait", async () => {
    const hang: Reply = { calls: [{ id: "h", name: "bash", arguments: { command: "sleep 600" } }] };
    const [inTool] = await run("limits: { seconds: 1 }", [hang, say("never")]);
    expect(reached(inTool)).toMatchObject([{ type: "limit_reached", limit: "seconds", value: 1 }]);
    expect(endOf(inTool)).toMatchObject({ outcome: "limit" });
    const [inModel] = await run("limits: { seconds: 1 }", [{ text: "late", delay: 600_000 }]);
    expect(reached(inModel)).toMatchObject([{ type: "limit_reached", limit: "seconds", value: 1 }]);
    expect(endOf(inModel)).toMatchObject({ outcome: "limit" });
  });
});

describe("identical calls with identical results in a row", () => {
  const NOTE = "three times in a row";
  const notes = (events: readonly AgentEvent[] | undefined): readonly boolean[] | undefined =>
    events?.flatMap((event) =>
      event.type === "message_end" && event.message.role === "toolResult"
        ? [JSON.stringify(event.message.content).includes(NOTE)]
        : [],
    );

  test("begin anew after another call, or another result", async () => {
    const other = look("x", "nothing.txt");
    const [events] = await run("model: offline", [look("a"), look("b"), other, look("c"), look("d"), say("done")]);
    expect(notes(events)).toEqual([false, false, false, false, false]);
    const count: Reply["calls"] = [{ id: "n", name: "bash", arguments: { command: "echo x >> seen; cat seen" } }];
    const [counting] = await run("model: offline", [
      ...Array.from({ length: 4 }, () => ({ calls: count })),
      say("done"),
    ]);
    expect(notes(counting)).toEqual([false, false, false, false]);
  });
});
