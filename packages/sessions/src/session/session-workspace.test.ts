import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, realpathSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { lastSession, listSessions, type SessionSummary, sessionWorkspace, verifySessions } from "@mdx-ai/sessions";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { writeText } from "../../../../test/support/agent-files.ts";
import { assistantMessage } from "../../../../test/support/model-request.ts";
import { beginLine } from "../../../../test/support/prompt-steps.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { keepSummary } from "./kept-summary.ts";

/** The lines of a prompt that ran in a workspace, or in none. */
function talk(prompt: number, workspace?: unknown): string {
  const begin = JSON.stringify(beginLine(prompt, `Question ${prompt}`, { workspace: "here" }));
  const others = [
    { v: 1, prompt, step: "model:1", result: assistantMessage([{ type: "text", text: "Answer" }]) },
    { v: 1, prompt, step: "end", result: { outcome: "done", at: 2 } },
  ];
  const lines = [
    begin.replace('"here"', JSON.stringify(workspace ?? null)),
    ...others.map((line) => JSON.stringify(line)),
  ];
  return `${lines.join("\n")}\n`;
}

const journalOf = (agentDir: string, id: string): string => join(agentDir, "sessions", id, "journal.jsonl");

/** Writes a session, last used so many seconds after 1970. */
function write(agentDir: string, id: string, text: string, used = 1000): void {
  writeText(journalOf(agentDir, id), text);
  utimesSync(journalOf(agentDir, id), used, used);
}

const listed = (agentDir: string): SessionSummary | undefined => {
  const [session] = listSessions(agentDir).sessions;
  return session?.state === "readable" ? session : undefined;
};

describe("the workspace of a session", () => {
  test("is where its last prompt with one ran; a list keeps it in the summary", () => {
    using agent = temporaryDirectory();
    write(agent.path, "main", talk(1, "/one") + talk(2, "/two") + talk(3));
    expect(listed(agent.path)?.workspace).toBe("/two");
    const kept: unknown = JSON.parse(readFileSync(join(agent.path, "sessions/main/summary.json"), "utf8"));
    expect(kept).toMatchObject({ figures: { workspace: "/two" } });
    appendFileSync(journalOf(agent.path, "main"), talk(4));
    expect(listed(agent.path)?.workspace).toBe("/two");
    appendFileSync(journalOf(agent.path, "main"), talk(5, "/three"));
    expect([listed(agent.path)?.workspace, sessionWorkspace(agent.path, "main")]).toStrictEqual(["/three", "/three"]);
  });

  test("is kept by the session's owner from the lines of the last prompt", () => {
    using agent = temporaryDirectory();
    const folder = join(agent.path, "sessions/main");
    const padding = `${JSON.stringify({ v: 1, prompt: 0, step: "agent:1", result: { a: "x".repeat(5000) } })}\n`;
    write(agent.path, "main", padding + talk(1, "/one"));
    keepSummary(folder);
    appendFileSync(journalOf(agent.path, "main"), talk(2, "/two"));
    keepSummary(folder);
    expect(readFileSync(join(folder, "summary.json"), "utf8")).toContain('"workspace":"/two"');
  });

  test.each([[undefined], [7], [{}]])("is absent where a journal says %j, and the session can be read", (workspace) => {
    using agent = temporaryDirectory();
    write(agent.path, "main", talk(1, workspace));
    expect(listed(agent.path)).toMatchObject({ prompts: 1, title: "Question 1" });
    expect(listed(agent.path)).not.toHaveProperty("workspace");
  });

  test("is journaled with links resolved when a prompt begins, survives /clear, and is none in the agent directory", async () => {
    using agent = agentDirectory();
    using elsewhere = temporaryDirectory();
    mkdirSync(join(elsewhere.path, "repository"));
    symlinkSync(join(elsewhere.path, "repository"), join(elsewhere.path, "link"));
    const inLink = { workspace: join(elsewhere.path, "link") };
    const open = await openScriptAgent(agent.path, [{ text: "One" }, { text: "Two" }], inLink);
    for await (const event of open.session().prompt("Hi")) void event;
    const repository = realpathSync(join(elsewhere.path, "repository"));
    expect(sessionWorkspace(agent.path, "main")).toBe(repository);
    await open.session().clear();
    expect(sessionWorkspace(agent.path, "main")).toBe(repository);
    for await (const event of open.session("other").prompt("Hi", { cwd: elsewhere.path })) void event;
    await open.close();
    expect(sessionWorkspace(agent.path, "other")).toBe(realpathSync(elsewhere.path));
    const { sessions } = await verifySessions(agent.path, { now: 0, isCheck: true });
    expect(sessions.map(({ state }) => state)).toStrictEqual(["ok", "ok"]);
    const home = await openScriptAgent(agent.path, [{ text: "Three" }]);
    for await (const event of home.session("home").prompt("Hi")) void event;
    await home.close();
    expect(sessionWorkspace(agent.path, "home")).toBeUndefined();
  });
});

test("the last session of a workspace is the newest that worked there last", () => {
  using agent = temporaryDirectory();
  write(agent.path, "a", talk(1, "/one"), 1000);
  write(agent.path, "b", talk(1, "/one") + talk(2, "/two"), 3000);
  write(agent.path, "c", talk(1, "/one"), 2000);
  write(agent.path, "d", talk(1), 4000);
  write(agent.path, "broken", '{"v":99}\n', 5000);
  expect([lastSession(agent.path, "/one"), lastSession(agent.path, "/two")]).toStrictEqual(["c", "b"]);
  expect(lastSession(agent.path, "/three")).toBeUndefined();
  expect(lastSession(agent.path)).toBe("broken");
});
