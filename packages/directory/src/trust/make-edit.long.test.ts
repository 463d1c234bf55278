import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../../../../test/support/agent-files.ts";
import { surroundingsIn } from "../../../../test/support/front-end.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { readTrusted } from "./ensure-trust.ts";
import { makeEdit, type SelfEdit } from "./make-edit.ts";
import { unfinishedEdit } from "./trust-file.ts";

const COUNT = 60;
const names = Array.from({ length: COUNT }, (_, index) => `notes/${index}.md`);

/** An agent with many files, and a change of all of them. */
function manyFiles() {
  const folder = temporaryDirectory();
  const directory = realpathSync(writeFiles(join(folder.path, "agent"), { "agent.mdx": MINIMAL_AGENT, ...Object.fromEntries(names.map((name) => [name, "old"])) })); // biome-ignore format: short
  const environment = { HOME: folder.path };
  const frontEnd = { ...surroundingsIn(folder.path), environment };
  const edit: SelfEdit = { directory, isTrusted: false, files: names.map((path) => ({ path, before: "old", after: "new" })) }; // biome-ignore format: short
  const texts = (): ReadonlySet<string> => new Set(names.map((name) => readFileSync(join(directory, name), "utf8")));
  const open = () => readTrusted({ directory, isTrusted: true }, { frontEnd, signal: new AbortController().signal });
  const record = unfinishedEdit(directory, environment) ?? "";
  return { folder, directory, frontEnd, edit, texts, open, record, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("a change of several files", () => {
  test.each([0, 1, 5, 20, 45, 59])("that is killed after %d of them is completed by the next run, or was not begun", async (moment) => {
    using agent = manyFiles();
    const script = join(agent.folder.path, "edit.ts");
    const state = join(agent.folder.path, "edit.json");
    writeFileSync(state, JSON.stringify(agent.edit));
    writeFileSync(script, `import { makeEdit } from ${JSON.stringify(join(import.meta.dir, "make-edit.ts"))};
const edit = await Bun.file(${JSON.stringify(state)}).json();
await makeEdit(edit, { environment: { HOME: ${JSON.stringify(agent.folder.path)} }, currentDirectory: "/", toolHostCommand: [], onNotice() {}, onSecrets() {} });
`);
    const child = Bun.spawn([process.execPath, script], { stdin: "ignore", stdout: "ignore", stderr: "inherit" });
    const isThere = (): boolean => readFileSync(join(agent.directory, names[moment] ?? ""), "utf8") === "new";
    while (!isThere() && child.exitCode === null) await Bun.sleep(0);
    child.kill("SIGKILL");
    await child.exited;
    await agent.open();
    expect([...agent.texts()]).toStrictEqual(["new"]);
    expect(existsSync(agent.record)).toBeFalse();
  }, 30_000); // biome-ignore format: short

  test("that fails is taken back", async () => {
    using agent = manyFiles();
    const files = [...agent.edit.files, { path: "agent.mdx/x.md", after: "new" }];
    await expect(makeEdit({ ...agent.edit, files }, agent.frontEnd)).rejects.toThrow();
    expect([[...agent.texts()], existsSync(agent.record)]).toStrictEqual([["old"], false]);
  });

  test("is not completed over what someone wrote since, or through a link", async () => {
    using agent = manyFiles();
    mkdirSync(join(agent.record, ".."), { recursive: true });
    writeFileSync(agent.record, JSON.stringify(agent.edit));
    writeFileSync(join(agent.directory, names[3] ?? ""), "mine");
    await agent.open();
    expect([agent.texts(), existsSync(agent.record)]).toStrictEqual([new Set(["old", "mine"]), false]);
  });
});
