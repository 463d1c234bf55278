import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { answerText } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { agentText, run, team, teamModel, toolTexts } from "../../support/team.ts";

const HELPER = '<Agent name="helper" src="../helper" description="Helps" />';

const files = (settings = "", helper = "") =>
  team({ "lead/agent.mdx": agentText("lead", HELPER, settings), "helper/agent.mdx": agentText("helper", "", helper) });

const sessionsOf = (path: string): readonly string[] => readdirSync(join(path, "state/agents/helper/sessions"));

/** Waits for the signal of a request. */
const stopped = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve("too late"), { once: true }));

test("a process that ends in the middle of a call is continued in the same session, not in a second one", async () => {
  using folder = files();
  const reached = Promise.withResolvers<void>();
  const before = await folder.open(
    teamModel({
      lead: [{ helper: "Help" }],
      helper: (request, signal) => {
        if (request.messages.length === 1) return { list_files: {} };
        reached.resolve();
        return stopped(signal);
      },
    }),
  );
  const running = run(before, "Go").catch(() => {});
  await reached.promise;
  await before.close();
  await running;
  const [session] = sessionsOf(folder.path);
  const seen: (readonly Message[])[] = [];
  const after = await folder.open(
    teamModel({
      lead: (request) => (request.messages.length === 1 ? "not asked again" : "done"),
      helper: (request) => {
        seen.push([...request.messages]);
        return "helped";
      },
    }),
  );
  try {
    for await (const _ of after.agent.session().resume());
    const messages = await after.agent.session().messages();
    expect([toolTexts(messages), answerText(messages)]).toStrictEqual([["helped"], "done"]);
    // The helper's first answer, and its call, are not repeated.
    expect(seen.map((one) => one.map(({ role }) => role))).toStrictEqual([["user", "assistant", "toolResult"]]);
    expect(sessionsOf(folder.path)).toStrictEqual([session ?? ""]);
  } finally {
    await after.close();
  }
});

describe("limits", () => {
  test.each([
    ["a limit of a prompt", "limits: {tokens: 300}"],
    ["a limit of a session", "limits: {session: {tokens: 300}}"],
    ["a limit of a day", "limits: {day: {tokens: 300}}"],
  ])("%s counts what agents spend, and stops them", async (_title, settings) => {
    using folder = files(settings);
    const model = teamModel({
      lead: [{ helper: "Help" }, "done"],
      // It would go on for ever.
      helper: () => ({ list_files: {} }),
    });
    const opened = await folder.open(model);
    try {
      const events = await run(opened, "Go");
      const end = events.find((event) => event.type === "agent_end");
      expect(end?.type === "agent_end" && end.outcome).toBe("limit");
      // 110 tokens a request: one of the lead and two of the helper.
      expect(model.requests.length).toBe(3);
      expect(toolTexts(await opened.agent.session().messages())[0]).toContain(
        "a limit of the calling prompt is reached",
      );
    } finally {
      await opened.close();
    }
  });

  test("an agent keeps its own limits inside those of its parent", async () => {
    using folder = files("limits: {tokens: 100000}", "limits: {turns: 2}");
    const opened = await folder.open(
      teamModel({ lead: [{ helper: "Help" }, "done"], helper: () => ({ list_files: {} }) }),
    );
    try {
      await run(opened, "Go");
      expect(toolTexts(await opened.agent.session().messages())[0]).toContain("it reached a limit of its own");
    } finally {
      await opened.close();
    }
  });
});
