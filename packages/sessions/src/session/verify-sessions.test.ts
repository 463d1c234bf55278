import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { listSessions, openStoredSession, UnknownSessionError, verifySessions } from "@mdx-ai/sessions";
import { assistantMessage, toolResult } from "../../../../test/support/model-request.ts";
import { beginLine, beginOf } from "../../../../test/support/prompt-steps.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { lockSession } from "./session-folder.ts";

const NOW = 1_800_000_000_000;

/** The lines of a prompt in which two tools are called. */
const promptLines = (prompt: number): readonly object[] => {
  const call = (id: string) => ({ type: "toolCall", id, name: "look", arguments: {} }) as const;
  const steps: readonly (readonly [string, unknown])[] = [
    ["begin", beginOf(`Question ${prompt}`)],
    ["model:1", assistantMessage([call("a"), call("b")], { stopReason: "toolUse" })],
    ["tool:1:a", toolResult("a", "A")],
    ["tool:1:b", toolResult("b", "B")],
    ["model:2", assistantMessage([{ type: "text", text: `Answer ${prompt}` }])],
    ["end", { outcome: "done", at: 0 }],
  ];
  return steps.map(([step, result]) => ({ v: 1, prompt, step, result }));
};

const textOf = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** Makes a session of two prompts, as an agent leaves it, and gives its folder. */
function makeSession(agentDir: string, id = "main", lines = [...promptLines(1), ...promptLines(2)]): string {
  const directory = join(agentDir, "sessions");
  const folder = join(directory, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "journal.jsonl"), textOf(lines), { mode: 0o600 });
  openStoredSession({ directory, id, clock: { now: () => 0 }, onWarning: () => {} }).close();
  return folder;
}

const verify = (agentDir: string, options: { readonly id?: string; readonly isCheck?: boolean } = {}) =>
  verifySessions(agentDir, { now: NOW, isCheck: false, ...options });

const link = (path: string): void => symlinkSync(join(path, "../journal.jsonl"), path);
const file = (path: string): void => writeFileSync(path, "", { mode: 0o600 });
const folderAt = (path: string): void => void mkdirSync(path, { mode: 0o700 });
const pipe = (path: string): void => expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);

const contents = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { withFileTypes: true }).map((entry) => [
      entry.name,
      entry.isFile() ? readFileSync(join(folder, entry.name), "utf8") : "no file",
    ]),
  );

interface Fault {
  readonly name: string;
  /** What goes wrong in a session's folder. */
  readonly strike: (folder: string) => void;
  readonly found: readonly string[];
  /** The beginnings of the names of what is kept. */
  readonly kept?: readonly string[];
  /** Default 2. */
  readonly prompts?: number;
}

