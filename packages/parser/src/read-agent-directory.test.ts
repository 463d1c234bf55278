import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../../test/support/agent-files.ts";
import { agentText, toolWithCode } from "../../../test/support/agent-text.ts";
import { PLAIN_MESSAGE } from "../../../test/support/plain-message.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { cacheText, isDefinition, readCacheEntry } from "./definition-cache.ts";

const tool = toolWithCode("function execute() { return ''; }");
const whole = {
  "agent.mdx": `---\nmodel: a/b\n---\n${agentText(tool)}`,
  "heartbeat.md": "## Schedule\n\n@every: 15m\n",
  "skills/beta/SKILL.md": "---\nname: beta\ndescription: Second.\n---\nBody\n",
  "skills/alpha/skill.MD": "---\nname: alpha\ndescription: First.\n---\nBody\n",
  "skills/README.md": "no skill",
  "modules/b.ts": "",
  "modules/a.ts": "",
  "modules/types.d.ts": "",
  "modules/notes.md": "",
};

const directories = temporaryDirectory();
afterAll(() => directories[Symbol.dispose]());
let count = 0;

/** A new folder with these files. */
function directoryWith(files: Readonly<Record<string, string>>): string {
  const path = join(directories.path, String(count++));
  mkdirSync(path);
  return writeFiles(path, files);
}

const rulesOf = (diagnostics: readonly { readonly file: string; readonly rule: string }[]): readonly string[] =>
  diagnostics.map(({ file, rule }) => `${file} ${rule}`);

