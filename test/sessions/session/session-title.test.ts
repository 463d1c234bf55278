import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  discardUnused,
  forkSession,
  newSession,
  renameSession,
  sessionSummary,
  titleSession,
  UnknownSessionError,
  verifySessions,
} from "@mdx-ai/sessions";
import { agentDirectory } from "../../support/agent-directory.ts";
import { writeText } from "../../support/agent-files.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

/** An agent to whose session main somebody has said "Fix the login". */
async function talkedTo() {
  const agent = agentDirectory();
  const open = await openScriptAgent(agent.path, [{ text: "Done" }, { text: "Again" }]);
  for await (const event of open.session().prompt("Fix the login")) void event;
  return { agent, open };
}

const titleOf = (agentDir: string, id = "main"): string | undefined => {
  const summary = sessionSummary(agentDir, id);
  return summary.state === "readable" ? summary.title : undefined;
};

describe("the title of a session", () => {
  test("is the first prompt until a user gives one, while the session is open too; an empty one takes that back", async () => {
    const { agent, open } = await talkedTo();
    using directory = agent;
    expect(titleOf(directory.path)).toBe("Fix the login");
    const before = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8");
    expect(titleSession(directory.path, "main", "  Login\n and\u001b[31m more ")).toBe("Login and\u001b[31m more");
    expect(titleOf(directory.path)).toBe("Login and\u001b[31m more");
    // No model receives it.
    expect(readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8")).toBe(before);
    for await (const event of open.session().prompt("Go on")) void event;
    await open.close();
    expect(titleOf(directory.path)).toBe("Login and\u001b[31m more");
    expect(statSync(join(directory.path, "sessions/main/title")).mode & 0o777).toBe(0o600);
    const { sessions } = await verifySessions(directory.path, { now: 0, isCheck: true });
    expect(sessions.map(({ state }) => state)).toStrictEqual(["ok"]);
    expect(titleSession(directory.path, "main", " ")).toBe("");
    expect(titleOf(directory.path)).toBe("Fix the login");
  });

  test("goes with the session to its new id, and to a fork", async () => {
    const { agent, open } = await talkedTo();
    using directory = agent;
    await open.close();
    titleSession(directory.path, "main", "Login");
    await forkSession(directory.path, { from: "main", to: "fork", now: 0, onWarning() {} });
    renameSession(directory.path, { from: "main", to: "other", now: 0 });
    expect([titleOf(directory.path, "fork"), titleOf(directory.path, "other")]).toStrictEqual(["Login", "Login"]);
  });

  test("is cut to 80 characters, and never follows a link", async () => {
    const { agent, open } = await talkedTo();
    using directory = agent;
    await open.close();
    expect(titleSession(directory.path, "main", "x".repeat(500))).toBe(`${"x".repeat(79)}…`);
    titleSession(directory.path, "main", "");
    writeText(join(directory.path, "secret"), "secret");
    symlinkSync(join(directory.path, "secret"), join(directory.path, "sessions/main/title"));
    expect(titleOf(directory.path)).toBe("Fix the login");
    titleSession(directory.path, "main", "Login");
    expect(readFileSync(join(directory.path, "secret"), "utf8")).toBe("secret");
    expect(titleOf(directory.path)).toBe("Login");
  });

  test("is given to no session that is not there", () => {
    using directory = agentDirectory();
    expect(() => titleSession(directory.path, "main", "Login")).toThrow(UnknownSessionError);
  });
});

describe("a session without messages", () => {
  test("goes when it is discarded, and its id is not given again", async () => {
    using directory = agentDirectory();
    const id = newSession(directory.path, 0);
    const open = await openScriptAgent(directory.path, []);
    await open.session(id).messages();
    await open.close();
    discardUnused(directory.path, id, 0);
    expect(() => titleSession(directory.path, id, "x")).toThrow(UnknownSessionError);
    expect(newSession(directory.path, 0)).toBe(`${id.slice(0, -1)}2`);
  });

  test("stays if it has a title, and a session with a prompt or in use stays, too", async () => {
    const { agent, open } = await talkedTo();
    using directory = agent;
    const id = newSession(directory.path, 0);
    titleSession(directory.path, id, "Later");
    discardUnused(directory.path, id, 0);
    open.session("open").note({ name: "/info", input: "/info", output: "" });
    for (const kept of ["main", "open"]) discardUnused(directory.path, kept, 0);
    await open.close();
    discardUnused(directory.path, "main", 0);
    expect([titleOf(directory.path), titleOf(directory.path, id)]).toStrictEqual(["Fix the login", "Later"]);
    expect(statSync(join(directory.path, "sessions/open")).isDirectory()).toBe(true);
  });
});
