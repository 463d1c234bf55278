import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles, writeText } from "../../support/agent-files.ts";
import { beginLine } from "../../support/prompt-steps.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** A user with an agent whose sessions worked in different folders. */
function user() {
  const folder = temporaryDirectory();
  const home = folder.path;
  writeFiles(home, { "agent/agent.mdx": MINIMAL_AGENT, "web/readme": "" });
  const write = (id: string, workspace?: string): void => {
    const begin = beginLine(1, `In ${id}`, workspace === undefined ? {} : { workspace });
    writeText(join(home, `agent/sessions/${id}/journal.jsonl`), `${JSON.stringify(begin)}\n`);
  };
  const list = (args: readonly string[], cwd = home) =>
    runCommandLine(["sessions", join(home, "agent"), ...args], { home, cwd });
  return { home, write, list, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("a list of sessions", () => {
  test("has workspaces, shortened, if a session has one", async () => {
    using person = user();
    person.write("main");
    expect((await person.list([])).stdout).toMatch(/^id +last used +turns +tokens +cost +title\n/);
    person.write("web", join(person.home, "web"));
    person.write("far", `/${"far/".repeat(20)}away`);
    const { stdout } = await person.list([]);
    expect(stdout).toMatch(/^id +last used +turns +tokens +cost +workspace +title\n/);
    expect(stdout).toMatch(/^web .* ~\/web +In web \(interrupted\)$/m);
    expect(stdout).toMatch(/^far .* {2}…\/(far\/)+away +In far \(interrupted\)$/m);
  });

  test("lists the sessions of a folder with --workspace, and of the current one with -w", async () => {
    using person = user();
    person.write("main");
    person.write("web", join(person.home, "web"));
    const ids = async (args: readonly string[], cwd?: string): Promise<unknown> =>
      JSON.parse((await person.list(["list", "--json", ...args], cwd)).stdout).sessions.map(
        ({ id }: { readonly id: string }) => id,
      );
    expect(await ids(["--workspace", "web"])).toStrictEqual(["web"]);
    expect(await ids(["-w"], join(person.home, "web"))).toStrictEqual(["web"]);
    expect(await ids(["-w"])).toStrictEqual([]);
  });

  test.each([
    [["list", "-w", "--workspace", "web"], "name two folders"],
    [["list", "--workspace", ""], '--workspace needs a folder, but got ""'],
    [["show", "main", "-w"], "--here is not an option of sessions show"],
    [["title"], "mdx-ai sessions DIR title ID [TITLE]"],
  ])("refuses %j", async (args, message) => {
    using person = user();
    person.write("main");
    const { exitCode, stderr } = await person.list(args);
    expect([exitCode, stderr]).toStrictEqual([2, expect.stringContaining(message)]);
  });
});