describe("an agent directory", () => {
  test("is read whole", async () => {
    const path = directoryWith(whole);
    const directory = await readAgentDirectory(path);
    expect(directory.diagnostics).toEqual([]);
    expect(directory.path).toBe(path);
    expect(directory.definition).toMatchObject({
      identity: { name: "Test", purpose: "Tests." },
      settings: { model: "a/b" },
      tools: [{ name: "probe" }],
      skills: [
        { name: "alpha", description: "First.", path: "skills/alpha/skill.MD" },
        { name: "beta", description: "Second.", path: "skills/beta/SKILL.md" },
      ],
      heartbeat: { interval: 900_000 },
      modules: ["modules/a.ts", "modules/b.ts"],
    });
  });

  test("gives the same after a trip through JSON", async () => {
    const directory = await readAgentDirectory(directoryWith(whole));
    expect(JSON.parse(JSON.stringify(directory))).toEqual(directory);
  });

  test("is frozen through and through", async () => {
    const { definition, diagnostics } = await readAgentDirectory(directoryWith({ ...whole, "heartbeat.md": "x" }));
    expect(isDeeplyFrozen(definition)).toBe(true);
    expect(isDeeplyFrozen(diagnostics)).toBe(true);
    expect(diagnostics.length).toBeGreaterThan(0);
  });

  test("may be named relative to the current folder", async () => {
    const path = directoryWith(whole);
    expect((await readAgentDirectory(relative(process.cwd(), path))).path).toBe(path);
  });

  test("may hold symbolic links", async () => {
    const path = directoryWith({ "agent.mdx": agentText("") });
    const elsewhere = directoryWith(whole);
    symlinkSync(join(elsewhere, "heartbeat.md"), join(path, "heartbeat.md"));
    symlinkSync(join(elsewhere, "modules"), join(path, "modules"));
    const { definition, diagnostics } = await readAgentDirectory(path);
    expect(diagnostics).toEqual([]);
    expect(definition.heartbeat?.interval).toBe(900_000);
    expect(definition.modules).toEqual(["modules/a.ts", "modules/b.ts"]);
  });

  test.skipIf(process.platform !== "linux")("takes a file without end that says it is empty at its word", async () => {
    const path = directoryWith({ "agent.mdx": agentText("") });
    symlinkSync("/proc/self/pagemap", join(path, "heartbeat.md"));
    const { diagnostics } = await readAgentDirectory(path);
    expect(diagnostics.map(({ file, rule }) => `${file} ${rule}`)).toStrictEqual(["heartbeat.md heartbeat-empty"]);
  });

  test("without heartbeat.md and modules is all right, without a skills folder is a note", async () => {
    const path = directoryWith({ "agent.mdx": agentText("") });
    rmSync(join(path, "skills"), { recursive: true });
    const { definition, diagnostics } = await readAgentDirectory(path);
    expect(diagnostics).toMatchObject([{ file: "skills", rule: "skills-missing", severity: "note" }]);
    expect("heartbeat" in definition).toBe(false);
    expect(definition.modules).toEqual([]);
  });

  test("has an error for a module that is no file, and leaves it out", async () => {
    const path = directoryWith({ ...whole, "modules/folder.ts/a.txt": "" });
    symlinkSync("nowhere.ts", join(path, "modules/lost.ts"));
    symlinkSync("/dev/null", join(path, "modules/null.ts"));
    const { definition, diagnostics } = await readAgentDirectory(path);
    expect(rulesOf(diagnostics)).toEqual(
      ["folder", "lost", "null"].map((name) => `modules/${name}.ts file-unreadable`),
    );
    expect(definition.modules).toEqual(["modules/a.ts", "modules/b.ts"]);
  });

  test("has one diagnostic for a heartbeat that never wakes, unless the frontmatter has a schedule", async () => {
    const files = { "agent.mdx": agentText(""), "heartbeat.md": "## On Wake\n\n- look\n" };
    expect(rulesOf((await readAgentDirectory(directoryWith(files))).diagnostics)).toEqual([
      "heartbeat.md heartbeat-empty",
    ]);
    const scheduled = { ...files, "agent.mdx": `---\nschedule: 30m\n---\n${agentText("")}` };
    expect((await readAgentDirectory(directoryWith(scheduled))).diagnostics).toEqual([]);
  });

  test("of two skills of one name uses the first and warns", async () => {
    const skill = "---\nname: same\ndescription: d\n---\n";
    const path = directoryWith({
      "agent.mdx": agentText(""),
      "skills/a/SKILL.md": skill,
      "skills/same/SKILL.md": skill,
    });
    const { definition, diagnostics } = await readAgentDirectory(path);
    expect(definition.skills.map((one) => one.path)).toEqual(["skills/a/SKILL.md"]);
    expect(rulesOf(diagnostics)).toEqual(["skills/a/SKILL.md skill-name", "skills/same/SKILL.md skill-name-duplicate"]);
  });

  test("lists diagnostics by file and place", async () => {
    const path = directoryWith({ "agent.mdx": "<5 {x", "heartbeat.md": "## Schedule\nx\ny", "skills/a/SKILL.md": "x" });
    const { diagnostics } = await readAgentDirectory(path);
    const order = diagnostics.map(({ file, line, column }) => [file, line, column] as const);
    const sorted = order.toSorted((left, right) =>
      left[0] === right[0] ? left[1] - right[1] || left[2] - right[2] : left[0] < right[0] ? -1 : 1,
    );
    expect(order).toEqual(sorted);
    expect(new Set(diagnostics.map(({ file }) => file)).size).toBe(3);
  });
});

