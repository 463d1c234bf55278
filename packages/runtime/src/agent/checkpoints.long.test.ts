import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Agent, AgentOptions } from "@mdx-ai/runtime";
import { deleteSession, type UndoResult, verifySessions } from "@mdx-ai/sessions";
import { MINIMAL_AGENT, writeFiles } from "../../../../test/support/agent-files.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import type { Reply } from "../../../../test/support/replies.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { draftName } from "../../../base/src/disk/drafts.ts";

type Call = NonNullable<Reply["calls"]>[number];

let callNumber = 0;
const call = (name: string, args: Call["arguments"]): Call => ({ id: `call_${++callNumber}`, name, arguments: args });
const write = (path: string, content: string): Call => call("write_file", { path, content });
const bash = (command: string): Call => call("bash", { command });

/** One prompt: calls, one turn each, and an answer. */
const prompt = (...calls: readonly Call[]): readonly Reply[] => [
  ...calls.map((one) => ({ calls: [one] })),
  { text: "done" },
];

const done: readonly Reply[] = prompt();

interface Ground {
  readonly agent: Agent;
  /** The workspace. */
  readonly work: string;
  readonly home: TemporaryDirectory;
}

/** Opens an agent in a workspace with these files, and runs prompts: `one`, `two`, … */
async function afterPrompts(
  home: TemporaryDirectory,
  prompts: readonly (readonly Reply[])[],
  options: Partial<AgentOptions> = {},
): Promise<Ground> {
  const agentDir = writeFiles(join(home.path, "agent"), { "agent.mdx": MINIMAL_AGENT });
  const work = join(home.path, "work");
  mkdirSync(work, { recursive: true });
  const agent = await openScriptAgent(agentDir, prompts.flat(), {
    workspace: work,
    cwd: work,
    permissions: { allowsAll: true },
    ...options,
  });
  const names = ["one", "two", "three", "four"];
  for (const [index] of prompts.entries()) await Array.fromAsync(agent.session().prompt(names[index] ?? ""));
  return { agent, work, home };
}

const JOURNAL = "agent/sessions/main/journal.jsonl";

/** Adds a line of the session itself to its journal. */
const addLine = (home: TemporaryDirectory, line: { readonly step: string; readonly result: unknown }): void =>
  appendFileSync(join(home.path, JOURNAL), `${JSON.stringify({ v: 1, prompt: 0, ...line })}\n`);

const read = (work: string, path: string): string => readFileSync(join(work, path), "utf8");

/** What became of each file, without the workspace's path. */
const outcomes = (taken: UndoResult | undefined, work: string): readonly string[] =>
  (taken?.files ?? []).map((file) => {
    const path = file.path.slice(work.length + 1);
    return file.outcome === "left" ? `${path}: ${file.reason}` : `${path} ${file.outcome}`;
  });

const inputs = async (agent: Agent): Promise<readonly string[]> =>
  (await agent.session().checkpoints()).map(({ prompt: number, input }) => `${number} ${input}`);

