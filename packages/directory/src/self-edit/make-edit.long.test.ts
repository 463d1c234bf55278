import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../../../../test/support/agent-files.ts";
import { surroundingsIn } from "../../../../test/support/front-end.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { agreedHash } from "../manifest/manifest.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { editFiles } from "../paths.ts";
import type { FileChange, SelfEdit } from "../reading/edit-record.ts";
import { readDirectory } from "../reading/read-directory.ts";
import { readTrusted } from "../trust/ensure-trust.ts";
import { keepTrustOf } from "../trust/trust-state.ts";
import { makeEdit } from "./make-edit.ts";

const skill = (word: string): string => `---\nname: s\ndescription: ${word}\n---\n\nDo it.\n`;
const names = Array.from({ length: 60 }, (_, index) => `skills/s${index}/SKILL.md`);
const skills = (word: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name, index) => [name, skill(word).replace("name: s", `name: s${index}`)]));

/** An agent with many skills, and a change of all of them. */
function manySkills() {
  const folder = temporaryDirectory();
  const directory = realpathSync(
    writeFiles(join(folder.path, "agent"), { "agent.mdx": MINIMAL_AGENT, ...skills("old") }),
  );
  const environment = { HOME: folder.path };
  const frontEnd = { ...surroundingsIn(folder.path), environment };
  const files = changesTo("new", "old");
  const edit: SelfEdit = { directory, files };
  const words = (): ReadonlySet<string> =>
    new Set(names.map((name) => wordOf(readFileSync(join(directory, name), "utf8"))));
  const read = async (): Promise<ReadonlySet<string>> => {
    const { definition } = await readDirectory(directory, frontEnd);
    return new Set(definition.skills.map(({ description }) => description));
  };
  const trusted = (isTrusted: boolean) =>
    readTrusted({ directory, isTrusted }, { frontEnd, signal: new AbortController().signal });
  const record = editFiles(directory, environment)?.unfinished ?? "";
  /** A process that makes changes. */
  const editor = (body: string) => {
    const script = join(folder.path, "edit.ts");
    writeFileSync(join(folder.path, "edit.json"), JSON.stringify({ there: edit, back: { directory, files: changesTo("old", "new") } })); // biome-ignore format: short
    writeFileSync(script, `import { makeEdit } from ${JSON.stringify(join(import.meta.dir, "make-edit.ts"))};
const frontEnd = { environment: { HOME: ${JSON.stringify(folder.path)} }, currentDirectory: "/", toolHostCommand: [], onNotice() {}, onSecrets() {} };
const { there, back } = await Bun.file(${JSON.stringify(join(folder.path, "edit.json"))}).json();
${body}`); // biome-ignore format: short
    return Bun.spawn([process.execPath, script], { stdin: "ignore", stdout: "ignore", stderr: "inherit" });
  };
  return { folder, directory, frontEnd, edit, words, read, trusted, record, editor, [Symbol.dispose]: () => folder[Symbol.dispose]() }; // biome-ignore format: short
}

const wordOf = (text: string): string => /description: (\w+)/.exec(text)?.[1] ?? "";

const changesTo = (after: string, before: string): readonly FileChange[] => {
  const [texts, earlier] = [skills(after), skills(before)];
  return names.map((path) => ({ path, before: earlier[path] ?? "", after: texts[path] ?? "" }));
};

