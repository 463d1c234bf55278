import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, readManifest } from "@mdx-ai/directory";
import { readAgentDirectory } from "@mdx-ai/parser";
import { GREETING_AGENT, writeFiles } from "../../../../test/support/agent-files.ts";
import { importingAgent, importingText } from "../../../../test/support/importing-agent.ts";
import { manifestOf } from "../../../../test/support/read-manifest.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { coveredCode, trustedAgent } from "../../../../test/support/trusted-agent.ts";
import { filesOf, itemsOf } from "./manifest.ts";

const pathsOf = (manifest: Manifest): readonly string[] => filesOf(manifest).map(({ item }) => item);

const importing = (...lines: readonly string[]): string =>
  importingText({ code: `${lines.join("\n")}\nfunction execute() {}` });

describe("a manifest", () => {
  test("is made without running anything, macros included", async () => {
    using folder = temporaryDirectory();
    const mark = JSON.stringify(join(folder.path, "mark"));
    const write = `require("node:fs").writeFileSync(${mark}, "ran");`;
    writeFiles(folder.path, {
      "agent/agent.mdx": importing('import { run } from "./run.ts" with { type: "macro" };', "run();", write),
      "agent/run.ts": `${write}\nexport const run = () => {};`,
      "agent/modules/run.ts": 'import { run } from "../run.ts" with { type: "macro" };\nrun();',
    });
    const manifest = await manifestOf(join(folder.path, "agent"));
    expect(pathsOf(manifest)).toStrictEqual(["modules/run.ts", "run.ts"]);
    expect(existsSync(join(folder.path, "mark"))).toBe(false);
  });

  test("says of each file why it is listed, and groups the files of a package", async () => {
    using folder = temporaryDirectory();
    const manifest = await manifestOf(importingAgent(folder.path));
    const kinds = Object.fromEntries(filesOf(manifest).map(({ item, kind }) => [item, kind]));
    expect(kinds).toMatchObject({
      "../shared/further.ts": "imported file",
      "bun.lock": "file",
      "lib/deep.js": "imported file",
      "modules/clock.ts": "module file",
      "modules/parts/hand.ts": "module file",
      "skills/sum/scripts/sum.py": "script",
      "tools/extra.sh": "tool file",
    });
    expect(itemsOf(manifest, "package")).toStrictEqual(["pad@1.2.3"]);
    expect(pathsOf(manifest).filter((path) => path.includes("node_modules"))).toStrictEqual([]);
  });

  test("holds the packages of the models that the frontmatter names, so that a change of them asks for trust again", async () => {
    using folder = temporaryDirectory();
    const agent = (model: string): string => `---\nmodel: ${model}\n---\n\n${GREETING_AGENT}`;
    const code = "node_modules/@maker/provider/index.js";
    writeFiles(folder.path, {
      "agent.mdx": agent("anthropic/claude-opus-5"),
      "node_modules/@maker/provider/package.json": '{"name": "@maker/provider", "version": "1.2.3"}',
      [code]: "export const provider = 1;",
    });
    using before = await trustedAgent(folder.path);
    writeFiles(folder.path, { "agent.mdx": agent('[offline, "ai-sdk:@maker/provider#x"]') });
    expect(await before.changes()).toStrictEqual(["+ package @maker/provider@1.2.3"]);
    using named = await trustedAgent(folder.path);
    writeFiles(folder.path, { [code]: "export const provider = 2;" });
    expect(await named.changes()).toStrictEqual(["~ package @maker/provider@1.2.3"]);
  });

  test("covers the native parts of a package, which it finds while it runs, but not of packages in it", async () => {
    using folder = temporaryDirectory();
    const parts = ["pad/build/pad.node", "pad/prebuilds/linux-x64/pad.node", "pad/node_modules/other/other.node"];
    writeFiles(folder.path, {
      "agent.mdx": importing('import "pad";'),
      "node_modules/pad/package.json": '{"name": "pad", "version": "1.0.0"}',
      "node_modules/pad/index.js": "require(`./prebuilds/` + process.platform + `-x64/pad.node`);",
      ...Object.fromEntries(parts.map((path) => [`node_modules/${path}`, ""])),
    });
    const hashOf = async (): Promise<string | undefined> => {
      using agent = await trustedAgent(folder.path);
      return agent.record.hash;
    };
    const hashes = [await hashOf()];
    for (const path of parts) {
      writeFiles(folder.path, { [`node_modules/${path}`]: "changed" });
      hashes.push(await hashOf());
    }
    expect(new Set(hashes).size).toBe(3);
    expect(hashes[3]).toBe(hashes[2]);
  });

  test("knows which of two packages of one name and version holds which file", async () => {
    using folder = temporaryDirectory();
    const copies = ["node_modules/pad", "node_modules/other/node_modules/pad"];
    writeFiles(folder.path, {
      "agent.mdx": importing('import "pad"; import "other";'),
      "node_modules/other/index.js": 'require("pad");',
      ...Object.fromEntries(copies.map((copy) => [`${copy}/package.json`, '{"name": "pad", "version": "1.0.0"}'])),
    });
    const hashOf = async (...texts: readonly string[]): Promise<string> => {
      for (const [index, copy] of copies.entries())
        writeFiles(folder.path, { [`${copy}/index.js`]: texts[index] ?? "" });
      using agent = await trustedAgent(folder.path);
      return agent.record.hash ?? "";
    };
    expect(await hashOf("1;", "2;")).not.toBe(await hashOf("2;", "1;"));
    expect(await hashOf("1;", "2;")).toBe(await hashOf("1;", "2;"));
  });

  test("survives links that lead in a circle or nowhere", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "agent.mdx": importing('import "./a.ts";'),
      "a.ts": 'import "./loop.ts";',
    });
    symlinkSync("loop.ts", join(folder.path, "loop.ts"));
    mkdirSync(join(folder.path, "modules"));
    symlinkSync(".", join(folder.path, "modules/circle"));
    symlinkSync("nowhere", join(folder.path, "tools"));
    expect(pathsOf(await manifestOf(folder.path))).toStrictEqual(["a.ts"]);
  });

  test("has no links that lead to no file of it: they, and a package.json that a package lacks, count as absent", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "agent.mdx": importing('import "nopkg";', 'try { require("./gone.ts"); } catch {}'),
      "modules/a.ts": "export default {};",
      "node_modules/nopkg/index.js": "",
    });
    symlinkSync("me@host.1234", join(folder.path, "modules/.#a.ts"));
    symlinkSync("nowhere.ts", join(folder.path, "gone.ts"));
    const manifest = await manifestOf(folder.path);
    expect(manifest.links).toStrictEqual([]);
    const absent = ["gone.ts", "modules/.#a.ts", "node_modules/nopkg/package.json"];
    expect(manifest.shadows).toEqual(expect.arrayContaining(absent));
    expect((await coveredCode(folder.path)).files).not.toContain("node_modules/nopkg/package.json");
    expect(itemsOf(manifest, "package")).toStrictEqual(["nopkg"]);
  });

  test("does not wait for a pipe, nor read a device", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "agent.mdx": importing('import "./pipe.ts";', 'import "/dev/zero";', 'import "./zero.ts";'),
    });
    expect(Bun.spawnSync(["mkfifo", join(folder.path, "pipe.ts")]).exitCode).toBe(0);
    symlinkSync("/dev/zero", join(folder.path, "zero.ts"));
    expect(filesOf(await manifestOf(folder.path))).toStrictEqual([]);
  });

  test("ends with a clear error where a file is too big to look through", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "agent.mdx": importing('import "./big.ts";'),
      "big.ts": "",
    });
    truncateSync(join(folder.path, "big.ts"), 1024 ** 3);
    await expect(manifestOf(folder.path)).rejects.toThrow(/more than 200 megabytes.*big\.ts/);
  });

  test("is of the parsed code, even if agent.mdx has changed", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "agent.mdx": GREETING_AGENT });
    const directory = await readAgentDirectory(folder.path);
    const before = await readManifest(directory);
    writeFiles(folder.path, { "agent.mdx": GREETING_AGENT.replace("Hello", "Evil") });
    expect(await readManifest(directory)).toStrictEqual(before);
  });
});