describe("what is missing or unreadable is a diagnostic, never a throw", () => {
  test("no directory", async () => {
    const { definition, diagnostics } = await readAgentDirectory(join(directories.path, "nowhere"));
    expect(diagnostics).toMatchObject([
      { file: ".", line: 1, column: 1, severity: "error", rule: "directory-missing" },
    ]);
    expect(definition.identity.name).toBe("UnnamedAgent");
  });

  const rows: readonly [string, (path: string) => void, readonly string[]][] = [
    ["no agent.mdx", (path) => rmSync(join(path, "agent.mdx")), ["agent.mdx file-missing"]],
    [
      "a folder for agent.mdx",
      (path) => {
        rmSync(join(path, "agent.mdx"));
        mkdirSync(join(path, "agent.mdx"));
      },
      ["agent.mdx file-unreadable"],
    ],
    [
      "a link that leads to itself",
      (path) => {
        rmSync(join(path, "agent.mdx"));
        symlinkSync("agent.mdx", join(path, "agent.mdx"));
      },
      ["agent.mdx file-unreadable"],
    ],
    [
      "an endless device",
      (path) => {
        rmSync(join(path, "agent.mdx"));
        symlinkSync("/dev/zero", join(path, "agent.mdx"));
      },
      ["agent.mdx file-unreadable"],
    ],
    [
      "a huge file",
      (path) => writeFileSync(join(path, "heartbeat.md"), Buffer.alloc(17 * 1024 * 1024, "a\n")),
      ["heartbeat.md file-too-large"],
    ],
    [
      "a file for skills",
      (path) => {
        rmSync(join(path, "skills"), { recursive: true });
        writeFileSync(join(path, "skills"), "");
      },
      ["skills file-unreadable"],
    ],
    ["a file for modules", (path) => writeFileSync(join(path, "modules"), ""), ["modules file-unreadable"]],
    [
      "a folder for SKILL.md",
      (path) => mkdirSync(join(path, "skills/x/SKILL.md"), { recursive: true }),
      ["skills/x/SKILL.md file-unreadable"],
    ],
    ["a skill's folder without SKILL.md", (path) => mkdirSync(join(path, "skills/x")), ["skills/x skill-file-missing"]],
    ["a link of a skill to itself", (path) => symlinkSync("x", join(path, "skills/x")), ["skills/x file-unreadable"]],
    [
      "a link to a folder around skills",
      (path) => symlinkSync("..", join(path, "skills/x")),
      ["skills/x file-unreadable"],
    ],
    ["a link to no skill", (path) => symlinkSync("nowhere", join(path, "skills/x")), ["skills/x file-unreadable"]],
    [
      "a folder for heartbeat.md",
      (path) => mkdirSync(join(path, "heartbeat.md/full"), { recursive: true }),
      ["heartbeat.md file-unreadable"],
    ],
    [
      "an empty folder for heartbeat.md, which a sandbox has there",
      (path) => mkdirSync(join(path, "heartbeat.md")),
      [],
    ],
  ];
  for (const [name, spoil, rules] of rows) {
    test(name, async () => {
      const path = directoryWith({ "agent.mdx": agentText("") });
      spoil(path);
      const { diagnostics } = await readAgentDirectory(path);
      expect(rulesOf(diagnostics)).toEqual(rules);
      for (const { message, line, column } of diagnostics) {
        expect(message).toMatch(PLAIN_MESSAGE);
        expect([line, column]).toEqual([1, 1]);
      }
    });
  }

  test("a file that may not be read", async () => {
    const path = directoryWith({ "agent.mdx": agentText("") });
    const locked = directoryWith({ "agent.mdx": agentText("") });
    chmodSync(directories.path, 0o755);
    chmodSync(join(locked, "agent.mdx"), 0o000);
    // Root may read everything, so a child of root becomes somebody else once the parser is loaded.
    const script = `import { readAgentDirectory } from "@mdx-ai/parser";
      await readAgentDirectory(${JSON.stringify(path)});
      if (process.getuid?.() === 0) process.setuid(65534);
      console.log(JSON.stringify(await readAgentDirectory(${JSON.stringify(locked)})));`;
    const child = Bun.spawnSync([process.execPath, "--no-install", "-e", script], { cwd: import.meta.dir });
    const { diagnostics } = JSON.parse(child.stdout.toString());
    expect(rulesOf(diagnostics)).toEqual(["agent.mdx file-unreadable"]);
  });

  test("a file for the directory", async () => {
    const path = directoryWith({ "agent.mdx": agentText("") });
    expect(rulesOf((await readAgentDirectory(join(path, "agent.mdx"))).diagnostics)).toEqual([". directory-missing"]);
  });

  test("bytes that are not UTF-8, at their place", async () => {
    const path = directoryWith({ "agent.mdx": "" });
    const bytes = Buffer.concat([Buffer.from(agentText("é \uFFFD ")), Buffer.from([0xff, 0x41])]);
    writeFileSync(join(path, "agent.mdx"), bytes);
    const { definition, diagnostics } = await readAgentDirectory(path);
    expect(diagnostics).toMatchObject([{ line: 7, column: 5, severity: "error", rule: "file-encoding" }]);
    expect(definition.identity.name).toBe("Test");
  });
});

