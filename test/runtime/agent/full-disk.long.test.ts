import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { contentText } from "@mdx-ai/loop";
import type { Agent } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import { gatedCall, openGate } from "../../support/gated-tool.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { canMount, smallDisk } from "../../support/small-disk.ts";

/** Longer than what is free on a full disk's last block. */
const LONG = "x".repeat(8_000);

const userTexts = async (agent: Agent): Promise<readonly string[]> =>
  (await agent.session("main").messages()).flatMap((message) =>
    message.role === "user" ? [contentText(message.content).replace(LONG, "")] : [],
  );

const ended = async (agent: Agent, prompts: number): Promise<void> => {
  let count = 0;
  for await (const { type } of agent.session("main").events({ after: "0.0" }))
    if (type === "agent_end" && ++count === prompts) return;
};

test.skipIf(!canMount())(
  "what a full disk refuses did not happen, and may be sent again once there is room",
  async () => {
    using directory = agentDirectory();
    using disk = await smallDisk(1);
    const data = join(disk.outside, "data");
    const calls = [{ id: "call", name: "bash", arguments: gatedCall("gate") }];
    const replies = [{ calls }, { text: "First." }, { text: "Second." }];
    const agent = await openScriptAgent(directory.path, replies, { dataDirectory: data });
    const session = agent.session("main");
    await session.submit("go", { key: "go" });
    const unwanted = Array.from({ length: 60 }, (_, index) => `unwanted ${index}`);
    for (const text of unwanted) await session.submit(text, { key: text });
    await eventually(() => readFileSync(join(data, "sessions/main/journal.jsonl"), "utf8").includes('"started":true'));

    disk.fill();
    await expect(session.submit(`important ${LONG}`, { key: "important" })).rejects.toThrow("the disk is full");
    await expect(session.steer(`not said ${LONG}`)).rejects.toThrow("the disk is full");
    // The last block of the journal has room for some of the lines.
    const cancelled = await Promise.allSettled(unwanted.map((key) => session.cancel(key)));
    const left = unwanted.filter((_, index) => cancelled[index]?.status === "rejected");
    expect(left).not.toBeEmpty();
    disk.clear();
    await session.submit(`important ${LONG}`, { key: "important" });
    for (const key of left) expect(await session.cancel(key)).toBe(true);

    openGate(directory.path, "gate");
    await ended(agent, 2);
    expect(await userTexts(agent)).toStrictEqual(["go", "important "]);
    await agent.close();
  },
);
