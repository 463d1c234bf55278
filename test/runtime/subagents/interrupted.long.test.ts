import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deleteSession } from "@mdx-ai/sessions";
import { agentText, run, team, teamModel, toolTexts } from "../../support/team.ts";

const HELPER = '<Agent name="helper" src="../helper" description="Helps" />';

const files = (settings = "", helper = "") =>
  team({ "lead/agent.mdx": agentText("lead", HELPER, settings), "helper/agent.mdx": agentText("helper", "", helper) });

const sessionsOf = (path: string): readonly string[] => readdirSync(join(path, "state/agents/helper/sessions"));

/** Waits for the signal of a request. */
const stopped = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve("too late"), { once: true }));

test("an agent that had ended when the process did is not asked again: its result is read from its session", async () => {
  using folder = files();
  const answered = Promise.withResolvers<void>();
  const before = await folder.open(
    teamModel({
      lead: [{ helper: ["slow", "quick"] }],
      helper: (request, signal) => {
        const isQuick = JSON.stringify(request.messages).includes("quick");
        if (!isQuick) return stopped(signal);
        setTimeout(answered.resolve, 0);
        return "quickly";
      },
    }),
  );
  const events = (async () => {
    for await (const event of before.agent.session().prompt("Go")) {
      if (event.type === "subagent_event" && event.event.type === "agent_end") answered.resolve();
    }
  })().catch(() => {});
  await answered.promise;
  await before.close();
  await events;
  const asked: string[] = [];
  const after = await folder.open(
    teamModel({
      lead: ["done"],
      helper: (request) => {
        asked.push(JSON.stringify(request.messages));
        return "slowly";
      },
    }),
  );
  try {
    for await (const _ of after.agent.session().resume());
    expect(toolTexts(await after.agent.session().messages())).toStrictEqual(["slowly", "quickly"]);
    expect(asked.filter((text) => text.includes("quick")).length).toBeLessThanOrEqual(1);
  } finally {
    await after.close();
  }
});

test("an abort of the parent's prompt ends the prompt of its agent for good", async () => {
  using folder = files();
  const reached = Promise.withResolvers<void>();
  const opened = await folder.open(
    teamModel({
      lead: [{ helper: "Help" }, "done"],
      helper: (_request, signal) => {
        reached.resolve();
        return stopped(signal);
      },
    }),
  );
  const stop = new AbortController();
  const running = (async () => {
    for await (const _ of opened.agent.session().prompt("Go", { signal: stop.signal }));
  })();
  await reached.promise;
  stop.abort();
  await running;
  await opened.close();
  const [session = ""] = sessionsOf(folder.path);
  const journal = readFileSync(join(folder.path, "state/agents/helper/sessions", session, "journal.jsonl"), "utf8");
  expect(journal).toContain('"outcome":"aborted"');
});

test("deleting a session deletes the sessions in which agents worked for it", async () => {
  using folder = files();
  const opened = await folder.open(teamModel({ lead: [{ helper: "Help" }, "done"], helper: ["helped"] }));
  await run(opened, "Go");
  for await (const _ of opened.agent.session("other").prompt("Go"));
  await opened.close();
  expect(sessionsOf(folder.path).length).toBe(2);
  deleteSession(folder.path, "main", Date.now());
  expect(sessionsOf(folder.path).filter((name) => !name.startsWith("."))).toStrictEqual([
    expect.stringMatching(/^other-/),
  ]);
});
