import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../../support/agent-files.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { agentText, type Change, PROSE, selfEditing } from "../../support/self-editing.ts";

const TEA: Change = { path: "skills/tea/SKILL.md", content: "---\nname: tea\ndescription: Tea\n---\n\nPour.\n" };

describe("a change by the agent itself", () => {
  test("makes one commit in a repository, which an undo reverts by another one", async () => {
    using user = await selfEditing("on", [PROSE, TEA]);
    const git = await inRepository(user);
    expect(await user.run()).toMatch(/it is one commit, [0-9a-f]{12}, which an undo reverts/);
    expect(await git("log", "--format=%s")).toBe("Say more\nOne\n");
    expect(await git("status", "--short")).toBe("");
    const made = (await git("rev-parse", "HEAD")).trim();
    const undone = await user.undo();
    const [reverting] = (await git("rev-parse", "HEAD")).match(/^.{12}/) ?? [];
    expect(undone?.commit).toBe(`the commit ${reverting} reverts ${made.slice(0, 12)}`);
    expect(user.text()).toBe(agentText("on"));
    expect(await git("log", "--format=%B", "-1")).toBe(`Revert "Say more"\n\nThis reverts commit ${made}.\n\n`);
    expect(await git("log", "--format=%s")).toBe('Revert "Say more"\nSay more\nOne\n');
    expect(await git("diff", "--stat", "HEAD~2")).toBe("");
    expect(await git("status", "--short")).toBe("");
    expect(existsSync(join(user.path, ".git/ran"))).toBeFalse();
  });

  test("is committed and undone without the programs that the repository names", async () => {
    using user = await selfEditing("on", [PROSE]);
    const git = await inRepository(user);
    const ran = join(user.home, "ran");
    const program = join(user.home, "program");
    writeText(program, `#!/bin/sh\necho "$0 $*" >> ${ran}\ncat\n`);
    chmodSync(program, 0o755);
    writeText(join(user.path, ".git/info/attributes"), "* filter=x diff=x\n*.mdx filter=y\n");
    writeText(
      join(user.home, "more"),
      `[filter "y"]\n\tprocess = ${program} y\n\tclean = ${program} y\n\trequired = true\n`,
    );
    for (const name of "filter.x.clean filter.x.smudge diff.x.command diff.x.textconv diff.external core.editor core.pager gpg.program core.sshCommand credential.helper".split(" ")) await git("config", name, program); // biome-ignore format: short
    for (const [name, value] of [["filter.x.required", "true"], ["commit.gpgSign", "true"], ["gc.auto", "1"], ["alias.commit", `!${program}`], ["include.path", join(user.home, "more")]] as const) await git("config", name, value); // biome-ignore format: short
    expect(await user.run()).toMatch(/it is one commit, [0-9a-f]{12}, which an undo reverts/);
    expect((await user.undo())?.commit).toMatch(/^the commit [0-9a-f]{12} reverts [0-9a-f]{12}$/);
    expect(await git("log", "--format=%s")).toBe('Revert "Say more"\nSay more\nOne\n');
    expect(existsSync(ran)).toBeFalse();
    // Without this care they run.
    writeText(join(user.path, "new.txt"), "new");
    await Bun.$`git -C ${user.path} add new.txt`.nothrow().quiet();
    expect(existsSync(ran)).toBeTrue();
  });

  test("is also undone with its commit by `sessions rewind`, while no process has the agent open", async () => {
    using user = await selfEditing("on", [PROSE]);
    const git = await inRepository(user);
    await user.run();
    const made = (await git("rev-parse", "HEAD")).trim();
    const words = ["sessions", user.path, "rewind", "main", "--to", "0", "--files"];
    const { exitCode, stdout } = await runCommandLine(words, { home: user.home, cwd: user.home });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(` reverts ${made.slice(0, 12)}\n`)]);
    expect([user.text(), await git("diff", "--stat", "HEAD~2")]).toStrictEqual([agentText("on"), ""]);
  });

  test("keeps the commit if someone has worked on its files since, and commits nothing of theirs", async () => {
    using user = await selfEditing("on", [PROSE, TEA]);
    const git = await inRepository(user);
    await user.run();
    writeText(join(user.path, "skills/tea/SKILL.md"), "---\nname: tea\ndescription: Tea\n---\n\nMine.\n");
    writeText(join(user.path, "staged.txt"), "staged");
    await git("add", "staged.txt");
    expect((await user.undo())?.commit).toMatch(/^the commit [0-9a-f]{12} stays, since not all of its files are as before it$/); // biome-ignore format: short
    expect(await git("log", "--format=%s")).toBe("Say more\nOne\n");
    const status = await git("status", "--short");
    expect(status.split("\n").toSorted()).toStrictEqual([
      "",
      " M agent.mdx",
      " M skills/tea/SKILL.md",
      "A  staged.txt",
    ]);
  });

  test("is trusted after an undo as before the change, without a question", async () => {
    using user = await selfEditing("on", [{ path: "agent.mdx", old: "sunny in ${city}`", new: "sunny in ${city}` " }]);
    expect(await user.run()).toContain("changed agent.mdx");
    expect(await user.undo()).toBeDefined();
    expect(user.text()).toBe(agentText("on"));
    expect(user.trustQuestions()).toBe(1);
    await (await user.open()).close();
    expect(user.trustQuestions()).toBe(1);
  });
});

/** Puts an agent into a repository with a hook, which must not run. */
async function inRepository({ path }: { readonly path: string }) {
  writeText(join(path, ".gitignore"), "sessions/\nstate/\nlogs/\n");
  const git = (...args: readonly string[]) => Bun.$`git -C ${path} ${args}`.quiet().text();
  await git("init", "-q");
  await git("config", "user.name", "A");
  await git("config", "user.email", "a@example.com");
  for (const hook of ["pre-commit", "commit-msg", "post-commit"]) {
    writeText(join(path, ".git/hooks", hook), "#!/bin/sh\ntouch .git/ran\n");
    chmodSync(join(path, ".git/hooks", hook), 0o755);
  }
  await git("add", ".");
  await git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "One");
  return git;
}