describe("the cache", () => {
  /** Without the marker of the last pruning, which comes when it comes. */
  const entriesIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name !== "last-pruned");

  test("gives the same result a second time, from one file", async () => {
    const path = directoryWith({ ...whole, "heartbeat.md": "nonsense" });
    const cacheDirectory = join(directories.path, "cache", String(count++));
    const first = await readAgentDirectory(path, { cacheDirectory });
    expect(entriesIn(cacheDirectory)).toHaveLength(1);
    expect(await readAgentDirectory(path, { cacheDirectory })).toEqual(first);
    expect(entriesIn(cacheDirectory)).toHaveLength(1);
    expect(first).toEqual(await readAgentDirectory(path));
  });

  test("is used: what its file says is what is given", async () => {
    const path = directoryWith(whole);
    const cacheDirectory = directoryWith({});
    await readAgentDirectory(path, { cacheDirectory });
    const [file = ""] = entriesIn(cacheDirectory);
    const entry = readCacheEntry(readFileSync(join(cacheDirectory, file), "utf8"), isDefinition);
    if (entry === undefined) throw new Error("the cache file is broken");
    const { identity } = entry.definition;
    const changed = { ...entry, definition: { ...entry.definition, identity: { ...identity, purpose: "Cached." } } };
    writeFileSync(join(cacheDirectory, file), cacheText(changed));
    const { definition } = await readAgentDirectory(path, { cacheDirectory });
    expect(definition.identity.purpose).toBe("Cached.");
    expect(isDeeplyFrozen(definition)).toBe(true);
  });

  const changes: readonly [string, (path: string) => void][] = [
    ["agent.mdx", (path) => writeFileSync(join(path, "agent.mdx"), agentText(`${tool}\n`))],
    ["heartbeat.md", (path) => rmSync(join(path, "heartbeat.md"))],
    ["a skill", (path) => writeFileSync(join(path, "skills/beta/SKILL.md"), "---\ndescription: New.\n---\n")],
    [
      "the name of a skill's folder",
      (path) => cpSync(join(path, "skills/beta"), join(path, "skills/gamma"), { recursive: true }),
    ],
    ["the list of modules", (path) => writeFileSync(join(path, "modules/c.ts"), "")],
  ];
  for (const [name, change] of changes) {
    test(`does not hide a change of ${name}`, async () => {
      const path = directoryWith(whole);
      const cacheDirectory = directoryWith({});
      await readAgentDirectory(path, { cacheDirectory });
      change(path);
      expect(await readAgentDirectory(path, { cacheDirectory })).toEqual(await readAgentDirectory(path));
      expect(entriesIn(cacheDirectory)).toHaveLength(2);
    });
  }

  for (const broken of [
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"definition":{},"diagnostics":[]}',
    '{"sha256":"0","entry":{"definition":{}}}',
    `{"sha256":"${"0".repeat(64)}","entry":{"definition":{},"diagnostics":[]}}`,
    "\u0000",
  ]) {
    test(`with a broken file is read anew and written again: ${JSON.stringify(broken)}`, async () => {
      const path = directoryWith(whole);
      const cacheDirectory = directoryWith({});
      const first = await readAgentDirectory(path, { cacheDirectory });
      const [file = ""] = entriesIn(cacheDirectory);
      const good = readFileSync(join(cacheDirectory, file), "utf8");
      writeFileSync(join(cacheDirectory, file), broken);
      expect(await readAgentDirectory(path, { cacheDirectory })).toEqual(first);
      expect(readFileSync(join(cacheDirectory, file), "utf8")).toBe(good);
    });
  }

  test("with one changed byte is read anew and written again", async () => {
    const path = directoryWith(whole);
    const cacheDirectory = directoryWith({});
    const first = await readAgentDirectory(path, { cacheDirectory });
    const [file = ""] = entriesIn(cacheDirectory);
    const good = readFileSync(join(cacheDirectory, file), "utf8");
    writeFileSync(join(cacheDirectory, file), good.replace("Tests.", "Rests."));
    expect(await readAgentDirectory(path, { cacheDirectory })).toEqual(first);
    expect(readFileSync(join(cacheDirectory, file), "utf8")).toBe(good);
  });

  test("that cannot be written costs nothing but time", async () => {
    const path = directoryWith(whole);
    const cacheDirectory = join(path, "agent.mdx", "cache");
    const { diagnostics } = await readAgentDirectory(path, { cacheDirectory });
    expect(diagnostics).toEqual([]);
  });

  test("of a folder where its file should be is passed over, and leaves no litter", async () => {
    const path = directoryWith(whole);
    const cacheDirectory = directoryWith({});
    await readAgentDirectory(path, { cacheDirectory });
    const [file = ""] = entriesIn(cacheDirectory);
    rmSync(join(cacheDirectory, file));
    mkdirSync(join(cacheDirectory, file, "x"), { recursive: true });
    expect((await readAgentDirectory(path, { cacheDirectory })).diagnostics).toEqual([]);
    expect(entriesIn(cacheDirectory)).toStrictEqual([file]);
  });

  test("may be written by many at once", async () => {
    const path = directoryWith(whole);
    const cacheDirectory = directoryWith({});
    const all = await Promise.all(Array.from({ length: 8 }, () => readAgentDirectory(path, { cacheDirectory })));
    for (const one of all) expect(one).toEqual(all[0] ?? one);
    expect(entriesIn(cacheDirectory)).toHaveLength(1);
  });
});

