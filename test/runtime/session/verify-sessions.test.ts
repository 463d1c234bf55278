import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { listSessions, UnknownSessionError, verifySessions } from "@mdx-ai/runtime";
import { lockSession } from "../../../packages/runtime/src/session/session-lock.ts";
import { openStoredSession } from "../../../packages/runtime/src/session/stored-session.ts";
import { assistantMessage, toolResult } from "../../support/model-request.ts";
import { beginLine, beginOf } from "../../support/prompt-steps.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

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
  openStoredSession({ directory, id, now: () => 0, onWarning: () => {} }).close();
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
}

const replaceLine = (folder: string, number: number, text: string): void => {
  const path = join(folder, "journal.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, lines.toSpliced(number - 1, 1, ...(text === "" ? [] : [text])).join("\n"));
};

const old = (path: string): void => utimesSync(path, 1, 1);

const DRAFT = "5b0d0bd0-0000-4000-8000-000000000000";

const FAULTS: readonly Fault[] = [
  {
    name: "a line that cannot be read",
    strike: (folder) => replaceLine(folder, 5, "garbage"),
    found: ["line 5 of journal.jsonl cannot be read"],
    kept: ["journal.jsonl.damaged-2027-", "history.json.damaged-2027-"],
  },
  {
    name: "a lost result of a tool",
    strike: (folder) => replaceLine(folder, 3, ""),
    found: ["journal.jsonl lacks a line, such as results of tools"],
    kept: ["journal.jsonl.damaged-2027-", "history.json.damaged-2027-"],
  },
  {
    name: "an unfinished last line",
    strike: (folder) => appendFileSync(join(folder, "journal.jsonl"), '{"v":1,"pro'),
    found: ["the last line of journal.jsonl is unfinished"],
    kept: ["journal.jsonl.torn-"],
  },
  {
    name: "a folder in place of the history",
    strike: (folder) => {
      rmSync(join(folder, "history.json"));
      mkdirSync(join(folder, "history.json"), { mode: 0o700 });
    },
    found: ["history.json does not match the journal"],
    kept: ["history.json.damaged-2027-"],
  },
  {
    name: "a history that shows something else",
    strike: (folder) => writeFileSync(join(folder, "history.json"), "[]\n"),
    found: ["history.json does not match the journal"],
    kept: ["history.json.damaged-2027-"],
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
  {
    name: "a key that is another session's",
    strike: (folder) => writeFileSync(join(folder, "id"), "other\n", { mode: 0o600 }),
    found: ["the key in id is not this session's"],
  },
  {
    name: "a lock of a process that has ended",
    strike: (folder) => writeFileSync(join(folder, "lock"), "{}", { mode: 0o600 }),
    found: ["its lock belongs to a process that has ended; the next start takes it over"],
  },
  {
    name: "drafts that a crash left",
    strike: (folder) => {
      for (const name of [`history.json.${DRAFT}.tmp`, `lock.17-${DRAFT}`, `lock.dead-${DRAFT}`]) {
        writeFileSync(join(folder, name), "", { mode: 0o600 });
        old(join(folder, name));
      }
    },
    found: [`a crash left history.json.${DRAFT}.tmp, lock.17-${DRAFT}, lock.dead-${DRAFT}`],
  },
  {
    name: "prompts that go back",
    strike: (folder) => appendFileSync(join(folder, "journal.jsonl"), textOf(promptLines(1))),
    found: ["the journal goes back from prompt 2 to prompt 1"],
    kept: ["journal.jsonl.damaged-2027-", "history.json.damaged-2027-"],
  },
  {
    name: "turns that go back",
    strike: (folder) => {
      const [user, first, a, b, second, end] = promptLines(2);
      const lines = [...promptLines(1), user, second, first, a, b, end].flatMap((line) => line ?? []);
      writeFileSync(join(folder, "journal.jsonl"), textOf(lines));
    },
    found: ["the journal goes back from turn 2 to turn 1 of prompt 2"],
    kept: ["journal.jsonl.damaged-2027-", "history.json.damaged-2027-"],
  },
  {
    name: "two results of a step",
    strike: (folder) => appendFileSync(join(folder, "journal.jsonl"), textOf(promptLines(2).slice(-1))),
    found: ["the journal has two results of step end of prompt 2"],
    kept: ["journal.jsonl.damaged-2027-", "history.json.damaged-2027-"],
  },
  {
    name: "files that others can read",
    strike: (folder) => {
      chmodSync(folder, 0o755);
      chmodSync(join(folder, "journal.jsonl"), 0o640);
    },
    found: ["others can use main, journal.jsonl"],
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
    async ({ strike, found, kept = [] }) => {
      using agent = temporaryDirectory();
      const folder = makeSession(agent.path);
      strike(folder);
      const before = contents(folder);
      const looked = await verify(agent.path, { isCheck: true });
      expect(looked.sessions).toMatchObject([{ state: "repairable", found, left: found, kept: [] }]);
      expect(contents(folder)).toEqual(before);
      const { sessions } = await verify(agent.path);
      expect(sessions).toMatchObject([{ state: "repaired", prompts: 2, found, left: [] }]);
      expect(sessions[0]?.kept).toEqual(kept.map((name) => expect.stringContaining(name)));
      for (const name of sessions[0]?.kept ?? []) {
        const left = contents(folder).get(name) ?? "not there";
        expect([...before.values()].some((text) => text.endsWith(left))).toBe(true);
      }
      expect((await verify(agent.path)).sessions).toMatchObject([{ state: "ok" }]);
      expect(statSync(join(folder, "journal.jsonl")).mode & 0o777).toBe(0o600);
    },
  );

  test("puts doubled and reordered lines in order: the journal is what it was", async () => {
    using agent = temporaryDirectory();
    const folder = makeSession(agent.path);
    const path = join(folder, "journal.jsonl");
    const whole = readFileSync(path, "utf8");
    const view = readFileSync(join(folder, "history.json"), "utf8");
    const lines = whole.trimEnd().split("\n");
    const messes = [
      [...lines, ...lines],
      [...lines.slice(6), ...lines.slice(0, 6)],
      lines.flatMap((line) => [line, line]),
    ];
    for (const mess of messes) {
      writeFileSync(path, `${mess.join("\n")}\n`);
      expect((await verify(agent.path)).sessions).toMatchObject([{ state: "repaired", left: [] }]);
      expect(readFileSync(path, "utf8")).toBe(whole);
      expect(readFileSync(join(folder, "history.json"), "utf8")).toBe(view);
      expect((await verify(agent.path)).sessions).toMatchObject([{ state: "ok" }]);
    }
  });

  test("answers a call that has lost its result in the journal itself", async () => {
    using agent = temporaryDirectory();
    const folder = makeSession(agent.path);
    replaceLine(folder, 3, "");
    await verify(agent.path);
    expect(readFileSync(join(folder, "journal.jsonl"), "utf8")).toContain(
      "lost: the journal was damaged here; outcome unknown",
    );
  });

  test("leaves the drafts of processes alone that may still be at work", async () => {
    using agent = temporaryDirectory();
    const folder = makeSession(agent.path);
    const draft = join(folder, `lock.17-${DRAFT}`);
    writeFileSync(draft, "", { mode: 0o600 });
    utimesSync(draft, NOW / 1000, NOW / 1000);
    expect((await verify(agent.path)).sessions).toMatchObject([{ state: "ok" }]);
    expect(existsSync(draft)).toBe(true);
  });

  test("repairs the older journals of a long session, too", async () => {
    using agent = temporaryDirectory();
    const folder = makeSession(agent.path);
    cpSync(join(folder, "journal.jsonl"), join(folder, "journal-0001.jsonl"));
    writeFileSync(join(folder, "journal.jsonl"), textOf(promptLines(3)));
    openStoredSession({
      directory: join(agent.path, "sessions"),
      id: "main",
      now: () => 0,
      onWarning: () => {},
    }).close();
    appendFileSync(join(folder, "journal-0001.jsonl"), "garbage\n");
    expect((await verify(agent.path)).sessions).toMatchObject([
      { state: "repaired", prompts: 3, found: ["line 13 of journal-0001.jsonl cannot be read"] },
    ]);
    expect((await verify(agent.path)).sessions).toMatchObject([{ state: "ok", prompts: 3 }]);
  });

  test.each<[name: string, strike: (folder: string) => void, found: string]>([
    [
      "a line of a newer version",
      (folder) => replaceLine(folder, 2, '{"v":3}'),
      "journal.jsonl:2 was written by a newer version of mdx-ai",
    ],
    [
      "an empty journal beside a history",
      (folder) => writeFileSync(join(folder, "journal.jsonl"), ""),
      "journal.jsonl is empty, although history.json shows that there was a conversation",
    ],
    [
      "prompts that go back in an older journal",
      (folder) => {
        cpSync(join(folder, "journal.jsonl"), join(folder, "journal-0001.jsonl"));
        appendFileSync(join(folder, "journal-0001.jsonl"), textOf(promptLines(1)));
        writeFileSync(join(folder, "journal.jsonl"), textOf(promptLines(3)));
      },
      "the journal goes back from prompt 2 to prompt 1",
    ],
  ])("reports %s, which it cannot repair, and leaves it", async (_name, strike, found) => {
    using agent = temporaryDirectory();
    const folder = makeSession(agent.path);
    strike(folder);
    const before = contents(folder);
    expect((await verify(agent.path)).sessions).toMatchObject([
      { state: "broken", left: [expect.stringContaining(found)] },
    ]);
    expect(contents(folder)).toEqual(before);
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
    const open = () => openStoredSession({ directory, id: "main", now: () => 0, onWarning() {} });
    expect(open).toThrow(join(folder, found));
    for (const options of [{ isCheck: true }, {}, { id: "main" }]) {
      const { sessions } = await verify(agent.path, options);
      expect(sessions).toMatchObject([{ state: "broken", left: [expect.stringContaining(join(folder, found))] }]);
    }
    expect(contents(folder)).toEqual(before);
  });

  test("takes a file in place of the lock that is longer than memory for the lock of a process that has ended", async () => {
    using agent = temporaryDirectory();
    const lock = join(makeSession(agent.path), "lock");
    writeFileSync(lock, "", { mode: 0o600 });
    truncateSync(lock, 3 * 1024 ** 3);
    const found = ["its lock belongs to a process that has ended; the next start takes it over"];
    expect((await verify(agent.path, { isCheck: true })).sessions).toMatchObject([{ state: "repairable", found }]);
    expect((await verify(agent.path)).sessions).toMatchObject([{ state: "repaired", found }]);
    expect(existsSync(lock)).toBe(false);
  });

  test("only looks at one that a process uses, and says so", async () => {
    using agent = temporaryDirectory();
    const folder = makeSession(agent.path);
    replaceLine(folder, 5, "garbage");
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
  test("verifies all of them, whatever is wrong with one, or the one that is named", async () => {
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
  ])("names %s in place of a session's folder", async (_what, put, found) => {
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

  test("removes what crashes left of sessions that were made or deleted, and names links", async () => {
    using agent = temporaryDirectory();
    const folder = join(makeSession(agent.path), "..");
    for (const name of [`.deleted-${DRAFT}`, `.fork-${DRAFT}`]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "journal.jsonl"), "");
      old(join(folder, name));
    }
    chmodSync(folder, 0o755);
    const found = [`a crash left .deleted-${DRAFT}, .fork-${DRAFT}`, "others can use it"];
    expect((await verify(agent.path, { isCheck: true })).folder).toEqual({ state: "repairable", found, left: found });
    const named = `job.17-${DRAFT}.tmp`;
    old(makeSession(agent.path, named));
    expect((await verify(agent.path)).folder).toEqual({ state: "repaired", found, left: [] });
    expect(readdirSync(folder).sort()).toEqual([named, "main"]);
    symlinkSync(join(folder, "main"), join(folder, "linked"));
    expect((await verify(agent.path)).folder).toMatchObject({
      state: "broken",
      left: [expect.stringContaining("linked is a symbolic link")],
    });
  });
});
