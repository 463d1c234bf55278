import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../../support/agent-files.ts";
import { STRANGER, type Victim, victim } from "../../support/victim.ts";

/** Git without settings, as a stranger. */
const git = (folder: string, args: readonly string[], input?: string | Uint8Array): string =>
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["pipe", "pipe", "ignore"],
    ...(input !== undefined && { input }),
  })
    .toString()
    .trim();

/** A repository with one commit of these files; returns its folder. */
function repository(home: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = join(home, "evil.git");
  mkdirSync(folder);
  git(folder, ["init", "-q", "-b", "main"]);
  for (const [name, text] of Object.entries({ "agent.mdx": STRANGER, ...files })) writeText(join(folder, name), text);
  git(folder, ["add", "-f", "."]);
  git(folder, ["commit", "-qm", "one"]);
  return folder;
}

interface RawEntry {
  readonly mode: string;
  readonly name: string;
  readonly object: string;
}

/** A tree with any names, which git would not make. */
const rawTree = (folder: string, entries: readonly RawEntry[]): string =>
  git(
    folder,
    ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
    Buffer.concat(
      entries.map(({ mode, name, object }) =>
        Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(object, "hex")]),
      ),
    ),
  );

function commitTree(folder: string, tree: string): void {
  git(folder, ["update-ref", "refs/heads/main", git(folder, ["commit-tree", "-m", "two", tree])]);
}

/** Commits an agent with one more entry at the root. */
function commitWith(folder: string, entry: RawEntry): void {
  const object = git(folder, ["rev-parse", "HEAD:agent.mdx"]);
  const agent = { mode: "100644", name: "agent.mdx", object };
  commitTree(folder, rawTree(folder, [agent, entry]));
}

const blobOf = (folder: string, content: string | Uint8Array): string =>
  git(folder, ["hash-object", "-w", "--stdin"], content);

const REPOSITORIES: Readonly<Record<string, readonly [(folder: string, user: Victim) => void, why: RegExp]>> = {
  "a symbolic link": [
    (folder) => commitWith(folder, { mode: "120000", name: "skills", object: blobOf(folder, "../../.ssh") }),
    /`skills` is a symbolic link/,
  ],
  "a submodule": [
    (folder) => commitWith(folder, { mode: "160000", name: "skills", object: "1".repeat(40) }),
    /`skills` is a submodule/,
  ],
  "a folder above": [
    (folder) => {
      const tree = rawTree(folder, [{ mode: "100644", name: "evil", object: blobOf(folder, "x") }]);
      commitWith(folder, { mode: "40000", name: "..", object: tree });
    },
    /leads out of the package|cannot fetch/,
  ],
  "names that differ by case": [
    (folder) => {
      const object = blobOf(folder, "x");
      commitTree(
        folder,
        rawTree(
          folder,
          ["Agent.mdx", "agent.mdx"].map((name) => ({ mode: "100644", name, object })),
        ),
      );
    },
    /are the same file on some systems/,
  ],
  "a file of Git LFS": [
    (folder) => {
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12\n`;
      commitWith(folder, { mode: "100644", name: "data.bin", object: blobOf(folder, pointer) });
    },
    /`data\.bin` is not in the repository but in Git LFS/,
  ],
  "a file of 101 MB that is small when packed": [
    (folder) =>
      commitWith(folder, { mode: "100644", name: "zeros", object: blobOf(folder, Buffer.alloc(101 * 1024 * 1024)) }),
    /more than 100 MB/,
  ],
  "a tree of a billion files": [
    (folder) => {
      const object = blobOf(folder, "x");
      let tree = rawTree(
        folder,
        letters.map((name) => ({ mode: "100644", name, object })),
      );
      for (let level = 0; level < 8; level++) {
        const inner = tree;
        tree = rawTree(
          folder,
          letters.map((name) => ({ mode: "40000", name, object: inner })),
        );
      }
      commitWith(folder, { mode: "40000", name: "z", object: tree });
    },
    /more than 100000 files/,
  ],
};

const letters: readonly string[] = [..."abcdefghij"];

test.each(Object.entries(REPOSITORIES))(
  "a repository with %s is refused, and nothing is written",
  async (_, [make, why]) => {
    using user = victim();
    make(repository(user.home), user);
    const before = user.everything();
    expect(await user.fetchFrom("evil.git")).toMatch(why);
    expect(user.everything()).toEqual(before);
  },
  30_000,
);

test("no hook, filter or setting of a repository, and no filter of the user, runs at a fetch", async () => {
  using user = victim();
  const folder = repository(user.home, {
    ".gitattributes": "* filter=evil diff=evil merge=evil export-subst ident text=auto\nsecret export-ignore\n",
    ".lfsconfig": "[lfs]\n\turl = https://evil.example\n",
    ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ran\n\tupdate = !touch ran\n',
    "version.txt": "$Format:%H$ $Id$\n",
    secret: "seen\n",
  });
  const settings = {
    ...{ "filter.evil.smudge": user.program, "filter.evil.process": user.program, "filter.evil.required": "true" },
    ...{ "uploadpack.packObjectsHook": user.program, "core.fsmonitor": user.program, "core.hooksPath": user.home },
    ...{ "core.sshCommand": user.program, "core.gitProxy": user.program, "core.alternateRefsCommand": user.program },
    ...{ "core.pager": user.program, "remote.origin.uploadpack": user.program, "extensions.partialClone": "origin" },
  };
  for (const [name, value] of Object.entries(settings)) git(folder, ["config", name, value]);
  for (const hook of ["post-checkout", "post-merge", "reference-transaction", "pre-receive", "post-index-change"]) {
    writeFileSync(join(folder, ".git/hooks", hook), `#!/bin/sh\ntouch ${user.trace}\n`, { mode: 0o755 });
    writeFileSync(join(user.home, hook), `#!/bin/sh\ntouch ${user.trace}\n`, { mode: 0o755 });
  }
  const filters = ["clean", "smudge", "process"].map((one) => `\t${one} = ${user.program}\n`).join("");
  writeFileSync(
    join(user.home, ".gitconfig"),
    `[filter "evil"]\n${filters}[init]\n\ttemplateDir = ${join(folder, ".git")}\n[safe]\n\tdirectory = *\n`,
  );
  const files = await user.fetchFrom("evil.git");
  expect(files).toEqual([".gitattributes", ".gitmodules", ".lfsconfig", "agent.mdx", "secret", "version.txt"]);
  expect(await Bun.file(join(user.home, "agents/added/version.txt")).text()).toBe("$Format:%H$ $Id$\n");
  expect(existsSync(user.trace)).toBe(false);
});