describe("the parser is loaded only when it is needed", () => {
  const source = join(import.meta.dir, ".");

  /** Runs a copy of the sources with no packages in reach but the base and its `leven`, so that loading any other fails. */
  function runBare(script: string): { readonly output: string; readonly errors: string } {
    const place = directoryWith({});
    cpSync(source, join(place, "src"), { recursive: true });
    cpSync(join(source, "../package.json"), join(place, "package.json"));
    const base = join(place, "node_modules/@mdx-ai/base");
    cpSync(join(source, "../../base"), base, { recursive: true, dereference: true });
    writeFileSync(join(place, "main.ts"), script);
    const command = [process.execPath, "--no-install", join(place, "main.ts")];
    const { stdout, stderr } = Bun.spawnSync(command, { cwd: place, env: { PATH: "/usr/bin:/bin" } });
    return { output: stdout.toString(), errors: stderr.toString() };
  }

  test("importing the index loads no package", () => {
    const { output, errors } = runBare(
      'import { wireNames } from "./src/index.ts"; console.log(wireNames(["a.b"]).get("a.b"));',
    );
    expect([output, errors]).toEqual(["a_b\n", ""]);
  });

  test("a directory that the cache knows is read without the parser", async () => {
    const path = directoryWith(whole);
    const cacheDirectory = directoryWith({});
    const first = await readAgentDirectory(path, { cacheDirectory });
    const call = `await readAgentDirectory(${JSON.stringify(path)}, ${JSON.stringify({ cacheDirectory })})`;
    const { output, errors } = runBare(
      `import { readAgentDirectory } from "./src/index.ts"; console.log(JSON.stringify(${call}));`,
    );
    expect(errors).toBe("");
    expect(JSON.parse(output)).toEqual(first);
  });
});

test("the caller receives each text as it was read, whether the definition is cached or not", async () => {
  const sourced = '<Tool name="t" description="T" src="./t.ts" />\n';
  const files = {
    "agent.mdx": `\uFEFF${agentText(sourced)}`,
    "heartbeat.md": "## Schedule\r\n\r\n@every: 15m\r\n",
    "skills/a/SKILL.md": "---\nname: a\ndescription: A.\n---\nBody\n",
    "t.ts": "export const execute = () => 1;\n",
  };
  const path = directoryWith({ ...files, "modules/m.ts": "" });
  const cacheDirectory = directoryWith({});
  for (let reading = 0; reading < 2; reading++) {
    const texts = new Map<string, string>();
    await readAgentDirectory(path, { cacheDirectory, onText: (file, text) => texts.set(file, text) });
    expect(Object.fromEntries(texts)).toEqual(files);
  }
});

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}