describe("undo", () => {
  test("restores what the last prompt's tools wrote, with its mode, and takes the prompt out of the conversation", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "work/old.sh": "echo old\n" });
    chmodSync(join(home.path, "work/old.sh"), 0o754);
    const { agent, work } = await afterPrompts(home, [
      prompt(write("first.txt", "1")),
      prompt(write("old.sh", "a"), write("old.sh", "b"), write("deep/new.txt", "n")),
    ]);
    const before = (await agent.session().messages()).length;
    expect((await agent.session().checkpoints())[1]?.files).toStrictEqual([
      { path: join(work, "deep/new.txt"), state: "restorable", isNew: true },
      { path: join(work, "old.sh"), state: "restorable" },
    ]);
    const taken = await agent.session().undo();
    expect(taken).toMatchObject({ to: 1, input: "two", commands: [] });
    expect(outcomes(taken, work)).toStrictEqual(["deep/new.txt removed", "old.sh restored"]);
    expect([read(work, "old.sh"), statSync(join(work, "old.sh")).mode & 0o777]).toEqual(["echo old\n", 0o754]);
    expect([existsSync(join(work, "deep/new.txt")), read(work, "first.txt")]).toEqual([false, "1"]);
    expect((await agent.session().messages()).length).toBeLessThan(before);
    expect(await inputs(agent)).toStrictEqual(["1 one"]);
    expect(outcomes(await agent.session().undo(), work)).toStrictEqual(["first.txt removed"]);
    expect(await agent.session().undo()).toBeUndefined();
    expect(await agent.session().messages()).toStrictEqual([]);
    await agent.close();
  });

  test("leaves a file that has changed since, unless it is forced", async () => {
    for (const force of [false, true]) {
      using home = temporaryDirectory();
      writeFiles(home.path, { "work/a.txt": "old", "work/b.txt": "old" });
      const { agent, work } = await afterPrompts(home, [prompt(write("a.txt", "new"), write("b.txt", "new"))]);
      const listed = async () => (await agent.session().checkpoints())[0]?.files.map(({ state }) => state);
      expect(await listed()).toStrictEqual(["restorable", "restorable"]);
      writeFileSync(join(work, "a.txt"), "by hand");
      expect(await listed()).toStrictEqual(["changed_since", "restorable"]);
      const taken = await agent.session().undo({ force });
      const [first = "", ...rest] = outcomes(taken, work);
      const [, kept] = /^a\.txt: it has changed since; its earlier content is in (.*)$/.exec(first) ?? [];
      expect(kept === undefined ? first : readFileSync(kept, "utf8")).toBe(force ? "a.txt restored" : "old");
      expect(rest).toStrictEqual(["b.txt restored"]);
      expect([read(work, "a.txt"), read(work, "b.txt")]).toEqual([force ? "old" : "by hand", "old"]);
      await agent.close();
    }
  });

  test("keeps no content that is too large or secret, and says so", async () => {
    using home = temporaryDirectory();
    const secret = "kept-by-the-user-0123456789";
    writeFiles(home.path, { "work/large.bin": "x".repeat(10 * 1024 * 1024 + 1), "work/.keys": `KEY=${secret}\n` });
    const { agent, work } = await afterPrompts(home, [prompt(write("large.bin", "new"), write(".keys", "new"))], {
      secrets: [secret],
    });
    expect((await agent.session().checkpoints())[0]?.files.map(({ state }) => state)).toStrictEqual([
      "not_kept",
      "not_kept",
    ]);
    expect(outcomes(await agent.session().undo(), work)).toStrictEqual([
      ".keys: its earlier content was not kept: it contained a secret",
      "large.bin: its earlier content was not kept: it was larger than 10 MB",
    ]);
    expect(existsSync(join(home.path, "agent/sessions/main/checkpoints"))).toBe(false);
    await agent.close();
  });

  test("keeps a content once, however often it is replaced, and removes it with the session", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "work/a": "same", "work/b": "same" });
    const { agent } = await afterPrompts(home, [
      prompt(write("a", "x"), write("b", "x")),
      prompt(write("a", "same"), write("b", "same")),
    ]);
    const folder = join(home.path, "agent/sessions/main/checkpoints");
    expect(readdirSync(folder).length).toBe(2);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await agent.close();
    const verification = await verifySessions(join(home.path, "agent"), { now: Date.now(), isCheck: true });
    expect(verification.sessions).toMatchObject([{ id: "main", state: "ok" }]);
    deleteSession(join(home.path, "agent"), "main", Date.now());
    expect(existsSync(folder)).toBe(false);
  });

  test("keeps of one prompt what was there before it and what others wrote meanwhile, not what it wrote itself", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "work/a.txt": "old" });
    const { agent, work } = await afterPrompts(home, [
      prompt(
        ...[write("a.txt", "1"), write("a.txt", "2"), write("new.txt", "1"), write("new.txt", "2")],
        ...[bash("printf other > a.txt"), call("read_file", { path: "a.txt" }), write("a.txt", "3")],
      ),
    ]);
    const folder = join(home.path, "agent/sessions/main/checkpoints");
    expect(
      readdirSync(folder)
        .map((name) => read(folder, name))
        .sort(),
    ).toStrictEqual(["old", "other"]);
    expect(outcomes(await agent.session().undo(), work)).toStrictEqual(["a.txt restored", "new.txt removed"]);
    expect(read(work, "a.txt")).toBe("old");
    await agent.close();
  });

  test("writes nothing where a link now leads elsewhere", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "work/in/a.txt": "old", "elsewhere/a.txt": "new" });
    const { agent, work } = await afterPrompts(home, [prompt(write("in/a.txt", "new"))]);
    renameSync(join(work, "in"), join(work, "moved"));
    symlinkSync(join(home.path, "elsewhere"), join(work, "in"));
    const [said] = outcomes(await agent.session().undo(), work);
    expect(said).toStartWith("in/a.txt: ");
    expect(read(home.path, "elsewhere/a.txt")).toBe("new");
    await agent.close();
  });

  test("restores nothing, and finishes nothing, in a session that programs of another user wrote", async () => {
    using home = temporaryDirectory();
    const prompts = [prompt(write("a.txt", "1")), prompt(write("b.txt", "2"))];
    const { agent, work } = await afterPrompts(home, prompts, { journalKey: "theirs" });
    await agent.close();
    addLine(home, { step: "undo:1", result: { to: 0, lastPrompt: 2, force: true } });
    const second = await openScriptAgent(join(home.path, "agent"), [], { journalKey: "mine" });
    expect(await second.session().checkpoints()).toMatchObject([{ files: [] }, { files: [] }]);
    expect(await second.session().undo({ force: true })).toMatchObject({ to: 1, input: "two", files: [] });
    expect([read(work, "a.txt"), read(work, "b.txt")]).toEqual(["1", "2"]);
    await second.close();
  });

  test("restores a content that was broken on disk and then kept again", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "work/a.txt": "old", "work/b.txt": "old" });
    const { agent, work } = await afterPrompts(home, [prompt(write("a.txt", "new"))]);
    await agent.close();
    const folder = join(home.path, "agent/sessions/main/checkpoints");
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "");
    const second = await openScriptAgent(join(home.path, "agent"), prompt(write("b.txt", "new")), {
      workspace: work,
      cwd: work,
      permissions: { allowsAll: true },
    });
    await Array.fromAsync(second.session().prompt("two"));
    expect(outcomes(await second.session().undo(), work)).toStrictEqual(["b.txt restored"]);
    expect(outcomes(await second.session().undo(), work)).toStrictEqual(["a.txt restored"]);
    await second.close();
  });

  test("names a file whose content could not be kept", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "work/a.txt": "old", "work/b.txt": "old" });
    const first = await afterPrompts(home, [prompt(write("a.txt", "new"))]);
    await first.agent.close();
    const folder = join(home.path, "agent/sessions/main/checkpoints");
    const [kept = ""] = readdirSync(folder);
    // As on a full disk: nothing can have that name.
    rmSync(join(folder, kept));
    mkdirSync(join(folder, kept, "full"), { recursive: true });
    const warnings: string[] = [];
    const { agent, work } = await afterPrompts(home, [prompt(write("b.txt", "new"))], {
      onWarning: (warning) => void warnings.push(warning),
    });
    expect(warnings.join("\n")).toContain("the content of a file could not be stored, so an undo cannot restore it: ");
    const taken = await agent.session().undo();
    expect(outcomes(taken, work).join("\n")).toStartWith("b.txt: its earlier content was not kept: ");
    expect(read(work, "b.txt")).toBe("new");
    await agent.close();
  });

  test("leaves a file whose record is damaged, even after later writes of the prompt", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "work/a.txt": "old", "work/b.txt": "old" });
    const { agent, work } = await afterPrompts(home, [
      prompt(write("a.txt", "1"), write("b.txt", "1"), write("a.txt", "2")),
    ]);
    const path = join(home.path, JOURNAL);
    writeFileSync(path, readFileSync(path, "utf8").replace(/("step":"file:1","result":).*/, "$1{}}"));
    expect(await agent.session().checkpoints()).toMatchObject([
      { files: [{ state: "not_kept" }, { state: "restorable" }] },
    ]);
    const taken = await agent.session().undo({ force: true });
    expect(outcomes(taken, work)).toStrictEqual([
      "a.txt: its earlier content was not kept: its record is damaged",
      "b.txt restored",
    ]);
    expect([read(work, "a.txt"), read(work, "b.txt")]).toEqual(["2", "old"]);
    await agent.close();
  });

  test("of a session in memory is refused", async () => {
    using home = temporaryDirectory();
    const { agent } = await afterPrompts(home, [prompt(write("a.txt", "new"))], { ephemeral: true });
    expect(agent.session().undo()).rejects.toThrow("not stored on disk");
    expect(await agent.session().checkpoints()).toStrictEqual([]);
    await agent.close();
  });
});

