import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";
import { withinBubblewrap } from "../support/within-bubblewrap.ts";

/** A home with an agent in `agent/`. */
function agentHome(): TemporaryDirectory {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  return home;
}

const agentArgs = (home: string, prompt: string, answer: string): string[] => {
  const model = scriptReference(home, [{ text: answer }]);
  return ["agent", "agent", "--trust", "--prompt", prompt, "--model", model];
};

const ask = (home: string, prompt: string, answer = `Answer to ${prompt}`): Promise<CliResult> =>
  runCommandLine(agentArgs(home, prompt, answer), { home });

/** What the user said, as the history of session main tells it. */
const said = (home: string): readonly string[] =>
  JSON.parse(readFileSync(join(home, "agent/sessions/main/history.json"), "utf8"))
    .filter(({ role }: { readonly role: string }) => role === "user")
    .map(({ content }: { readonly content: string }) => content);

/** One line for the user, and nothing of the program's insides. */
function expectOneLine({ stderr }: CliResult, text: RegExp): void {
  expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(text)]);
}

interface Fault {
  readonly name: string;
  /** What goes wrong, in the agent's folder. */
  readonly strike: (agent: string) => void;
  /** The one line that the next prompt ends with. */
  readonly error: RegExp;
  readonly undo: (agent: string) => void;
}

const aside = (...path: readonly string[]) => ({
  strike: (agent: string): void => renameSync(join(agent, ...path), join(agent, "..", "aside")),
  undo: (agent: string): void => {
    rmSync(join(agent, ...path), { recursive: true, force: true });
    renameSync(join(agent, "..", "aside"), join(agent, ...path));
  },
});

/** Something else stands in the place of a part of the session. */
const replaced = (path: readonly string[], put: (path: string) => void): Pick<Fault, "strike" | "undo"> => {
  const { strike, undo } = aside(...path);
  return {
    undo,
    strike(agent) {
      strike(agent);
      put(join(agent, ...path));
    },
  };
};

const file = (path: string): void => writeFileSync(path, "a file");
const emptyFile = (path: string): void => writeFileSync(path, "");
const folder = (path: string): void => void mkdirSync(path);
const link = (path: string): void => symlinkSync(join(path.slice(0, path.indexOf("/agent")), "aside"), path);

const MAIN = ["sessions", "main"] as const;
const JOURNAL = [...MAIN, "journal.jsonl"] as const;

const FAULTS: readonly Fault[] = [
  {
    name: "an empty journal",
    ...replaced(JOURNAL, emptyFile),
    error:
      /^mdx-ai: \S+journal\.jsonl is empty, but history\.json shows that there was a conversation; restore the file, or /,
  },
  {
    name: "a missing journal",
    ...aside(...JOURNAL),
    error:
      /^mdx-ai: \S+journal\.jsonl is missing, but history\.json shows that there was a conversation; restore the file, or /,
  },
  {
    name: "a folder in the journal's place",
    ...replaced(JOURNAL, folder),
    error: /^mdx-ai: cannot read \S+journal\.jsonl: there is a folder where a file should be \(EISDIR\); move it away/,
  },
  {
    name: "a file in the place of the session's folder",
    ...replaced(MAIN, file),
    error: /^mdx-ai: cannot use the session folder \S+: \S+main is a file where a folder should be; move it away/,
  },
  {
    name: "a file in the place of sessions/",
    ...replaced(["sessions"], file),
    error: /^mdx-ai: cannot use the session folder \S+: \S+sessions is a file where a folder should be; move it away/,
  },
  {
    name: "a folder in the lock's place",
    strike: (agent) => mkdirSync(join(agent, ...MAIN, "lock")),
    undo: (agent) => rmSync(join(agent, ...MAIN, "lock"), { recursive: true }),
    error: /^mdx-ai: cannot use the session folder \S+: \S+lock is a folder where a file should be; move it away/,
  },
  {
    name: "a link in the place of sessions/",
    ...replaced(["sessions"], link),
    error: /^mdx-ai: cannot use the session folder \S+: \S+sessions is a symbolic link, which is not followed/,
  },
  {
    name: "a journal of a newer version",
    strike: (agent) => appendFileSync(join(agent, ...JOURNAL), '{"v":3,"prompt":2,"step":"begin","result":1}\n'),
    undo(agent) {
      const path = join(agent, ...JOURNAL);
      writeFileSync(path, readFileSync(path, "utf8").replace(/\{"v":3.*\n/, ""));
    },
    error: /^mdx-ai: \S+journal\.jsonl:\d+ was written by a newer version of mdx-ai/,
  },
];

/** All files of a folder with their contents. */
const contents = (root: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, "latin1")]),
  );

