import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { draftName } from "@mdx-ai/base/disk";
import { fetchSource, hashTree, parseSource } from "@mdx-ai/directory/sources";
import { writeText } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const FILES = {
  "agent.mdx": "# Agent: Weather\n",
  "skills/look/SKILL.md": "---\nname: look\ndescription: Looks\n---\n",
  "skills/look/run.sh": "#!/bin/sh\n",
  ".gitignore": "sessions/\n",
};

const signal = new AbortController().signal;
const environment = process.env;

/** An agent as its author has it: with data, packages and secrets. */
function authored(folder: string): void {
  for (const [name, text] of Object.entries(FILES)) writeText(join(folder, name), text);
  execFileSync("chmod", ["+x", join(folder, "skills/look/run.sh")]);
  writeText(join(folder, "sessions/main/journal.jsonl"), "private\n");
  writeText(join(folder, "state/agent-state.json"), "{}");
  writeText(join(folder, "node_modules/x/index.js"), "");
  writeText(join(folder, ".env"), "KEY=1\n");
}

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  })
    .toString()
    .trim();

/** The hash of an agent's files, as docs/sharing.md describes it, by other programs. */
const SHELL = `find . -type f -printf '%P\\n' | LC_ALL=C sort | while read -r path; do
  printf '%s %s "%s"\\n' "$(sha256sum < "$path" | cut -d' ' -f1)" "$([ -x "$path" ] && echo x || echo -)" "$path"
done | sha256sum`;

test("a folder, an archive and a commit give the same files and the same hash", async () => {
  using home = temporaryDirectory();
  const folder = join(home.path, "weather");
  authored(folder);
  execFileSync("tar", ["-C", home.path, "-czf", join(home.path, "one.tgz"), "weather"]);
  execFileSync("tar", ["-C", folder, "-czf", join(home.path, "root.tar.gz"), "."]);
  const repository = join(home.path, "repository");
  execFileSync("cp", ["-r", folder, repository]);
  git(repository, "init", "-q", "-b", "main");
  git(repository, "add", "-f", ".");
  git(repository, "commit", "-qm", "one");
  git(home.path, "clone", "-q", "--bare", repository, join(home.path, "bare.git"));

  const hash = await hashTree(folder);
  expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  for (const text of ["weather", "one.tgz", "root.tar.gz", "bare.git", `file://${home.path}/bare.git#main`]) {
    const into = join(home.path, "got", text.replaceAll("/", "-"));
    const fetched = await fetchSource(parseSource(text, home.path), { into, environment, signal });
    expect([text, fetched.hash, fetched.folder]).toEqual([text, hash, into]);
    expect(await hashTree(into)).toBe(hash);
    const byShell = execFileSync("bash", ["-c", SHELL], { cwd: into, encoding: "utf8" });
    expect(`sha256:${byShell.slice(0, 64)}`).toBe(hash);
    expect(readdirSync(into, { recursive: true }).sort()).toEqual(
      [".gitignore", "agent.mdx", "skills", "skills/look", "skills/look/SKILL.md", "skills/look/run.sh"].sort(),
    );
    expect(readFileSync(join(into, "agent.mdx"), "utf8")).toBe(FILES["agent.mdx"]);
    expect(statSync(join(into, "skills/look/run.sh")).mode & 0o111).toBe(0o111);
    expect(existsSync(join(into, "sessions"))).toBe(false);
  }
});

test("what a killed fetch left is removed by the next one, and nothing else", async () => {
  using home = temporaryDirectory();
  authored(join(home.path, "weather"));
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  const draft = draftName(".added").replace(`-${process.pid}-`, `-${dead.pid}-`);
  const others = [draftName(".added"), draft.replace(".added", ".addedtoo"), ".added.txt"];
  for (const name of [draft, ...others]) writeText(join(home.path, name, "agent.mdx"), "# Agent: Half\n");
  await fetchSource(parseSource("weather", home.path), { into: join(home.path, "added"), environment, signal });
  expect(readdirSync(home.path).sort()).toEqual([...others, "added", "weather"].sort());
});