describe("rewind", () => {
  test("goes back to before any prompt of the conversation, which then continues from there", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "work/a.txt": "0" });
    const { agent, work } = await afterPrompts(home, [
      prompt(write("a.txt", "1")),
      prompt(write("a.txt", "2"), write("b.txt", "2")),
      prompt(write("a.txt", "3")),
      done,
    ]);
    const taken = await agent.session().rewind(2);
    expect(taken).toMatchObject({ to: 1, input: "two" });
    expect(outcomes(taken, work)).toStrictEqual(["a.txt restored", "b.txt removed"]);
    expect(read(work, "a.txt")).toBe("1");
    expect(agent.session().rewind(2)).rejects.toThrow("has no prompt 2");
    await agent.close();
    const second = await openScriptAgent(join(home.path, "agent"), prompt(write("a.txt", "5")).slice(), {
      workspace: work,
      permissions: { allowsAll: true },
    });
    await Array.fromAsync(second.session().prompt("five"));
    expect(await inputs(second)).toStrictEqual(["1 one", "5 five"]);
    expect(outcomes(await second.session().rewind(1), work)).toStrictEqual(["a.txt restored"]);
    expect(read(work, "a.txt")).toBe("0");
    await second.close();
  });
});

describe("what a command changed", () => {
  test.each([false, true])(
    "is listed by the command, and not restored; what a tool wrote is, forced: %p",
    async (force) => {
      using home = temporaryDirectory();
      writeFiles(home.path, { "work/a.txt": "old", "work/b.txt": "old", "work/c.txt": "old" });
      const command = "echo more >> b.txt; echo new > a.txt; rm c.txt; echo x > made.txt";
      const { agent, work } = await afterPrompts(
        home,
        [prompt(write("b.txt", "new"), write("c.txt", "new"), bash(command)), prompt(bash("cat a.txt"))],
        { sandbox: { mode: "off" } },
      );
      expect(await agent.session().checkpoints()).toMatchObject([
        { files: [{ state: "changed_since" }, { state: "changed_since" }], commands: [command] },
        { files: [], commands: ["cat a.txt"] },
      ]);
      const undone = await agent.session().rewind(1, { force });
      expect(undone?.commands).toStrictEqual([command, "cat a.txt"]);
      expect(outcomes(undone, work)).toEqual(
        ["b.txt", "c.txt"].map((name) =>
          force ? `${name} restored` : expect.stringMatching(new RegExp(`^${name}: it has changed since`)),
        ),
      );
      expect([read(work, "a.txt"), read(work, "b.txt")]).toEqual(["new\n", force ? "old" : "newmore\n"]);
      expect([existsSync(join(work, "c.txt")), existsSync(join(work, "made.txt"))]).toEqual([force, true]);
      await agent.close();
    },
  );

  test("is not listed of a command that did not run", async () => {
    using home = temporaryDirectory();
    const { agent } = await afterPrompts(home, [prompt(call("bash", { line: "touch a" }))]);
    expect(await agent.session().checkpoints()).toMatchObject([{ files: [], commands: [] }]);
    await agent.close();
  });
});

