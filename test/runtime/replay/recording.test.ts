import { describe, expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { noCost } from "@mdx-ai/loop";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openReplay } from "@mdx-ai/runtime";
import type { JournalLine } from "@mdx-ai/sessions";
import { readRecording, recordingText, rewindSession } from "@mdx-ai/sessions";
import { agentDirectory } from "../../support/agent-directory.ts";
import { beginOf } from "../../support/prompt-steps.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

/** Hashes of an agent's name. */
const FIRST = "0123456789abcdef";
const SECOND = "fedcba9876543210";

const line = (prompt: number, step: string, result: unknown): JournalLine => ({ v: 1, prompt, step, result });
const prompt = (number: number, text = `prompt ${number}`): readonly JournalLine[] => [
  line(number, "begin", beginOf(text)),
  line(number, "end", { outcome: "done", at: 0 }),
];

describe("a recording", () => {
  test("leaves out prompts that were left by going back, and keeps one that was cut short", () => {
    const lines = [...prompt(1), ...prompt(2), line(0, "head:1", { prompt: 1, at: 0 }), ...prompt(3).slice(0, 1)];
    const { prompts } = readRecording(lines);
    expect(prompts.map(({ number, input, isWhole }) => ({ number, input, isWhole }))).toStrictEqual([
      { number: 1, input: "prompt 1", isWhole: true },
      { number: 3, input: "prompt 3", isWhole: false },
    ]);
  });

  test("knows of each prompt what the agent was, through the heads of journals, too", () => {
    const own = [line(0, "agent:2", { name: SECOND })];
    const head = { ...{ lastPrompt: 2, head: 2, messages: 0, tail: [], history: 0, promptIds: [] }, cost: noCost, own };
    const lines = [
      ...prompt(1),
      line(0, "agent:1", { name: FIRST }),
      ...prompt(2),
      line(0, "segment", head),
      ...prompt(3),
    ];
    expect(readRecording(lines).prompts.map(({ agent }) => agent)).toStrictEqual([
      undefined,
      { name: FIRST },
      { name: SECOND },
    ]);
  });

  test("of nothing has no prompts", () => {
    expect(readRecording([])).toStrictEqual({ messages: [], prompts: [], identity: undefined });
  });

  test("is read from all journals of a session, and can be kept as one file that says the same", async () => {
    using directory = agentDirectory();
    const { path } = directory;
    for (const number of [1, 2]) {
      const agent = await openScriptAgent(path, [{ text: `answer ${number}` }]);
      await Array.fromAsync(agent.session().prompt(`question ${number}`));
      await agent.close();
    }
    await rewindSession(path, { id: "main", to: 2, now: 0, onWarning() {} });
    const file = join(path, "kept.jsonl");
    await Bun.write(file, recordingText(path, "main"));
    const read = await readAgentDirectory(path);
    const session = await openReplay(read, { session: "main" });
    const kept = await openReplay(read, { file });
    expect(kept.recording).toStrictEqual(session.recording);
    expect(kept.recording.prompts).toHaveLength(2);
    appendFileSync(file, '{"v":1,"prompt":3,"step":"begin","resu');
    expect((await openReplay(read, { file })).recording.prompts).toHaveLength(2);
  });

  test("leaves out what the head of a later journal repeats", async () => {
    const text = (lines: readonly JournalLine[]): string => lines.map((one) => `${JSON.stringify(one)}\n`).join("");
    const head = { lastPrompt: 1, head: 1, messages: 1, tail: [], history: 0, own: [], promptIds: [], cost: noCost };
    using directory = agentDirectory({
      "sessions/main/journal-0001.jsonl": text(prompt(1)),
      "sessions/main/journal.jsonl": text([line(0, "segment", head), ...prompt(2)]),
    });
    expect(recordingText(directory.path, "main")).toBe(text([...prompt(1), ...prompt(2)]));
  });

  test("that is missing, or no recording, is one clear error", async () => {
    using directory = agentDirectory({ "bad.jsonl": "garbage\n" });
    const read = await readAgentDirectory(directory.path);
    const open = (name: string) => openReplay(read, { file: join(directory.path, name) });
    await expect(open("missing.jsonl")).rejects.toThrow(/^there is no file .*missing\.jsonl$/);
    await expect(open("bad.jsonl")).rejects.toThrow(/bad\.jsonl:1 is not a line of a recording$/);
    await expect(openReplay(read, { session: "none" })).rejects.toMatchObject({ name: "UnknownSessionError" });
    await expect(openReplay(read, { session: "../x" })).rejects.toMatchObject({ name: "SessionIdError" });
  });
});
