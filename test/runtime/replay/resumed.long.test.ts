import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openReplay } from "@mdx-ai/runtime";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { lastingEvents } from "../../support/live-recording.ts";
import type { Reply } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const call = (id: string) => ({ id, name: "act", arguments: { text: id } });
const REPLIES: readonly Reply[] = [{ calls: [call("a"), call("b")] }, { calls: [call("c")] }, { text: "Done." }];

/** The events of a prompt that was cut short after so many lines and finished by another process. */
async function resumed(path: string, length: number): Promise<readonly AgentEvent[]> {
  const first = await openScriptAgent(path, REPLIES);
  await Array.fromAsync(first.session().prompt("go"));
  await first.close();
  const journal = join(path, "sessions/main/journal.jsonl");
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n").slice(0, length);
  writeFileSync(journal, `${lines.join("\n")}\n`);
  const answered = lines.filter((line) => line.includes('"step":"model:')).length;
  const second = await openScriptAgent(path, REPLIES.slice(answered));
  const events = await Array.fromAsync(second.session().resume());
  await second.close();
  return events;
}

// Line 1 tells what the agent is, the last one is the end of the prompt.
test.each([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])(
  "a prompt that was cut short after line %d and finished later is played in one piece, as it was told then",
  async (length) => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + toolText("act", "  return params.text;") });
    const events = await resumed(directory.path, length);
    const replay = await openReplay(await readAgentDirectory(directory.path), { session: "main" });
    const [prompt] = replay.recording.prompts;
    if (!prompt) throw new Error("there is no prompt");
    const played = await Array.fromAsync(replay.play(prompt));
    const sorted = (all: readonly AgentEvent[]): readonly string[] =>
      lastingEvents(all)
        .map((event) => JSON.stringify(event))
        .toSorted();
    // Tools that ran side by side end in the order of the journal.
    expect(sorted(played)).toStrictEqual(sorted(events.filter(({ type }) => type !== "prompt_resumed")));
    expect(played.at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
  },
);
