import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { writeFiles, writeText } from "../../../../test/support/agent-files.ts";
import { untilExists } from "../../../../test/support/eventually.ts";
import { requireProgram } from "../../../../test/support/require-program.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import type { Asked } from "../approval/approval-content.ts";
import { runCommit } from "./commit-command.ts";

const IDENTITY = {
  ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.com" },
  ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.com" },
};

/** A repository with these uncommitted files, its user, who works in a folder of it, and how the user answers. */
function repository(files: Readonly<Record<string, string>>, inner = "") {
  const folder = temporaryDirectory();
  const work = writeFiles(join(folder.path, "work"), files);
  const environment = { PATH: `${work}/bin:${process.env["PATH"]}`, HOME: folder.path, ...IDENTITY };
  const git = (...args: readonly string[]): string =>
    Bun.spawnSync([Bun.which("git") ?? "git", ...args], { cwd: work, env: environment }).stdout.toString();
  git("init", "--quiet", "--initial-branch=main");
  const asked: Asked[] = [];
  const commit = (message: string, answer: boolean | (() => boolean) = true, stop?: AbortSignal): Promise<string> =>
    runCommit(message, {
      folder: join(work, inner),
      environment,
      confirm: async (question) => {
        asked.push(question);
        return typeof answer === "boolean" ? answer : answer();
      },
      busyWith: (_activity, run) => run(stop ?? new AbortController().signal),
    });
  const subjects = (): string => git("log", "--format=%B");
  return { work, git, commit, asked, subjects, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe.skipIf(requireProgram("git"))("/commit", () => {
  test("shows the changes, asks, and commits them all with the message", async () => {
    using repo = repository({ "a.txt": "a", "sub/b.txt": "b" });
    expect(await repo.commit("Add both")).toContain("Add both");
    expect(repo.asked[0]?.content.title).toBe("Commit these changes in ~/work?");
    expect(repo.asked[0]?.content.lines.map(({ text }) => text)).toStrictEqual(["?? a.txt", "?? sub/"]);
    expect(repo.git("status", "--short")).toBe("");
    expect(repo.git("ls-files")).toBe("a.txt\nsub/b.txt\n");
  });

  test("runs nothing of the repository before the user has answered, and never a git that is in it", async () => {
    for (const inner of ["", "sub"]) {
      using repo = repository({ "a.txt": "a", "sub/b.txt": "b" }, inner);
      const ran = join(repo.work, "../ran");
      for (const name of ["bin/git", "ran.sh", ".git/hooks/post-index-change"]) {
        writeText(join(repo.work, name), `#!/bin/sh\ntouch "${ran}"; exit 1\n`);
        chmodSync(join(repo.work, name), 0o755);
      }
      repo.git("add", "a.txt");
      rmSync(ran, { force: true });
      // What is there is in the index, but with another time: git would write the index.
      utimesSync(join(repo.work, "a.txt"), 1, 1);
      repo.git("config", "core.fsmonitor", join(repo.work, "ran.sh"));
      expect(await repo.commit("Nothing", false)).toBe("Nothing was committed.");
      expect(existsSync(ran)).toBe(false);
    }
  });

  test("runs no filter of the repository's settings with any name before the user has answered, but runs the user's", async () => {
    using repo = repository({ "a.txt": "a", "b.txt": "b", "c.txt": "c", "own.txt": "own" });
    const ran = (name: string): string => join(repo.work, "..", name);
    const filters = { plain: "a.txt", "with=sign.clean": "b.txt", required: "c.txt" };
    repo.git("add", ".");
    for (const name of Object.keys(filters)) {
      repo.git("config", `filter.${name}.clean`, `touch '${ran("clean")}'; cat`);
      repo.git("config", `filter.${name}.process`, `touch '${ran("process")}'; false`);
      repo.git("config", `filter.${name}.required`, "true");
    }
    repo.git("config", "--global", "filter.mine.clean", `touch '${ran("mine")}'; cat`);
    const used = Object.entries({ ...filters, mine: "own.txt" });
    const attributes = used.map(([name, file]) => `${file} filter=${name}`);
    writeText(join(repo.work, ".gitattributes"), `${attributes.join("\n")}\n`);
    for (const name of ["a.txt", "b.txt", "c.txt", "own.txt"]) utimesSync(join(repo.work, name), 1, 1);
    expect(await repo.commit("Nothing", false)).toBe("Nothing was committed.");
    expect(["clean", "process", "mine"].filter((name) => existsSync(ran(name)))).toStrictEqual(["mine"]);
    for (const name of Object.keys(filters)) repo.git("config", "--unset", `filter.${name}.process`);
    await repo.commit("All");
    expect(existsSync(ran("clean"))).toBe(true);
  });

  test("fetches no object that a partial clone lacks, with a program of the repository's settings", async () => {
    using repo = repository({ "a.txt": "a" });
    await repo.commit("One");
    const tree = repo.git("rev-parse", "HEAD^{tree}").trim();
    rmSync(join(repo.work, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    const settings = {
      "core.repositoryformatversion": "1",
      "extensions.partialClone": "origin",
      "remote.origin.promisor": "true",
      "remote.origin.url": join(repo.work, "../other"),
      "remote.origin.uploadpack": "touch '../ran'; git-upload-pack",
    };
    for (const [name, value] of Object.entries(settings)) repo.git("config", name, value);
    await expect(repo.commit("Two", false)).rejects.toThrow("bad tree object");
    expect(repo.asked).toHaveLength(1);
    expect(existsSync(join(repo.work, "../ran"))).toBe(false);
    // The same without our precautions.
    repo.git("status");
    expect(existsSync(join(repo.work, "../ran"))).toBe(true);
  });

  test.each([
    `"; touch hacked; echo "`,
    "$(touch hacked) `touch hacked`",
    "-a --allow-empty",
    "'; touch hacked #",
    "two\n\nlines && touch hacked",
  ])("no shell reads the message %j", async (message) => {
    using repo = repository({ "a.txt": "a" });
    await repo.commit(message);
    expect(repo.subjects().trim()).toBe(message);
    expect(existsSync(join(repo.work, "hacked"))).toBe(false);
  });

  test("commits nothing without a message, without changes, after no, or if the files change while it asks", async () => {
    using repo = repository({ "a.txt": "a" });
    expect(await repo.commit("")).toContain("/commit MESSAGE");
    expect(await repo.commit("Add", false)).toBe("Nothing was committed.");
    const edit = (): boolean => {
      writeText(join(repo.work, "late.txt"), "late");
      return true;
    };
    expect(await repo.commit("Add", edit)).toContain("differ from those that were shown");
    expect(repo.subjects()).toBe("");
    await repo.commit("Add");
    expect(await repo.commit("Add again")).toBe("There is nothing to commit.");
    expect(repo.asked).toHaveLength(3);
  });

  test("shows at most twelve changes, and how many there are more", async () => {
    using repo = repository(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}.txt`, ""])));
    await repo.commit("Many", false);
    const lines = repo.asked[0]?.content.lines.map(({ text }) => text) ?? [];
    expect([lines.length, lines.at(-1)]).toStrictEqual([13, "… and 8 more"]);
  });

  test("runs the hooks of the repository, and shows why one refuses", async () => {
    using repo = repository({ "a.txt": "a" });
    const hook = join(repo.work, ".git/hooks/pre-commit");
    await Bun.write(hook, "#!/bin/sh\necho 'the tests fail' >&2\nexit 1\n");
    Bun.spawnSync(["chmod", "+x", hook]);
    await expect(repo.commit("Add")).rejects.toThrow(/git could not commit; .*exit code 1.*\nthe tests fail/);
    await Bun.write(hook, "#!/bin/sh\ntouch ran-outside\n");
    await repo.commit("Add");
    expect(existsSync(join(repo.work, "ran-outside"))).toBe(true);
  });

  test("is stopped with its hooks", async () => {
    using repo = repository({ "a.txt": "a" });
    const hook = join(repo.work, ".git/hooks/pre-commit");
    await Bun.write(hook, "#!/bin/sh\ntouch .git/begun\nsleep 600\n");
    Bun.spawnSync(["chmod", "+x", hook]);
    const stop = new AbortController();
    const committed = repo.commit("Add", true, stop.signal);
    await untilExists(join(repo.work, ".git/begun"));
    stop.abort();
    await expect(committed).rejects.toThrow("git was stopped");
    expect(repo.subjects()).toBe("");
  });

  test("says so outside of a repository", async () => {
    using repo = repository({ "a.txt": "a" });
    Bun.spawnSync(["rm", "-rf", join(repo.work, ".git")]);
    await expect(repo.commit("Add")).rejects.toThrow(/not a git repository/);
  });
});