test("a repository that lacks a file cannot have a program fetch it", async () => {
  using user = victim();
  const folder = repository(user.home, { lost: "x" });
  const object = git(folder, ["rev-parse", "HEAD:lost"]);
  execFileSync("rm", ["-f", join(folder, ".git/objects", object.slice(0, 2), object.slice(2))]);
  const settings = { "core.repositoryFormatVersion": "1", "extensions.partialClone": "origin" };
  const remote = {
    "remote.origin.url": user.home,
    "remote.origin.promisor": "true",
    "remote.origin.uploadpack": user.program,
  };
  for (const [name, value] of Object.entries({ ...settings, ...remote })) git(folder, ["config", name, value]);
  expect(await user.fetchFrom("evil.git")).toMatch(/cannot fetch/);
  expect(existsSync(user.trace)).toBe(false);
});

test("a tag that moved: the pinned commit is fetched, or the fetch fails with both commits", async () => {
  using user = victim();
  const folder = repository(user.home);
  git(folder, ["tag", "v1"]);
  const commit = git(folder, ["rev-parse", "HEAD"]);
  writeText(join(folder, "modules/evil.ts"), "evil()");
  git(folder, ["add", "."]);
  git(folder, ["commit", "-qm", "two"]);
  git(folder, ["tag", "-f", "v1"]);
  const now = git(folder, ["rev-parse", "HEAD"]);
  expect(await user.fetchFrom("evil.git#v1", { type: "git", commit })).toEqual(["agent.mdx"]);

  using other = victim();
  execFileSync("cp", ["-r", folder, join(other.home, "evil.git")]);
  for (const args of [
    ["checkout", "-q", "--orphan", "new"],
    ["commit", "-qm", "new"],
    ["branch", "-D", "main"],
  ])
    git(join(other.home, "evil.git"), args);
  git(join(other.home, "evil.git"), ["tag", "-f", "v1"]);
  git(join(other.home, "evil.git"), ["reflog", "expire", "--expire=now", "--all"]);
  git(join(other.home, "evil.git"), ["gc", "-q", "--prune=now"]);
  expect(now).not.toBe(commit);
  expect(await other.fetchFrom("evil.git#v1", { type: "git", commit })).toMatch(
    new RegExp(`no longer has the commit ${commit}; v1 is now [0-9a-f]{40}`),
  );
  expect(existsSync(join(other.home, "agents"))).toBe(false);
});