describe("a crash in the middle", () => {
  const many = Array.from({ length: 100 }, (_, index) => `file-${index}.txt`);

  const ground = async (home: TemporaryDirectory): Promise<string> => {
    writeFiles(home.path, Object.fromEntries(many.map((name) => [`work/${name}`, "old"])));
    const calls = many.map((name) => write(name, "new"));
    const { agent, work } = await afterPrompts(home, [done, [{ calls }, { text: "done" }]]);
    await agent.close();
    return work;
  };

  test("is finished by the next undo: every file is restored, and the prompt is gone", async () => {
    using home = temporaryDirectory();
    const work = await ground(home);
    const program = `
      const { openScriptAgent } = await import(${JSON.stringify(join(import.meta.dir, "../../../../test/support/script-agent.ts"))});
      const agent = await openScriptAgent(${JSON.stringify(join(home.path, "agent"))}, []);
      await agent.session().undo();`;
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: join(import.meta.dir, "../../../.."),
      stdio: ["ignore", "ignore", "inherit"],
    });
    await eventually(() => many.some((name) => read(work, name) === "old"));
    child.kill("SIGKILL");
    await child.exited;
    const second = await openScriptAgent(join(home.path, "agent"), []);
    // On a busy machine it may have ended before it was killed.
    if ((await inputs(second)).length === 2) expect(await second.session().undo()).toMatchObject({ to: 1 });
    expect(many.filter((name) => read(work, name) !== "old")).toStrictEqual([]);
    expect(await inputs(second)).toStrictEqual(["1 one"]);
    await second.close();
  });

  test("leaves drafts beside files that had not changed yet, and in the store: the next undo removes them", async () => {
    using home = temporaryDirectory();
    const { agent, work } = await afterPrompts(home, [prompt(write("a.txt", "1"), write("a/b.txt", "1"))]);
    await agent.close();
    const dead = Bun.spawn(["true"]);
    await dead.exited;
    const left = draftName(".b.txt").replace(`-${process.pid}-`, `-${dead.pid}-`);
    const store = join(home.path, "agent/sessions/main/checkpoints");
    mkdirSync(store);
    for (const folder of [join(work, "a"), store]) writeFileSync(join(folder, left), "");
    rmSync(join(work, "a/b.txt"));
    const second = await openScriptAgent(join(home.path, "agent"), []);
    expect(outcomes(await second.session().undo(), work)).toStrictEqual(["a.txt removed", "a/b.txt unchanged"]);
    expect([...readdirSync(join(work, "a")), ...readdirSync(store).filter((name) => name === left)]).toEqual([]);
    await second.close();
  });

  test("leaves some files restored and some not: these follow, and no other prompt is taken back", async () => {
    using home = temporaryDirectory();
    const work = await ground(home);
    const half = many.slice(0, many.length / 2);
    for (const name of half) writeFileSync(join(work, name), "old");
    addLine(home, { step: "undo:1", result: { to: 1, lastPrompt: 2, force: false } });
    const second = await openScriptAgent(join(home.path, "agent"), []);
    const taken = await second.session().undo();
    expect(taken?.to).toBe(1);
    const unchanged = outcomes(taken, work).filter((text) => text.endsWith(" unchanged"));
    expect(unchanged).toStrictEqual(half.map((name) => `${name} unchanged`).sort());
    expect(many.filter((name) => read(work, name) !== "old")).toStrictEqual([]);
    expect(await inputs(second)).toStrictEqual(["1 one"]);
    await second.close();
  });

  test("before a write gave its file the new content: what a tool had left there has not changed since", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "work/a.txt": "old", "work/b.txt": "old", "work/c.txt": "old" });
    const { agent, work } = await afterPrompts(home, [
      prompt(write("a.txt", "1"), write("b.txt", "1"), write("b.txt", "2"), write("c.txt", "1")),
      prompt(write("a.txt", "2"), write("c.txt", "2")),
    ]);
    writeFileSync(join(work, "a.txt"), "1");
    writeFileSync(join(work, "b.txt"), "1");
    writeFileSync(join(work, "c.txt"), "by hand");
    const states = (await agent.session().checkpoints()).map(({ files }) => files.map(({ state }) => state));
    expect(states).toStrictEqual([
      ["restorable", "restorable", "changed_since"],
      ["restorable", "changed_since"],
    ]);
    const [first, second, third] = outcomes(await agent.session().rewind(1), work);
    expect([first, second]).toStrictEqual(["a.txt restored", "b.txt restored"]);
    expect(third).toStartWith("c.txt: it has changed since");
    expect(["a.txt", "b.txt", "c.txt"].map((path) => read(work, path))).toStrictEqual(["old", "old", "by hand"]);
    await agent.close();
  });

  test("is not finished once another prompt has begun", async () => {
    using home = temporaryDirectory();
    const { agent, work } = await afterPrompts(home, [prompt(write("a.txt", "1")), done]);
    await agent.close();
    addLine(home, { step: "undo:1", result: { to: 0, lastPrompt: 1, force: false } });
    const second = await openScriptAgent(join(home.path, "agent"), []);
    expect(await second.session().undo()).toMatchObject({ to: 1, input: "two", files: [] });
    expect(read(work, "a.txt")).toBe("1");
    await second.close();
  });
});
