import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { openDirectory, type PreparedRun, plainRun, prepareRun, type RunOptions } from "@mdx-ai/directory";
import { type AgentSettings, readAgentDirectory } from "@mdx-ai/parser";
import { sessionWorkspace } from "@mdx-ai/sessions";
import { MINIMAL_AGENT, writeFiles, writeText } from "../../support/agent-files.ts";
import { surroundingsIn } from "../../support/front-end.ts";
import { assistantMessage } from "../../support/model-request.ts";
import { beginLine } from "../../support/prompt-steps.ts";
import { scriptReference } from "../../support/replies.ts";
import { cliCommand } from "../../support/run-cli.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** A user with an agent and two repositories. */
function home(settings: Pick<AgentSettings, "workspace"> = {}) {
  const folder = temporaryDirectory();
  const path = writeFiles(join(folder.path, "agent"), { "agent.mdx": MINIMAL_AGENT });
  const places = ["one", "two"].map((name) => join(realpathSync(folder.path), name));
  const [one = "", two = ""] = places;
  for (const place of places) mkdirSync(place);
  const frontEnd = surroundingsIn(folder.path);
  const place = async (run: Partial<RunOptions>): Promise<PreparedRun> => {
    const { definition, ...directory } = await readAgentDirectory(path);
    const changed = { ...directory, definition: { ...definition, settings: { ...definition.settings, ...settings } } };
    return prepareRun({ ...plainRun("agent", folder.path), ...run }, changed, frontEnd);
  };
  const notes = (): readonly string[] => frontEnd.notices.flatMap((notice) => ("text" in notice ? notice.text : []));
  return { path, home: folder.path, one, two, place, notes, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** Writes a session whose prompt ran in a workspace. */
function write(agentDir: string, id: string, workspace: string): void {
  const answer = assistantMessage([{ type: "text", text: "Answer" }]);
  const lines = [
    beginLine(1, "Question", { workspace }),
    { v: 1, prompt: 1, step: "model:1", result: answer },
    { v: 1, prompt: 1, step: "end", result: { outcome: "done", at: 2 } },
  ];
  writeText(join(agentDir, "sessions", id, "journal.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const DAY = /^\d{4}-\d\d-\d\d_/;

describe("the session of a run", () => {
  test("is a new one at each start in a workspace", async () => {
    using user = home();
    const runs = [await user.place({ workspace: user.one }), await user.place({ workspace: user.one })];
    expect(runs.map(({ session, isNewSession }) => [DAY.test(session ?? ""), isNewSession])).toStrictEqual([
      [true, true],
      [true, true],
    ]);
    expect(runs[0]?.session).not.toBe(runs[1]?.session);
  });

  test("is a new one, too, where the directory says that its agent works where the user is", async () => {
    using user = home({ workspace: "cwd" });
    expect(await user.place({ cwd: user.one })).toMatchObject({ isNewSession: true });
    expect(await user.place({ cwd: user.path })).not.toHaveProperty("session");
  });

  test.each<[name: string, run: Partial<RunOptions>]>([
    ["without a workspace", {}],
    ["without a workspace, to resume", { isResumed: true }],
    ["without a workspace, to continue, before the first session", { isContinued: true }],
    ["of an ephemeral agent", { workspace: "/", isEphemeral: true }],
  ])("is the default one %s", async (_name, run) => {
    using user = home();
    expect(await user.place(run)).toMatchObject({ isNewSession: false });
    expect(await user.place(run)).not.toHaveProperty("session");
    expect(user.notes()).toStrictEqual([]);
  });

  test("is the default one where the agent directory is the workspace", async () => {
    using user = home();
    expect(await user.place({ workspace: user.path })).not.toHaveProperty("session");
  });

  test.each(["isContinued", "isResumed"] as const)("with %s is the newest of the workspace", async (way) => {
    using user = home();
    write(user.path, "here", user.one);
    write(user.path, "there", user.two);
    expect(await user.place({ workspace: user.one, [way]: true })).toMatchObject({
      session: "here",
      isNewSession: false,
    });
    expect(await user.place({ workspace: user.two, [way]: true })).toMatchObject({
      session: "there",
      isNewSession: false,
    });
    expect(user.notes()).toStrictEqual([]);
    expect(await user.place({ workspace: user.home, [way]: true })).toMatchObject({ isNewSession: true });
    expect(user.notes()).toStrictEqual(["no session of this workspace yet; starting a new one"]);
  });

  test("may have worked elsewhere: a note says so", async () => {
    using user = home();
    write(user.path, "there", user.two);
    expect(await user.place({ workspace: user.one, session: "there" })).toMatchObject({ session: "there" });
    expect(await user.place({ session: "there" })).toMatchObject({ session: "there" });
    expect(await user.place({ workspace: user.two, session: "there" })).toMatchObject({ session: "there" });
    expect(user.notes()).toStrictEqual([
      `session there has worked in ${user.two}; from now on it works in ${user.one}`,
      `session there has worked in ${user.two}; from now on it works in the agent directory`,
    ]);
  });
});

test("a directory that is opened in a workspace has a new session of it, which is removed if nothing is said", async () => {
  using user = home();
  const open = () =>
    openDirectory("agent", {
      frontEnd: { ...surroundingsIn(user.home), toolHostCommand: cliCommand(["__tool-host"]) },
      run: { isTrusted: true, workspace: user.one, flags: { model: scriptReference(user.home, [{ text: "Hi" }]) } },
    });
  const unused = await open();
  await unused.agent.session().messages();
  await unused.close();
  const used = await open();
  for await (const event of used.agent.session().prompt("Hello")) void event;
  await used.close();
  expect(used.session).not.toBe(unused.session);
  expect(sessionWorkspace(user.path, used.session)).toBe(user.one);
  expect(readdirSync(join(user.path, "sessions")).sort()).toStrictEqual([".ids", used.session]);
});