/** Serves the repositories of a folder by git's own program, as a web server does. */
function gitServer(folder: string) {
  const requests: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      requests.push(pathname);
      if (pathname.startsWith("/private/"))
        return new Response("", { status: 401, headers: { "www-authenticate": "Basic" } });
      if (pathname.startsWith("/renamed/")) return Response.redirect(`${pathname.replace("/renamed/", "/")}${search}`);
      if (pathname.startsWith("/page/")) return Response.redirect("/evil.git/");
      if (pathname.startsWith("/moved/")) return Response.redirect(`ftp://127.0.0.1${pathname}${search}`);
      const child = Bun.spawn(["git", "http-backend"], {
        env: {
          ...{ PATH: process.env["PATH"], GIT_PROJECT_ROOT: folder, GIT_HTTP_EXPORT_ALL: "1", PATH_INFO: pathname },
          ...{ QUERY_STRING: search.slice(1), REQUEST_METHOD: request.method, HOME: folder },
          CONTENT_TYPE: request.headers.get("content-type") ?? "",
          GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
          HTTP_CONTENT_ENCODING: request.headers.get("content-encoding") ?? "",
        },
        stdin: new Uint8Array(await request.arrayBuffer()),
        stdout: "pipe",
        stderr: "ignore",
      });
      const output = Buffer.from(await new Response(child.stdout).arrayBuffer());
      const end = output.indexOf("\r\n\r\n");
      const headers = output
        .subarray(0, end)
        .toString()
        .split("\r\n")
        .map((line) => line.split(": "));
      const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
      const others = headers.flatMap(([name = "", value = ""]) => (name === "Status" ? [] : [[name, value]]));
      return new Response(output.subarray(end + 4), {
        status: Number.parseInt(status, 10),
        headers: Object.fromEntries(others),
      });
    },
  });
  return {
    ...{ requests, address: `http://127.0.0.1:${server.port}` },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

test("a repository of a server is fetched: a branch, a folder in it, a commit; a password is never asked for", async () => {
  using user = victim();
  const folder = repository(user.home, { "more/weather/agent.mdx": STRANGER, "more/weather/data/x.txt": "x" });
  const commit = git(folder, ["rev-parse", "HEAD"]);
  git(folder, ["checkout", "-q", "-b", "feature/x"]);
  writeText(join(folder, "feature.txt"), "x");
  git(folder, ["add", "."]);
  git(folder, ["commit", "-qm", "two"]);
  using server = gitServer(user.home);
  const fetchOnce = async (source: string): Promise<string | readonly string[]> => {
    execFileSync("rm", ["-rf", join(user.home, "agents")]);
    return await user.fetchFrom(`${server.address}/evil.git/.git${source}`);
  };
  expect(await fetchOnce("#main:more/weather")).toEqual(["agent.mdx", "data", "data/x.txt"]);
  expect(await fetchOnce("#feature/x")).toContain("feature.txt");
  expect(await fetchOnce(`#${commit}`)).not.toContain("feature.txt");
  expect(await fetchOnce("#none")).toMatch(/cannot fetch .*none/);
  expect(await fetchOnce("#main:nothing")).toMatch(/has no folder `nothing`/);
  expect(await fetchOnce("#main:more")).toMatch(/has no agent\.mdx in its folder; there is .*#main:more\/weather/);
  expect(await user.fetchFrom(`${server.address}/private/x.git`)).toMatch(/cannot fetch .*could not read Username/);
  expect(await user.fetchFrom(`${server.address}/moved/x.git`)).toMatch(/ftp:\/\/127\.0\.0\.1 is not encrypted/);
  expect(await user.fetchFrom(`${server.address}/page/x.git`)).toMatch(/redirects to what is no repository/);
  execFileSync("rm", ["-rf", join(user.home, "agents")]);
  expect(await user.fetchFrom(`${server.address}/renamed/evil.git/.git`)).toContain("agent.mdx");
}, 30_000);
