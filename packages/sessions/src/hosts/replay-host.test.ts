import { describe, expect, test } from "bun:test";
import type { JournalLine } from "@mdx-ai/sessions";
import { readRecording, replayPrompt } from "@mdx-ai/sessions";
import { toolRegistry } from "@mdx-ai/tools";
import { recordLive } from "../../../../test/support/live-recording.ts";
import { replayHost } from "./replay-host.ts";

const line = (step: string, result: unknown): JournalLine => ({ v: 1, prompt: 2, step, result });
const replayed = (lines: readonly JournalLine[]) => replayHost({ lines, emit() {} });
const isText = (value: unknown): value is string => typeof value === "string";
const neverRun = async (): Promise<string> => {
  throw new Error("it was run");
};

describe("the replay host", () => {
  test("looks a step up and does not run it", async () => {
    const { step, unused } = replayed([line("one", "1"), line("two", "2"), line("end", "")]);
    expect(await step("one", neverRun, { accepts: isText })).toBe("1");
    expect(unused()).toStrictEqual(["two", "end"]);
  });

  test("names a step that the recording does not have, and one that cannot be read", async () => {
    const { step } = replayed([line("one", 1), line("end", "")]);
    const missing = step("tool:2:abc", neverRun, { accepts: isText });
    await expect(missing).rejects.toThrow("prompt 2: the recording has no step tool:2:abc");
    await expect(step("one", neverRun, { accepts: isText })).rejects.toThrow(
      "a result of step one that cannot be read",
    );
  });

  test("does not count a resumption as a step", () => {
    expect(replayed([line("resume:1", { at: 0 })]).unused()).toStrictEqual([]);
  });
});

describe("a recorded prompt", () => {
  const tools = toolRegistry([], { agentDir: "/", cwd: "/", log: async () => {} });
  const recorded = async (): Promise<readonly JournalLine[]> => {
    const calls = [{ id: "abc", name: "wait", arguments: { ticks: 1 } }];
    return (await recordLive({ scripts: [[{ calls }, { text: "done" }]], inputs: ["go"] })).lines;
  };
  const play = async (lines: readonly JournalLine[]): Promise<readonly string[]> => {
    const [prompt] = readRecording(lines).prompts;
    if (!prompt) throw new Error("there is no prompt");
    return (
      await Array.fromAsync(
        replayPrompt(prompt, { tools, conversation: { first: 0, messages: [], compaction: undefined } }),
      )
    ).map(({ type }) => type);
  };

  test("is refused where one of its steps is lost", async () => {
    const lines = (await recorded()).filter((one) => one.step !== "tool:1:abc");
    await expect(play(lines)).rejects.toThrow("prompt 1: the recording has no step tool:1:abc");
  });

  test("is refused if it contains steps that are never requested", async () => {
    const lines = [...(await recorded()), { ...line("model:7", {}), prompt: 1 }, { ...line("x", {}), prompt: 1 }];
    await expect(play(lines)).rejects.toThrow(
      "prompt 1: the loop did not ask for step model:7 and 1 more of the recording",
    );
  });

  test("that was cut short anywhere is played as far as it came, without an agent_end", async () => {
    const lines = await recorded();
    const whole = await play(lines);
    for (let length = 1; length < lines.length; length++) {
      const events = await play(lines.slice(0, length));
      expect(events).toStrictEqual(whole.slice(0, events.length));
      expect(events).not.toContain("agent_end");
    }
  });
});