describe("a change of several files", () => {
  test.each([0, 1, 5, 20, 45, 59])("that is killed after %d of them is completed by the next reader, or was not begun", async (moment) => {
    using agent = manySkills();
    const child = agent.editor("await makeEdit(there, undefined, frontEnd);");
    const isThere = (): boolean => readFileSync(join(agent.directory, names[moment] ?? ""), "utf8").includes("new");
    while (!isThere() && child.exitCode === null) await Bun.sleep(0);
    child.kill("SIGKILL");
    await child.exited;
    expect([...(await agent.read())]).toStrictEqual(["new"]);
    expect([[...agent.words()], existsSync(agent.record)]).toStrictEqual([["new"], false]);
  }, 30_000); // biome-ignore format: short

  test("is seen as a whole or not at all by readers, while it is made again and again", async () => {
    using agent = manySkills();
    // Between the first and the last file that is read lie many others, so that changes begin and end during a read.
    const between = Array.from({ length: 600 }, (_, index) => [`skills/s${index + 100}/SKILL.md`, skill("other").replace("name: s", `name: s${index + 100}`)]); // biome-ignore format: short
    writeFiles(agent.directory, Object.fromEntries(between));
    const ends = ["skills/s0/SKILL.md", "skills/s9/SKILL.md"];
    const child = agent.editor(`for (let round = 0; round < 60; round++) for (const edit of [there, back]) {
  const files = edit.files.filter(({ path }) => ${JSON.stringify(ends)}.includes(path));
  await makeEdit({ ...edit, files }, undefined, frontEnd);
  await Bun.sleep((round * 7) % 80);
}`);
    const seen = new Set<string>();
    while (child.exitCode === null) {
      const { definition } = await readDirectory(agent.directory, agent.frontEnd);
      const words = ["s0", "s9"].map((name) => definition.skills.find((one) => one.name === name)?.description);
      seen.add(words.join(" and "));
      await Bun.sleep(0);
    }
    expect(await child.exited).toBe(0);
    expect([...seen].toSorted()).toStrictEqual(["new and new", "old and old"]);
  }, 120_000);

  test.each(["edit", "trust"])("keeps its directory trusted if the process is killed before the end of the %s", async (when) => {
    using agent = manySkills();
    const trust = async (): Promise<string> => {
      const directory = await readDirectory(agent.directory, agent.frontEnd);
      const manifest = await readManifest(directory);
      await keepTrustOf(directory, manifest, agent.frontEnd);
      return agreedHash(manifest);
    };
    const before = await trust();
    const tool = { path: "tools/a.ts", after: "export default 1;\n" };
    const edit = { ...agent.edit, files: [...agent.edit.files, tool] };
    writeFiles(agent.directory, { "tools/a.ts": tool.after });
    const changed = await readDirectory(agent.directory, agent.frontEnd);
    const after = agreedHash(await readManifest(changed));
    rmSync(join(agent.directory, "tools"), { recursive: true });
    expect(after).not.toBe(before);
    const { agreed, mark } = editFiles(agent.directory, agent.frontEnd.environment) ?? { agreed: "", mark: "" };
    mkdirSync(dirname(agreed), { recursive: true });
    writeFileSync(agreed, `${before} ${after}`);
    if (when === "edit") writeFileSync(agent.record, JSON.stringify(edit));
    else {
      writeFileSync(mark, "one");
      writeFiles(agent.directory, { ...skills("new"), "tools/a.ts": tool.after });
    }
    await agent.trusted(false);
    expect([[...agent.words()], existsSync(agreed)]).toStrictEqual([["new"], false]);
    // What was agreed to is this one state.
    writeFiles(agent.directory, { "tools/b.ts": tool.after });
    writeFileSync(agreed, `${after} ${after}`);
    await expect(agent.trusted(false)).rejects.toThrow("has changed since it was trusted");
  }); // biome-ignore format: short

  test("that fails is taken back", async () => {
    using agent = manySkills();
    const files = [...agent.edit.files, { path: "agent.mdx/x.md", after: "new" }];
    await expect(makeEdit({ ...agent.edit, files }, undefined, agent.frontEnd)).rejects.toThrow();
    expect([[...agent.words()], existsSync(agent.record)]).toStrictEqual([["old"], false]);
  });

  test.each<[string, (file: string) => void, string]>([
    ["over what someone wrote since", (file) => writeFileSync(file, skill("mine")), "mine"],
    ["through a link of a file", (file) => linkTo(file, "old"), "old"],
    ["through a link of a folder", (file) => linkFolder(dirname(file)), "old"],
  ])("is not completed %s", async (_what, change, word) => {
    using agent = manySkills();
    mkdirSync(dirname(agent.record), { recursive: true });
    writeFileSync(agent.record, JSON.stringify(agent.edit));
    const file = join(agent.directory, names[3] ?? "");
    change(file);
    const notices: string[] = [];
    await readDirectory(agent.directory, { ...agent.frontEnd, onNotice: (notice) => void notices.push(JSON.stringify(notice)) }); // biome-ignore format: short
    expect([wordOf(readFileSync(file, "utf8")), agent.words().has("new")]).toStrictEqual([word, false]);
    expect(notices).toStrictEqual([expect.stringContaining("was interrupted, and is not completed")]);
    expect(existsSync(agent.record)).toBeFalse();
  }); // biome-ignore format: a table
});

/** The file has the known text, but elsewhere. */
function linkTo(file: string, word: string): void {
  const elsewhere = join(dirname(file), "../../../elsewhere.md");
  writeFileSync(elsewhere, skill(word).replace("name: s", "name: s3"));
  rmSync(file);
  symlinkSync(elsewhere, file);
}

function linkFolder(folder: string): void {
  const elsewhere = join(folder, "../../../elsewhere");
  writeFiles(elsewhere, { "SKILL.md": skill("old").replace("name: s", "name: s3") });
  rmSync(folder, { recursive: true });
  symlinkSync(elsewhere, folder);
}
