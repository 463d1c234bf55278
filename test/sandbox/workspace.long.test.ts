import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeText } from "../support/agent-files.ts";
import { packageRegistry } from "../support/package-registry.ts";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench, type SandboxBench, type SandboxBenchOptions } from "../support/sandbox-bench.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a.test", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@a.test" },
};

interface Workbench extends SandboxBench {
  /** The workspace. */
  readonly work: string;
  git(folder: string, ...words: readonly string[]): string;
}

interface WorkbenchOptions extends SandboxBenchOptions {
  /** Files of the home folder, made before the workspace becomes a repository of git. */
  readonly around?: Readonly<Record<string, string>>;
  /** Runs before the sandbox is made. */
  readonly before?: (bench: Pick<Workbench, "git" | "work" | "home">) => void;
  /** The folder that becomes a repository of git; else the workspace. None if empty. */
  readonly repository?: string;
}

/** A sandbox over an agent and a workspace, which is `work` in the home folder unless said otherwise. */
function openWorkbench({ around = {}, before, ...options }: WorkbenchOptions = {}): Workbench {
  const { workspace = "work", repository = workspace } = options;
  const bench = openSandboxBench({ environment: AUTHOR, ...options, workspace });
  const { home } = bench;
  const git = (folder: string, ...words: readonly string[]): string =>
    execFileSync("git", ["-C", join(home, folder), "-c", "protocol.file.allow=always", ...words], {
      env: { PATH: process.env["PATH"], HOME: home, ...AUTHOR },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  for (const [path, text] of Object.entries(around)) writeText(join(home, path), text);
  if (repository !== "") {
    git(repository, "init", "-q", "-b", "main");
    git(repository, "add", "-A");
    git(repository, "commit", "-q", "--allow-empty", "-m", "first");
  }
  const work = join(home, workspace);
  before?.({ git, work, home });
  return { ...bench, work, git };
}

const withoutTools = requireProgram("bwrap") || requireProgram("git");

describe.skipIf(withoutTools)("a workspace", () => {
  test("is written by commands, which commit in it with git and run its tests", async () => {
    await using bench = openWorkbench({
      around: {
        "work/package.json": '{"scripts":{"test":"node -p 1+1"}}',
        "work/sum.test.js": 'import { expect, test } from "bun:test"; test("sum", () => expect(1 + 1).toBe(2));',
      },
    });
    const commit =
      "echo 1 > new.txt; git add -A && git commit -qm second && git switch -qc other && git status --short";
    const { text } = await bench.bash(`pwd; ${commit}; ${process.execPath} test; npm test; ls .git/hooks | head -1`);
    expect(text).toContain(`${bench.work}\n`);
    expect(text).toContain("1 pass");
    if (!requireProgram("npm")) expect(text).toContain("\n2\n");
    expect(text).not.toContain("[the sandbox");
    expect(bench.git("work", "log", "--format=%s", "other")).toBe("second\nfirst\n");
  });

  test("of an agent that is in it, around it or elsewhere, and the agent stays protected", async () => {
    await using inside = openWorkbench({ agent: "work/agents/one" });
    await inside.bash(
      `cd ${inside.directory}; echo 1 > agent.mdx; mkdir skills; echo 1 > ../../free.txt; mv ../../agents ../../x`,
    );
    await inside.close();
    expect(readFileSync(join(inside.directory, "agent.mdx"), "utf8")).toBe("the definition");
    expect(existsSync(join(inside.directory, "skills"))).toBeFalse();
    expect(existsSync(join(inside.work, "free.txt"))).toBeTrue();

    await using around = openWorkbench({ agent: "agent", workspace: "agent/out" });
    await around.bash("echo 1 > free.txt; echo 1 > ../agent.mdx; echo 1 > .git/config; touch .envrc");
    await around.close();
    expect(readFileSync(join(around.directory, "agent.mdx"), "utf8")).toBe("the definition");
    expect(readFileSync(join(around.work, ".git/config"), "utf8")).toContain("[core]");
    expect(readdirSync(around.work).toSorted()).toStrictEqual([".git", "free.txt"]);
  });

  test("is written by tools of the agent that declare no files, with the same limits", async () => {
    await using bench = openWorkbench();
    const body =
      'await Bun.write("a.txt", "1"); await Bun.write(".git/hooks/pre-commit", "1").catch(() => {}); return process.cwd();';
    expect((await bench.tool(body)).text).toBe(bench.work);
    expect(existsSync(join(bench.work, "a.txt"))).toBeTrue();
    expect(existsSync(join(bench.work, ".git/hooks/pre-commit"))).toBeFalse();
    const narrow = await bench.tool(`await Bun.write("${bench.work}/b.txt", "1"); return "written";`, {
      files: { read: [], write: ["out/*"] },
    });
    expect(narrow.isError).toBeTrue();
    expect(existsSync(join(bench.work, "b.txt"))).toBeFalse();
  });

  test.each([
    [
      "settings that git replaces",
      "git switch -c t origin/main; git branch --show-current",
      [".git/config: Device or resource busy", "\nt\n"],
      [".git/config"],
    ],
    [
      "files that another branch does not have",
      "git switch -q none; git status --short",
      ["?? .envrc"],
      [".envrc", ".gitmodules"],
    ],
    [
      "settings that git replaces in a folder of the work tree",
      "mkdir sub; cd sub; git branch -u origin/main; echo after",
      ["set up to track", "\nafter\n", "\n[git's settings did not change, even if git says so after that error]"],
      [".git/config"],
    ],
    ["a file that python removes", "python3 -c 'import os; os.remove(\".envrc\")'", ["[Errno 16]"], [".envrc"]],
    ["a file that is renamed", "mv .envrc other", ["Device or resource busy"], [".envrc"]],
  ])("keeps protected files in place, and names them: %s", async (_name, command, shown, kept) => {
    await using bench = openWorkbench({
      around: { "work/.envrc": "a", "work/.gitmodules": "" },
      before: ({ git, home }) => {
        git("work", "branch", "none");
        git("work", "clone", "-q", ".", join(home, "other"));
        git("work", "remote", "add", "origin", join(home, "other"));
        git("work", "fetch", "-q", "origin");
        git("work", "switch", "-q", "none");
        git("work", "rm", "-q", ".envrc", ".gitmodules");
        git("work", "commit", "-q", "-m", "second");
        git("work", "switch", "-q", "main");
      },
    });
    const { text } = await bench.bash(command);
    for (const part of shown) expect(text).toContain(part);
    const paths = kept.map((path) => join(bench.work, path)).join(", ");
    expect(text).toContain(`[the sandbox prevented writing ${paths}: it lets`);
    expect(readFileSync(join(bench.work, ".envrc"), "utf8")).toBe("a");
    expect(readFileSync(join(bench.work, ".git/config"), "utf8")).not.toContain("[branch");
  });

  test("says nothing of the sandbox where something else is busy", async () => {
    await using bench = openWorkbench();
    const { text } = await bench.bash("echo \"rm: cannot remove 'free': Device or resource busy\"; exit 1");
    expect(text).not.toContain("[the sandbox");
  });

  test("hides its files of variables, and what the user denies", async () => {
    await using bench = openWorkbench({
      around: {
        "work/.env": "KEY=1",
        "work/.claude/.env": "KEY=1",
        "work/a/b/.env.local": "KEY=1",
        "work/key.pem": "KEY=1",
        "work/fixed": "1",
      },
      user: { deny: ["read_file(~/work/*.pem)", "write_file(~/work/fixed)"] },
    });
    const { text } = await bench.bash("cat .env .claude/.env a/b/.env.local key.pem; echo 2 > fixed; cat fixed");
    expect(text).not.toContain("KEY");
    expect(readFileSync(join(bench.work, "fixed"), "utf8")).toBe("1");
  });

  test("that is a folder of a repository is written with the data of git, and the rest of the repository read", async () => {
    await using bench = openWorkbench({
      workspace: "repo/part",
      repository: "repo",
      around: { "repo/other.txt": "other", "repo/.env": "KEY=1" },
    });
    const { text } = await bench.bash(
      "cat ../other.txt ../.env; echo 1 > new.txt; git add new.txt && git commit -qm second; echo 2 > ../other.txt; echo '#' > ../.git/hooks/pre-commit; git config core.fsmonitor x; echo /x > ../.git/commondir",
    );
    expect(text).toContain("other");
    expect(text).not.toContain("KEY");
    expect(bench.git("repo", "log", "--format=%s")).toBe("second\nfirst\n");
    expect(readFileSync(join(bench.home, "repo/other.txt"), "utf8")).toBe("other");
    expect(existsSync(join(bench.home, "repo/.git/hooks/pre-commit"))).toBeFalse();
    expect(existsSync(join(bench.home, "repo/.git/commondir"))).toBeFalse();
    expect(bench.git("repo", "config", "--get-regexp", "^core[.]").includes("fsmonitor")).toBeFalse();
  });

  test("that is a work tree of git is committed in, and the repository that it belongs to stays protected", async () => {
    await using bench = openWorkbench({
      repository: "repo",
      workspace: "tree",
      around: { "repo/a.txt": "1" },
      before: ({ git, home }) => git("repo", "worktree", "add", "-q", "--force", join(home, "tree")),
    });
    const own = join(bench.home, "repo/.git/worktrees/tree");
    const { text } = await bench.bash(
      `echo 1 > new.txt; git add -A && git commit -qm second; git status --short; for file in ${own}/gitdir ${own}/commondir ${own}/config.worktree ../repo/.git/config ../repo/.git/hooks/pre-commit .git; do echo x >> $file; done; cat ../repo/a.txt`,
    );
    expect(text).toContain("No such file or directory");
    await bench.close();
    expect(bench.git("tree", "log", "--format=%s")).toBe("second\nfirst\n");
    const kept = [
      join(own, "gitdir"),
      join(own, "commondir"),
      join(bench.home, "repo/.git/config"),
      join(bench.work, ".git"),
    ];
    for (const file of kept) expect(readFileSync(file, "utf8")).not.toContain("x\n");
    expect(existsSync(join(own, "config.worktree"))).toBeFalse();
    expect(existsSync(join(bench.home, "repo/.git/hooks/pre-commit"))).toBeFalse();
  });

  test("that is a submodule is committed in, and the settings of the repository around it stay hidden or as they are", async () => {
    await using bench = openWorkbench({
      repository: "repo",
      workspace: "repo/sub",
      before: ({ git, home }) => {
        execFileSync("git", ["init", "-q", "-b", "main", join(home, "lib")]);
        git("lib", "commit", "-q", "--allow-empty", "-m", "of the library");
        execFileSync("rmdir", [join(home, "repo/sub")]);
        git("repo", "submodule", "--quiet", "add", join(home, "lib"), "sub");
      },
    });
    const own = join(bench.home, "repo/.git/modules/sub");
    await bench.bash(
      `echo 1 > new.txt; git add -A && git commit -qm second; for file in ${own}/hooks/pre-commit ${own}/config ../.git/config; do echo '# x' >> $file; done`,
    );
    expect(bench.git("repo/sub", "log", "--format=%s")).toBe("second\nof the library\n");
    for (const file of [join(own, "config"), join(bench.home, "repo/.git/config")])
      expect(readFileSync(file, "utf8")).not.toContain("# x");
    expect(existsSync(join(own, "hooks/pre-commit"))).toBeFalse();
  });
});

/** Commands of an attacker in a workspace that is a repository, and the paths that they must not have created or changed. */
const ATTACKS: Readonly<Record<string, readonly [command: string, paths: readonly string[]]>> = {
  "a hook of git": ["echo x > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit", [".git/hooks/pre-commit"]],
  "settings of git": [
    "git config core.fsmonitor 'echo x'; git config core.hooksPath src; echo x >> .git/config",
    [".git/config"],
  ],
  "settings of git, by its environment": [
    "GIT_CONFIG=.git/config git config --file .git/config core.pager x; GIT_DIR=.git git config core.editor x",
    [".git/config"],
  ],
  "settings of git, with a program of another name": [
    "cp .git/config c; echo x >> c; mv -f c .git/config; ln -f c .git/config; rm -f .git/config",
    [".git/config"],
  ],
  "settings of git, by a hard link": ["ln .git/config c && echo x >> c", [".git/config"]],
  "settings of git, by a link": [
    "ln -s .git/config c && echo x >> c; ln -s .git g && echo x >> g/config",
    [".git/config"],
  ],
  "settings for a work tree": ["echo x > .git/config.worktree", [".git/config.worktree"]],
  "another folder that git takes for its own": [
    "mkdir -p evil/hooks; echo ../evil > .git/commondir",
    [".git/commondir"],
  ],
  "another .git, with the old one moved away": [
    "mv .git old; mkdir .git && echo x > .git/config",
    ["old", ".git/config"],
  ],
  ".git as a file": ["rm -rf .git; mv .git old; echo 'gitdir: evil' > .git", ["old", ".git/config"]],
  "the folder of hooks, moved away": [
    "mv .git/hooks .git/old; mkdir .git/hooks; echo x > .git/hooks/pre-commit",
    [".git/hooks/pre-commit", ".git/old"],
  ],
  "a start-up file of a shell": ["echo x > .envrc; echo x > .bashrc", [".envrc", ".bashrc"]],
  "tasks of an editor": ["mkdir .vscode; echo x > .vscode/tasks.json", [".vscode/tasks.json", ".vscode"]],
  "tasks of an editor, in place of existing ones": [
    "echo x > .idea/tasks; mv .idea a; ln -s a .idea; rm -rf .idea",
    [".idea/tasks", "a"],
  ],
  "tasks of an editor, by a link that is made first": ["mkdir a; echo x > a/tasks.json; ln -s a .vscode", [".vscode"]],
  "settings of other agents": ["mkdir .claude .mdx-ai; echo x > .mcp.json", [".claude", ".mdx-ai", ".mcp.json"]],
  "start-up files of languages": [
    "echo x > .Rprofile; echo x > .pdbrc; echo x > .irbrc; mkdir .mise",
    [".Rprofile", ".pdbrc", ".irbrc", ".mise"],
  ],
  "settings of tools": [
    "echo x > .npmrc; mkdir .husky; mkdir -p .cargo; echo x > .cargo/config.toml; mv .cargo c",
    [".npmrc", ".husky", ".cargo", "c"],
  ],
  "the folder of hooks that the settings name": [
    "echo x > scripts/hooks/pre-commit; mv scripts s",
    ["scripts/hooks/pre-commit", "s"],
  ],
  "settings that the settings include": ["echo x >> shared; mv shared s", ["shared", "s"]],
  "a submodule's hook": [
    "echo x > .git/modules/sub/hooks/pre-commit; echo x >> .git/modules/sub/config",
    [".git/modules/sub/hooks/pre-commit", ".git/modules/sub/config"],
  ],
  "a submodule's folder of git, moved away": [
    "mv .git/modules m; mv .git/modules/sub .git/modules/s; mv sub s; rm sub/.git; echo 'gitdir: x' > sub/.git",
    [".git/modules/sub/config", ".git/modules/s/config", "sub/.git"],
  ],
  "a folder that looks like a repository": ["git init -q --bare .", ["HEAD"]],
  "settings of an existing repository below": [
    "echo x >> inner/.git/config; echo x > inner/.git/hooks/pre-commit; mv inner i; mv inner/.git inner/g",
    ["inner/.git/config", "inner/.git/hooks/pre-commit", "i", "inner/g"],
  ],
};

describe.skipIf(withoutTools)("commands cannot leave in a workspace", () => {
  const around = {
    "work/.idea/workspace.xml": "1",
    "work/.Rprofile": "1",
    "work/src/a.txt": "1",
    "work/scripts/hooks/post-commit": "1",
    "work/shared": "[core]\n",
  };
  const before: WorkbenchOptions["before"] = ({ git, home }) => {
    for (const name of ["lib", "work/inner"]) {
      execFileSync("git", ["init", "-q", "-b", "main", join(home, name)]);
      git(name, "commit", "-q", "--allow-empty", "-m", "first");
    }
    git("work", "submodule", "--quiet", "add", join(home, "lib"), "sub");
    git("work", "config", "core.hooksPath", "scripts/hooks");
    git("work", "config", "include.path", "../shared");
  };

  test.each(Object.entries(ATTACKS))("%s", async (_, [command, paths]) => {
    await using bench = openWorkbench({ around, before });
    const content = (path: string): string | undefined => {
      const file = join(bench.work, path);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    };
    const earlier = paths.map(content);
    await bench.bash(command);
    await bench.close();
    expect(paths.map(content)).toStrictEqual(earlier);
  });
});

describe.skipIf(withoutTools)("what a workspace names does not make writable", () => {
  test.each(["../secret", "SECRET"])("a folder elsewhere, as with `gitdir: %s`", async (named) => {
    await using bench = openWorkbench({
      repository: "",
      around: { "secret/HEAD": "1", "secret/config": "[core]\n", "secret/key": "KEY", "work/a": "1" },
      before: ({ home, work }) =>
        writeText(join(work, ".git"), `gitdir: ${named === "SECRET" ? join(home, "secret") : named}\n`),
    });
    const { text } = await bench.bash("cat ../secret/key; echo x > ../secret/key");
    expect(text).not.toContain("KEY");
    expect(readFileSync(join(bench.home, "secret/key"), "utf8")).toBe("KEY");
  });

  test("what its links lead to", async () => {
    await using bench = openWorkbench({
      around: { "secret/key": "KEY" },
      before: ({ home, work }) => {
        symlinkSync(join(home, "secret"), join(work, "out"));
        symlinkSync(join(home, "secret"), join(work, ".vscode"));
      },
    });
    const { text } = await bench.bash("cat out/key .vscode/key; echo x > out/key; rm .vscode; echo x > src.txt");
    expect(text).not.toContain("KEY");
    expect(readFileSync(join(bench.home, "secret/key"), "utf8")).toBe("KEY");
    expect(readFileSync(join(bench.work, ".vscode/key"), "utf8")).toBe("KEY");
  });

  test("the home folder, what is around it, nor the system", async () => {
    for (const workspace of [".", "..", "/", "/etc"]) {
      await using bench = openWorkbench({ workspace, repository: "", around: { ".bashrc": "1" } });
      await bench.bash(`echo x > ${bench.home}/.bashrc; echo x > ${bench.home}/new; echo x > /etc/mdx-ai-test`);
      expect(readFileSync(join(bench.home, ".bashrc"), "utf8")).toBe("1");
      expect([join(bench.home, "new"), "/etc/mdx-ai-test"].filter((path) => existsSync(path))).toStrictEqual([]);
      expect(bench.warnings).toStrictEqual([
        expect.stringContaining("is a home folder, contains one, or belongs to the system; name a folder in it"),
      ]);
    }
  });

  test("what other agents in it record", async () => {
    await using bench = openWorkbench({
      around: { "work/agents/other/agent.mdx": "1", "work/agents/other/sessions/main/journal.jsonl": "KEY" },
    });
    const { text } = await bench.bash(
      "cat agents/other/sessions/main/journal.jsonl; echo x > agents/other/sessions/x; echo 2 > agents/other/agent.mdx",
    );
    expect(text).not.toContain("KEY");
    expect(readdirSync(join(bench.work, "agents/other/sessions"))).toStrictEqual(["main"]);
    expect(readFileSync(join(bench.work, "agents/other/agent.mdx"), "utf8")).toBe("2\n");
  });
});

/** Files in what package managers keep of the user. */
const PRIVATE_CACHES = Object.fromEntries(
  [".bun/install/cache", ".npm", ".cache/pip", ".cache/go-build", ".cargo/registry", "go/pkg/mod"].map((folder) => [
    `${folder}/own`,
    "own",
  ]),
);

/** The files and folders in a home folder, with the times of their changes, except those of the agent and of the workspace. */
function filesOf(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((path) => !/^(?:agent|work)(?:\/|$)/.test(path))
    .toSorted()
    .map((path) => `${path} ${lstatSync(join(home, path)).mtimeMs}`);
}

describe.skipIf(withoutTools)("the home folder of commands in a workspace", () => {
  test("keeps downloads in the sandbox while the agent is open, and shares nothing with another workspace's", async () => {
    await using one = openWorkbench({ network: "all" });
    await using other = openWorkbench({ network: "all" });
    const folders = "$HOME/.npm $HOME/.cache/pip $BUN_INSTALL_CACHE_DIR $CARGO_HOME $GOMODCACHE";
    await one.bash(`for folder in ${folders}; do mkdir -p $folder && echo x > $folder/kept; done`);
    // A new file of settings has another sandbox made.
    one.git("work", "config", "user.name", "other");
    const count = `ls ${folders.replaceAll(/(?= |$)/g, "/kept")} 2>/dev/null | wc -l`;
    expect((await one.bash(count)).text).toBe("5\n");
    expect((await other.bash(count)).text).toBe("0\n");
    expect([".npm", ".cache", ".cargo", "go"].filter((name) => existsSync(join(one.home, name)))).toStrictEqual([]);
  });

  test("has bun and npm install a package, and again from what they kept, while the caches of the user stay as they are", async () => {
    using registry = packageRegistry();
    await using bench = openWorkbench({
      around: { ...PRIVATE_CACHES, "work/package.json": '{"dependencies":{"tiny":"1.0.0"}}' },
      path: [dirname(process.execPath)],
      network: [registry.host],
    });
    const before = filesOf(bench.home);
    for (const install of ["bun install", "npm install --no-audit --no-fund"]) {
      const command = `${install} --registry http://${registry.host}/ >&2 && node_modules/.bin/tiny; rm -rf node_modules *lock*`;
      expect((await bench.bash(command)).text).toEndWith("tiny runs\n");
      expect(registry.downloads()).toBe(1);
      expect((await bench.bash(command)).text).toEndWith("tiny runs\n");
      expect(registry.downloads()).toBe(0);
    }
    expect(filesOf(bench.home)).toStrictEqual(before);
  });

  test("has bun install from a folder without a network, beside a cache of the user that it cannot write", async () => {
    await using bench = openWorkbench({
      around: {
        ...PRIVATE_CACHES,
        ".bun/bin/tool": "",
        "work/package.json": '{"dependencies":{"tiny":"file:./tiny"}}',
        "work/tiny/package.json": '{"name":"tiny","version":"1.0.0"}',
        "work/tiny/index.js": "module.exports = 'tiny'",
      },
      before: ({ home }) => symlinkSync(process.execPath, join(home, ".bun/bin/bun")),
      path: [".bun/bin"],
    });
    const { text } = await bench.bash("cat ~/.bun/install/cache/own; bun install && bun -p 'require(\"tiny\")'");
    expect(text).toStartWith("own");
    expect(text).toEndWith("tiny\n");
    expect(text).not.toContain("[the sandbox");
    expect(readdirSync(join(bench.home, ".bun/install/cache"))).toStrictEqual(["own"]);
  });

  test.skipIf(requireProgram("mvn"))(
    "has Maven use what the user downloaded, without a network and with one",
    async () => {
      const parent = `<groupId>g</groupId><artifactId>parent</artifactId><version>1</version>`;
      const model = `<modelVersion>4.0.0</modelVersion>`;
      const around = {
        "me/.m2/repository/g/parent/1/parent-1.pom": `<project>${model}${parent}<packaging>pom</packaging></project>`,
        "work/pom.xml": `<project>${model}<parent>${parent}<relativePath/></parent><artifactId>a</artifactId><packaging>pom</packaging></project>`,
      };
      await using alone = openWorkbench({ ownHome: "me", around });
      // Java takes the home folder from the system's accounts, which do not know this one.
      expect((await alone.bash("MAVEN_OPTS=-Duser.home=$HOME mvn -o -q validate && echo valid", 60)).text).toEndWith(
        "valid\n",
      );
      const environment = { ...AUTHOR, MAVEN_OPTS: "-Xmx64m" };
      await using online = openWorkbench({ ownHome: "me", around, environment, network: ["localhost:9"] });
      const { text } = await online.bash("echo $MAVEN_OPTS; touch ~/.cache/m2");
      expect(text).toBe(
        `-Xmx64m -Dmaven.repo.local=${online.home}/me/.cache/m2 -Dmaven.repo.local.tail=${online.home}/me/.m2/repository\n`,
      );
    },
  );

  test("has the caches that the user moved to where commands cannot write, and leaves others where they are", async () => {
    const moved = ["XDG_CACHE_HOME", "npm_config_cache", "PIP_CACHE_DIR", "GOCACHE", "UV_CACHE_DIR"];
    await using bench = openWorkbench({
      environment: {
        ...Object.fromEntries(moved.map((name) => [name, `/usr/caches/${name}`])),
        YARN_CACHE_FOLDER: "/tmp/yarn",
      },
    });
    const folders = moved.map((name) => `"$${name}"`).join(" ");
    const { text } = await bench.bash(`mkdir -p ${folders} && echo ${folders} $YARN_CACHE_FOLDER`);
    const caches = join(bench.home, ".cache");
    expect(text.trim().split(" ")).toStrictEqual([
      caches,
      ...["npm", "pip", "go-build", "uv"].map((name) => join(caches, name)),
      "/tmp/yarn",
    ]);
  });

  test("has a cache that a link in the workspace leads out of it", async () => {
    using folder = temporaryDirectory();
    const work = join(folder.path, "work");
    await using bench = openWorkbench({
      environment: { XDG_CACHE_HOME: join(work, "cache"), PIP_CACHE_DIR: join(work, "pip") },
      workspace: work,
      repository: "",
      before: () => symlinkSync("/usr", join(work, "cache")),
    });
    const { text } = await bench.bash(
      'mkdir -p "$XDG_CACHE_HOME/x" "$PIP_CACHE_DIR" && echo $XDG_CACHE_HOME $PIP_CACHE_DIR',
    );
    expect(text).toBe(`${bench.home}/.cache ${work}/pip\n`);
  });

  test("shows what cargo and go downloaded for the user where there is no network, and has their own where there is one", async () => {
    const around = { ...PRIVATE_CACHES, ".cargo/bin/tool": "", "go/bin/tool": "" };
    const path = [".cargo/bin", "go/bin"];
    const show = "echo x > ~/.cargo/registry/new; echo x > ~/go/pkg/mod/new; echo $CARGO_HOME $GOMODCACHE";
    await using offline = openWorkbench({ around, path });
    const read = await offline.bash('cat ~/.cargo/registry/own ~/go/pkg/mod/own; echo "[$CARGO_HOME$GOMODCACHE]"');
    expect(read.text).toBe("ownown[]\n");
    await using online = openWorkbench({ around, path, network: "all" });
    const { text } = await online.bash(show);
    expect(text).toContain(`\n${online.home}/.cache/cargo ${online.home}/.cache/go-mod\n`);
    for (const { home } of [offline, online]) {
      const folders = [".cargo/registry", "go/pkg/mod"].map((folder) => readdirSync(join(home, folder)));
      expect(folders).toStrictEqual([["own"], ["own"]]);
    }
  });
});