describe.skipIf(requireProgram("bwrap"))("a fault of the disk", () => {
  test.each(FAULTS)(
    "$name: one clear line, exit code 1, nothing is written over, and all is well when it is gone",
    async (fault) => {
      using home = agentHome();
      const agent = join(home.path, "agent");
      expect(await ask(home.path, "One")).toMatchObject({ exitCode: 0 });
      const whole = contents(join(agent, "sessions"));
      fault.strike(agent);
      const struck = contents(agent);
      const result = await ask(home.path, "Two");
      expect([result.exitCode, result.stdout]).toEqual([1, ""]);
      expectOneLine(result, fault.error);
      const isLog = (path: string): boolean => path.startsWith(join(agent, "logs"));
      const left = [...contents(agent)].filter(([path]) => !isLog(path));
      expect(left).toEqual([...struck].filter(([path]) => !isLog(path)));
      fault.undo(agent);
      expect(contents(join(agent, "sessions"))).toEqual(whole);
      expect(await ask(home.path, "Three")).toMatchObject({ exitCode: 0, stdout: "Answer to Three\n" });
      expect(said(home.path)).toEqual(["One", "Three"]);
    },
  );

  test("a torn last line is cut off and kept, and the rest is used", async () => {
    using home = agentHome();
    expect(await ask(home.path, "One")).toMatchObject({ exitCode: 0 });
    appendFileSync(join(home.path, "agent", ...JOURNAL), '{"v":1,"prompt":2,"st');
    const result = await ask(home.path, "Two");
    expect(result).toMatchObject({ exitCode: 0, stdout: "Answer to Two\n" });
    expectOneLine(
      result,
      /^mdx-ai: warning: session main: the last line of journal\.jsonl is unfinished; it was moved to \S+journal\.jsonl\.torn-\d+$/,
    );
    expect(said(home.path)).toEqual(["One", "Two"]);
    expect(readdirSync(join(home.path, "agent", ...MAIN))).toContainEqual(
      expect.stringMatching(/^journal\.jsonl\.torn-\d+$/),
    );
    expect((await ask(home.path, "Three")).stderr).toBe("");
  });

  test("garbage in the middle is named at each start and left as it is, and the rest is used", async () => {
    using home = agentHome();
    expect(await ask(home.path, "One")).toMatchObject({ exitCode: 0 });
    const path = join(home.path, "agent", ...JOURNAL);
    const garbage = "\0\u0001garbage\n";
    writeFileSync(path, `${garbage}${readFileSync(path, "utf8")}`);
    for (const text of ["Two", "Three"]) {
      const result = await ask(home.path, text);
      expect(result).toMatchObject({ exitCode: 0, stdout: `Answer to ${text}\n` });
      expectOneLine(
        result,
        /^mdx-ai: warning: session main: line 1 of journal\.jsonl cannot be read; the session continues/,
      );
    }
    expect(said(home.path)).toEqual(["One", "Two", "Three"]);
    expect(readFileSync(path, "utf8")).toStartWith(garbage);
  });

  test.each(["state", "logs"])("of %s never stops the agent: a file or a link there is warned of", async (place) => {
    using home = agentHome();
    const path = join(home.path, "agent", place);
    writeFileSync(path, "a file");
    const blocked = await ask(home.path, "One");
    expect(blocked).toMatchObject({ exitCode: 0, stdout: "Answer to One\n" });
    expect(blocked.stderr).toContain("warning: ");
    expect(readFileSync(path, "utf8")).toBe("a file");
    rmSync(path);
    mkdirSync(join(home.path, "elsewhere"));
    symlinkSync(join(home.path, "elsewhere"), path);
    const linked = await ask(home.path, "Two");
    expect(linked).toMatchObject({ exitCode: 0, stdout: "Answer to Two\n" });
    expect(linked.stderr).toContain("is a symbolic link, which is not followed");
    expect(readdirSync(join(home.path, "elsewhere"))).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")(
    "a file-size limit ends the prompt with one clear line; what was said before is whole, and the prompt is finished later",
    async () => {
      using home = agentHome();
      expect(await ask(home.path, "One")).toMatchObject({ exitCode: 0 });
      const before = readFileSync(join(home.path, "agent", ...JOURNAL), "utf8");
      const command = cliCommand(agentArgs(home.path, "Two", "long ".repeat(20_000)));
      const child = Bun.spawn(["bash", "-c", 'ulimit -f 8; exec "$@"', "bash", ...command], {
        cwd: home.path,
        env: cliEnvironment({ home: home.path }),
        stderr: "pipe",
      });
      const stderr = await child.stderr.text();
      expect(await child.exited).toBe(1);
      expect(stderr).toMatch(
        /^mdx-ai: cannot write \S+journal\.jsonl, but earlier lines are not lost: the file may not grow further \(file-size limit\) \(EFBIG\); raise the limit, then try again$/m,
      );
      const after = readFileSync(join(home.path, "agent", ...JOURNAL), "utf8");
      expect(after.startsWith(before)).toBe(true);
      expect(after.endsWith("\n")).toBe(true);
      const resume = [
        "agent",
        "agent",
        "--trust",
        "--resume",
        "--model",
        scriptReference(home.path, [{ text: "Done." }]),
      ];
      expect(await runCommandLine(resume, { home: home.path })).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
      expect(said(home.path)).toEqual(["One", "Two"]);
    },
  );
});

describe.skipIf(requireProgram("bwrap"))("a disk", () => {
  test("that may not be written: one clear line, exit code 1, and all is as it was", async () => {
    using home = agentHome();
    const agent = join(home.path, "agent");
    expect(await ask(home.path, "One")).toMatchObject({ exitCode: 0 });
    const before = contents(agent);
    const command = cliCommand(agentArgs(home.path, "Two", "Answer"));
    const result = await withinBubblewrap(command, { home: home.path, changes: ["--ro-bind", agent, agent] });
    expect([result.exitCode, result.stdout]).toEqual([1, ""]);
    expect(result.stderr).toMatch(
      /^mdx-ai: cannot use the session folder \S+: the folder is read-only \(EROFS\); make it writable, then try again$/m,
    );
    expect(contents(agent)).toEqual(before);
    expect(await ask(home.path, "Two")).toMatchObject({ exitCode: 0 });
  });

  test("that fills up in the middle of a prompt: one clear line, all messages are whole, and the prompt is finished once there is space", async () => {
    using home = temporaryDirectory();
    const { path } = home;
    writeFiles(path, { "seed/agent.mdx": MINIMAL_AGENT });
    mkdirSync(join(path, "agent"));
    const quoted = (args: readonly string[]): string => args.map((word) => `'${word}'`).join(" ");
    const resume = ["agent", "agent", "--trust", "--resume", "--model", scriptReference(path, [{ text: "Done." }])];
    // All within one life of the small disk, which is the agent's folder. 40 kB are room for an input, not for the answer.
    const script = `
      cp -r seed/. agent
      run() { name=$1; shift; "$@" >$name.out 2>$name.err; echo $? >$name.code; cp -r agent/sessions $name.sessions; }
      run one ${quoted(cliCommand(agentArgs(path, "One", "Short")))}
      head -c 40000 /dev/zero >agent/room
      cat /dev/zero >agent/filler 2>/dev/null
      rm agent/room
      run two ${quoted(cliCommand(agentArgs(path, "Two", "long ".repeat(20_000))))}
      cat /dev/zero >>agent/filler 2>/dev/null
      run full ${quoted(cliCommand(agentArgs(path, "Three", "Never")))}
      rm agent/filler
      run three ${quoted(cliCommand(resume))}
    `;
    const changes = ["--size", "1000000", "--tmpfs", join(path, "agent")];
    await withinBubblewrap(["bash", "-c", script], { home: path, changes });
    const text = (name: string): string => readFileSync(join(path, name), "utf8").trimEnd();
    expect(["one", "two", "full", "three"].map((name) => text(`${name}.code`))).toEqual(["0", "1", "1", "0"]);
    expect(text("two.err")).toMatch(
      /^mdx-ai: cannot write \S+journal\.jsonl, but earlier lines are not lost: the disk is full \(ENOSPC\); make room, then try again$/m,
    );
    expect(text("full.err")).toMatch(/^mdx-ai: .*the disk is full \(ENOSPC\); make room, then try again$/m);
    const journal = (name: string): string => readFileSync(join(path, `${name}.sessions/main/journal.jsonl`), "utf8");
    expect(journal("two").startsWith(journal("one"))).toBe(true);
    expect(journal("three").startsWith(journal("two"))).toBe(true);
    expect(text("three.out")).toBe("Done.");
    const history = JSON.parse(readFileSync(join(path, "three.sessions/main/history.json"), "utf8"));
    expect(history.map(({ content }: { readonly content: string }) => content)).toEqual([
      "One",
      "Short",
      "Two",
      "Done.",
    ]);
    expect(existsSync(join(path, "three.sessions/main/lock"))).toBe(false);
  });

  test("that is full under a workspace: a large file is not replaced, the call fails, and no draft is left", async () => {
    using home = agentHome();
    const { path } = home;
    mkdirSync(join(path, "work"));
    const calls = [{ id: "call", name: "write_file", arguments: { path: "large.txt", content: "new ".repeat(2_000) } }];
    const model = scriptReference(path, [{ calls }, { text: "Done." }]);
    const words = ["agent", "agent", "--trust", "--workspace", "work", "--model", model, "--prompt", "go"];
    // What is kept for an undo takes longer than the disk needs to refuse the new content.
    const script = `
      head -c 9000000 /dev/zero | tr '\\0' a >work/large.txt
      cat /dev/zero >work/filler 2>/dev/null
      "$@"; code=$?
      ls -A work >listing; tr -d a <work/large.txt | wc -c >changed
      exit $code`;
    const changes = ["--size", "12000000", "--tmpfs", join(path, "work")];
    const command = ["bash", "-c", script, "bash", ...cliCommand(words)];
    const { exitCode, stdout, stderr } = await withinBubblewrap(command, { home: path, changes });
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 0, stdout: "Done.\n" });
    expect(stderr).toContain("no space is left on the disk");
    expect(readFileSync(join(path, "listing"), "utf8")).toBe("filler\nlarge.txt\n");
    expect(readFileSync(join(path, "changed"), "utf8").trim()).toBe("0");
  });
});