describe("the files that trust covers", () => {
  test("are those that define the agent, by their paths and by links to them", async () => {
    using folder = temporaryDirectory();
    const { files } = await coveredCode(importingAgent(folder.path));
    const expected = [
      "agent.mdx",
      "data.json",
      "heartbeat.md",
      "lib/deep.js",
      "lib/inner.js",
      "linked.ts",
      "package.json",
    ];
    expect(files).toEqual(expect.arrayContaining(expected));
    expect(files.filter((path) => path.startsWith("..") || path.includes("node_modules/"))).toStrictEqual([]);
  });

  test("are joined by the places where a new file would be imported instead", async () => {
    using folder = temporaryDirectory();
    const { shadows } = await manifestOf(importingAgent(folder.path));
    expect(shadows).toEqual(expect.arrayContaining(["lib/inner", "lib/inner.ts", "lib/inner.tsx"]));
    expect(shadows).not.toContain("lib/inner.js");
    expect(shadows.filter((path) => path.startsWith("late"))).toStrictEqual([]);
  });
});

describe("the paths at which something new would be imported or obeyed", () => {
  test("are those beside a folder that is imported, and in it", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "agent.mdx": importing('import "./lib";'),
      "lib/index.ts": 'import "pad";',
      "node_modules/pad/index.js": "",
    });
    const manifest = await manifestOf(folder.path);
    const absent = ["lib.tsx", "lib.jsx", "lib.ts", "lib.mjs", "lib.js", "lib.cjs", "lib.json", "lib/index.tsx"];
    const described = ["lib/package.json", "lib/tsconfig.json", "lib/jsconfig.json", "lib/node_modules"];
    const { files } = await coveredCode(folder.path);
    expect(files).toEqual(expect.arrayContaining([...absent, ...described, "lib/index.ts"]));
    expect(manifest.shadows).not.toContain("lib/index.ts");
    expect(files.filter((path) => path.startsWith(".."))).toStrictEqual([]);
  });

  test("include a file that code imports and that does not exist", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, {
      "agent.mdx": GREETING_AGENT,
      "modules/a.ts": 'await import("../late").catch(() => {});',
    });
    expect((await coveredCode(folder.path)).files).toEqual(
      expect.arrayContaining(["late", "late.ts", "late/index.js"]),
    );
  });
});

describe("the hash of a tool's code", () => {
  test("changes with its code and with what it imports, and with nothing else", async () => {
    using folder = temporaryDirectory();
    const directory = importingAgent(folder.path);
    const hash = async (): Promise<string | undefined> => (await coveredCode(directory)).tools.get("fetch_it");
    const first = await hash();
    writeFiles(directory, { "skills/sum/scripts/sum.py": "print(2)" });
    expect(await hash()).toBe(first);
    writeFiles(directory, { "lib/deep.js": "export const inner = 2;" });
    expect(await hash()).not.toBe(first);
  });

  test("of a tool without imports is the hash of its code", async () => {
    using folder = temporaryDirectory();
    writeFiles(folder.path, { "agent.mdx": GREETING_AGENT });
    const before = (await coveredCode(folder.path)).tools.get("greet");
    writeFiles(folder.path, { "modules/other.ts": "export default {};" });
    expect((await coveredCode(folder.path)).tools.get("greet")).toBe(before);
  });
});