const replaceLine = (folder: string, number: number, text: string): void => {
  const path = join(folder, "journal.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, lines.toSpliced(number - 1, 1, ...(text === "" ? [] : [text])).join("\n"));
};

const FAULTS: readonly Fault[] = [
  {
    name: "an unfinished last line",
    strike: (folder) => appendFileSync(join(folder, "journal.jsonl"), '{"v":1,"pro'),
    found: ["the last line of journal.jsonl is unfinished"],
    kept: ["journal.jsonl.torn-"],
  },
  {
    name: "a history that shows something else",
    strike: (folder) => writeFileSync(join(folder, "history.json"), "[]\n"),
    found: ["history.json does not match the journal"],
  },
  {
    name: "a last prompt that has lost its beginning",
    strike: (folder) => appendFileSync(join(folder, "journal.jsonl"), textOf(promptLines(3).slice(1, 2))),
    found: ["prompt 3 has no beginning that can be read, so it can only be closed"],
    prompts: 3,
  },
  {
    name: "a summary that shows something else",
    strike: (folder) => {
      listSessions(join(folder, "../.."));
      const path = join(folder, "summary.json");
      writeFileSync(path, readFileSync(path, "utf8").replace("Question 1", "Something else"));
    },
    found: ["summary.json does not match the journal"],
  },
  {
    name: "a summary that cannot be read",
    strike: (folder) => writeFileSync(join(folder, "summary.json"), "garbage", { mode: 0o600 }),
    found: ["summary.json does not match the journal"],
  },
];

describe("verifying a session", () => {
  test("finds nothing in one that is as an agent leaves it, and changes nothing", async () => {
    using agent = temporaryDirectory();
    const folder = makeSession(agent.path);
    const before = contents(folder);
    expect(await verify(agent.path)).toStrictEqual({
      folder: { state: "ok", found: [], left: [] },
      sessions: [{ id: "main", state: "ok", prompts: 2, isUnfinished: false, found: [], left: [], kept: [] }],
    });
    expect(contents(folder)).toEqual(before);
  });

  test.each(FAULTS)(
    "finds $name, only looks where that is asked for, and repairs it",
    async ({ strike, found, kept = [], prompts = 2 }) => {
      using agent = temporaryDirectory();
      const folder = makeSession(agent.path);
      strike(folder);
      const before = contents(folder);
      const looked = await verify(agent.path, { isCheck: true });
      expect(looked.sessions).toMatchObject([{ state: "repairable", found, left: found, kept: [] }]);
      expect(contents(folder)).toEqual(before);
      const { sessions } = await verify(agent.path);
      expect(sessions).toMatchObject([{ state: "repaired", prompts, found, left: [] }]);
      expect(sessions[0]?.kept).toEqual(kept.map((name) => expect.stringContaining(name)));
      for (const name of sessions[0]?.kept ?? []) {
        const left = contents(folder).get(name) ?? "not there";
        expect([...before.values()].some((text) => text.endsWith(left))).toBe(true);
      }
      expect((await verify(agent.path)).sessions).toMatchObject([{ state: "ok" }]);
      expect(statSync(join(folder, "journal.jsonl")).mode & 0o777).toBe(0o600);
    },
  );

  test.each<[name: string, strike: (folder: string) => void, found: string]>([
    [
      "a line that cannot be read",
      (folder) => replaceLine(folder, 5, "garbage"),
      "line 5 of journal.jsonl cannot be read",
    ],
    [
      "a line of an older journal that cannot be read",
      (folder) => {
        cpSync(join(folder, "journal.jsonl"), join(folder, "journal-0001.jsonl"));
        appendFileSync(join(folder, "journal-0001.jsonl"), "garbage\n");
        writeFileSync(join(folder, "journal.jsonl"), textOf(promptLines(3)));
      },
      "line 13 of journal-0001.jsonl cannot be read",
    ],
    [
      "a lost result of a tool",
      (folder) => replaceLine(folder, 3, ""),
      "the journal lacks the result of step tool:1:a of prompt 1",
    ],
    [
      "prompts that go back",
      (folder) => appendFileSync(join(folder, "journal.jsonl"), textOf(promptLines(1))),
      "line 13 of journal.jsonl goes back from prompt 2 to prompt 1",
    ],
    [
      "files that others can read",
      (folder) => {
        chmodSync(folder, 0o755);
        chmodSync(join(folder, "journal.jsonl"), 0o640);
      },
      "others can use main, journal.jsonl; to change that, run: chmod -R go= ",
    ],
    [
      "a line of a newer version",
      (folder) => replaceLine(folder, 2, '{"v":3}'),
      "journal.jsonl:2 was written by a newer version of mdx-ai",
    ],
    [
      "an empty journal beside a history",
      (folder) => writeFileSync(join(folder, "journal.jsonl"), ""),
      "journal.jsonl is empty, but history.json shows that there was a conversation",
    ],
  ])("reports %s, which it cannot repair, and leaves it", async (_name, strike, found) => {
    using agent = temporaryDirectory();
    const folder = makeSession(agent.path);
    strike(folder);
    const before = contents(folder);
    const { sessions } = await verify(agent.path, { isCheck: true });
    expect(sessions).toMatchObject([{ state: "broken" }]);
    expect(sessions[0]?.left.join("\n")).toContain(found);
    expect(contents(folder)).toEqual(before);
    await verify(agent.path);
    expect(contents(folder).get("journal.jsonl")).toEqual(before.get("journal.jsonl"));
    expect((await verify(agent.path)).sessions).toMatchObject([
      { state: "broken", left: [expect.stringContaining(found)] },
    ]);
  });

  test.each<[what: string, path: string, put: (path: string) => void, found: string]>([
    ["a link in place of the archive", "archive", link, "archive is a symbolic link"],
    ["a link in place of the history", "history.json", link, "history.json is a symbolic link"],
    [
      "a link that leads nowhere",
      "history.json",
      (path) => symlinkSync("/nowhere", path),
      "history.json is a symbolic link",
    ],
    ["a file in place of the archive", "archive", file, "archive is a file where a folder should be"],
    ["a folder in place of the lock", "lock", folderAt, "lock is a folder where a file should be"],
    ["a pipe in place of the lock", "lock", pipe, "lock is a pipe, a device or the like where a file should be"],
  ])("reports %s by name, as opening refuses it, and leaves it", async (_what, name, put, found) => {
    using agent = temporaryDirectory();
    const folder = makeSession(agent.path);
    rmSync(join(folder, name), { force: true });
    put(join(folder, name));
    const before = contents(folder);
    const directory = join(agent.path, "sessions");
    const open = () => openStoredSession({ directory, id: "main", clock: { now: () => 0 }, onWarning() {} });
    expect(open).toThrow(join(folder, found));
    for (const options of [{ isCheck: true }, {}, { id: "main" }]) {
      const { sessions } = await verify(agent.path, options);
      expect(sessions).toMatchObject([{ state: "broken", left: [expect.stringContaining(join(folder, found))] }]);
    }
    expect(contents(folder)).toEqual(before);
  });

  test("only looks at one that a process uses, and says so", async () => {
    using agent = temporaryDirectory();
    const folder = makeSession(agent.path);
    writeFileSync(join(folder, "summary.json"), "garbage", { mode: 0o600 });
    appendFileSync(join(folder, "journal.jsonl"), textOf(promptLines(3).slice(1, 2)));
    const lock = lockSession(join(folder, "lock"), "main", 0);
    const before = contents(folder);
    expect((await verify(agent.path)).sessions).toMatchObject([
      { state: "repairable", holder: `process ${process.pid} since 1970-01-01T00:00:00Z` },
    ]);
    expect(contents(folder)).toEqual(before);
    lock.release();
  });

  test("reports a last prompt without an end, which is no damage", async () => {
    using agent = temporaryDirectory();
    makeSession(agent.path, "main", [beginLine(1, "cut short")]);
    expect((await verify(agent.path)).sessions).toMatchObject([{ state: "ok", prompts: 1, isUnfinished: true }]);
  });
});

describe("verifying the sessions of an agent", () => {
  test("verifies all of them, even if one is damaged, or the named one", async () => {
    using agent = temporaryDirectory();
    makeSession(agent.path, "b");
    makeSession(agent.path, "a");
    writeFileSync(join(makeSession(agent.path, "c"), "journal.jsonl"), '{"v":3}\n');
    mkdirSync(join(agent.path, "sessions/no id"), { mode: 0o700 });
    const { sessions } = await verify(agent.path);
    expect(sessions.map(({ id, state }) => `${id}: ${state}`)).toEqual([
      "a: ok",
      "b: ok",
      "c: broken",
      "no id: broken",
    ]);
    expect((await verify(agent.path, { id: "b" })).sessions.map(({ id }) => id)).toEqual(["b"]);
    expect(verify(agent.path, { id: "d" })).rejects.toThrow(UnknownSessionError);
  });

  test("is done at once where there are none", async () => {
    using agent = temporaryDirectory();
    expect(await verify(agent.path)).toStrictEqual({ folder: { state: "ok", found: [], left: [] }, sessions: [] });
  });

  test.each<[what: string, put: (path: string) => void, found: string]>([
    ["a file", file, "main is a file where a folder should be"],
    ["a pipe", pipe, "main is a pipe, a device or the like where a folder should be"],
  ])("names %s instead of a session's folder", async (_what, put, found) => {
    using agent = temporaryDirectory();
    const sessions = join(makeSession(agent.path, "other"), "..");
    put(join(sessions, "main"));
    const text = expect.stringContaining(join(sessions, found));
    for (const isCheck of [true, false]) {
      expect(await verify(agent.path, { isCheck })).toMatchObject({
        folder: { state: "broken", found: [text], left: [text] },
        sessions: [{ id: "other", state: "ok" }],
      });
    }
    await expect(verify(agent.path, { id: "main" })).rejects.toThrow(found);
  });

  test("names links, and folders that others can use", async () => {
    using agent = temporaryDirectory();
    const folder = join(makeSession(agent.path), "..");
    chmodSync(folder, 0o755);
    symlinkSync(join(folder, "main"), join(folder, "linked"));
    expect((await verify(agent.path)).folder).toMatchObject({
      state: "broken",
      left: [expect.stringContaining("linked is a symbolic link"), expect.stringContaining("others can use it")],
    });
  });
});
