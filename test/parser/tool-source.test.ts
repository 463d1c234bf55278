import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type AgentDirectory, readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles, writeText } from "../support/agent-files.ts";
import { agentText, toolWithCode } from "../support/agent-text.ts";
import { parseAgentMdx } from "../support/parse-agent-mdx.ts";
import { PLAIN_MESSAGE } from "../support/plain-message.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const directories = temporaryDirectory();
afterAll(() => directories[Symbol.dispose]());
let count = 0;

const good = 'export async function execute() { return "tea"; }\n';
const brewing = (src: string): string => agentText(`<Tool name="brew" description="Brews tea" src="${src}" />\n`);

/** A new folder `agent` with these files, within a folder of its own. */
function agentWith(files: Readonly<Record<string, string>>): string {
  const path = join(directories.path, String(count++), "agent");
  mkdirSync(path, { recursive: true });
  return writeFiles(path, files);
}

const places = ({ diagnostics }: AgentDirectory): readonly string[] =>
  diagnostics.map(({ file, line, column, severity, rule }) => `${file}:${line}:${column} ${severity} ${rule}`);

const texts = ({ definition }: AgentDirectory): readonly string[] => definition.tools.map(({ code }) => code.text);

describe("a tool may have its code in a file", () => {
  test("whose text it then has, with the path from the agent directory on", async () => {
    const path = agentWith({ "agent.mdx": brewing("./tools/brew.ts"), "tools/brew.ts": good });
    const directory = await readAgentDirectory(path);
    expect(directory.diagnostics).toStrictEqual([]);
    expect(directory.definition.tools.map(({ code }) => code)).toStrictEqual([
      { file: "tools/brew.ts", text: good, position: { line: 1, column: 1 }, indent: 0 },
    ]);
    expect(Object.isFrozen(directory.definition.tools[0]?.code)).toBe(true);
  });

  const files: readonly [string, string, string][] = [
    ["of JavaScript", "brew.js", "export const execute = () => 1;"],
    ["of a module", "lib/brew.mjs", "function execute() { return 1; }"],
    ["of TypeScript as a module", "brew.mts", "export function execute(): number { return <number>1; }"],
    ["of TypeScript as CommonJS", "brew.cts", "function execute(): number { return 1; }"],
    ["with JSX", "brew.tsx", "export const execute = (): unknown => <b>tea</b>;"],
    ["with JSX and without types", "brew.jsx", "export const execute = () => <b>tea</b>;"],
    ["that exports what it declared", "brew.ts", "const execute = () => 1;\nexport { execute };"],
    ["that exports what stands elsewhere", "brew.ts", 'export { execute } from "./other.ts";'],
    ["without a line end at its end", "brew.ts", "function execute() {} // end"],
    [
      "with imports of all kinds",
      "brew.ts",
      'import "node:fs";\nimport "bun";\nimport "./a.ts";\nimport "left-pad";\nexport function execute() {}',
    ],
  ];
  for (const [name, file, text] of files) {
    test(name, async () => {
      const directory = await readAgentDirectory(agentWith({ "agent.mdx": brewing(file), [file]: text }));
      expect(directory.diagnostics).toStrictEqual([]);
      expect(texts(directory)).toStrictEqual([text]);
    });
  }

  const paths: readonly [string, string][] = [
    ["./tools/./brew.ts", "tools/brew.ts"],
    ["tools//brew.ts", "tools/brew.ts"],
    ["tools/../brew.ts", "brew.ts"],
    ["a b/ünï.ts", "a b/ünï.ts"],
  ];
  for (const [written, file] of paths) {
    test(`${written} is ${file}`, async () => {
      const directory = await readAgentDirectory(
        agentWith({ "agent.mdx": brewing(written), [file]: good, "tools/x": "" }),
      );
      expect(directory.definition.tools.map(({ code }) => code.file)).toStrictEqual([file]);
    });
  }

  test("without its byte-order mark, and with its own line ends", async () => {
    const text = "\uFEFF// tea\r\nfunction execute() {\r\n}\r\n";
    const directory = await readAgentDirectory(agentWith({ "agent.mdx": brewing("brew.ts"), "brew.ts": text }));
    expect(directory.diagnostics).toStrictEqual([]);
    expect(texts(directory)).toStrictEqual([text.slice(1)]);
  });

  test("that several tools share", async () => {
    const second = '<Tool name="pour" description="Pours tea" src="brew.ts" />\n';
    const path = agentWith({ "agent.mdx": `${brewing("./brew.ts")}\n${second}`, "brew.ts": "function execute( {}" });
    const directory = await readAgentDirectory(path);
    expect(places(directory)).toStrictEqual(["brew.ts:1:17 error tool-code-syntax"]);
    expect(texts(directory)).toHaveLength(2);
  });

  test("whose path is in single quotes, in braces, or on a line of its own", async () => {
    for (const src of ["src='./brew.ts'", 'src={"./brew.ts"}', 'src=\n  "brew.ts"']) {
      const text = agentText(`<Tool name="brew" description="Brews tea" ${src} />\n`);
      const directory = await readAgentDirectory(agentWith({ "agent.mdx": text, "brew.ts": good }));
      expect(directory.diagnostics).toStrictEqual([]);
      expect(texts(directory)).toStrictEqual([good]);
    }
  });

  test("whose path must be plain text", async () => {
    const path = agentWith({ "agent.mdx": brewing("brew&#45;tea.ts"), "brew-tea.ts": good });
    const { diagnostics, definition } = await readAgentDirectory(path);
    expect(diagnostics.map(({ rule, message }) => [rule, message])).toStrictEqual([
      ["tool-source", "`src` is not written as a plain text"],
    ]);
    expect(definition.tools).toStrictEqual([]);
  });

  test("that a link within the agent directory leads to", async () => {
    const path = agentWith({ "agent.mdx": brewing("tools/brew.ts"), "lib/brew.ts": good, "tools/x": "" });
    symlinkSync("../lib/brew.ts", join(path, "tools/brew.ts"));
    const directory = await readAgentDirectory(path);
    expect(directory.diagnostics).toStrictEqual([]);
    expect(directory.definition.tools.map(({ code }) => code.file)).toStrictEqual(["tools/brew.ts"]);
  });

  test("the parser itself reads no file: it leaves the text empty", async () => {
    const { tools } = await parseAgentMdx(brewing("./tools/brew.ts"));
    expect(tools.map(({ code }) => [code.file, code.text])).toStrictEqual([["tools/brew.ts", ""]]);
  });
});

describe("a file that cannot be a tool's code is told at the attribute, and the tool is left out", () => {
  const rows: readonly [string, string, RegExp][] = [
    ["one that is not there", "./tools/none.ts", /does not exist/],
    ["one beyond a file", "agent.mdx/brew.ts", /cannot read the file \(ENOTDIR\)/],
    ["a folder", "folder.ts", /not a regular file/],
    ["one above the agent directory", "../outside.ts", /only loaded from there/],
    ["one above it, by a way around", "tools/../../outside.ts", /only loaded from there/],
    ["one beside it whose name begins alike", "../agent-evil/brew.ts", /only loaded from there/],
    ["one that a link leads out to", "link.ts", /leads out of the agent directory/],
    ["one in a folder that is a link out", "folder-link/brew.ts", /leads out of the agent directory/],
    [
      "one beside it that a link leads to and whose name begins alike",
      "evil-link.ts",
      /leads out of the agent directory/,
    ],
    ["a link to itself", "circle.ts", /its link leads to itself/],
    ["a device", "device.ts", /leads out of the agent directory/],
    ["a pipe, which is not waited for", "pipe.ts", /not a regular file/],
    ["one of more than a megabyte", "huge.ts", /1048577 bytes, at most 1048576/],
    ["an absolute path", "/etc/passwd.ts", /relative to agent\.mdx/],
    ["a home folder", "~/brew.ts", /relative to agent\.mdx/],
    ["a path of Windows", "tools\\brew.ts", /with `\/`/],
    ["a drive", "C:/brew.ts", /only loaded from there/],
    ["an address", "https://example.com/brew.ts", /only loaded from there/],
    ["the address of a file", "file:brew.ts", /only loaded from there/],
    ["another language", "brew.py", /TypeScript or JavaScript/],
    ["declarations", "brew.d.ts", /TypeScript or JavaScript/],
    ["no ending", "brew", /TypeScript or JavaScript/],
    ["a folder's name", "tools/", /TypeScript or JavaScript/],
    ["nothing", "", /write `src=/],
    ["a line break", "a&#10;b.ts", /write `src=/],
    ["a NUL", "a\u0000.ts", /./],
  ];
  for (const [name, src, said] of rows) {
    test(name, async () => {
      const path = agentWith({ "agent.mdx": brewing(src), "huge.ts": `//${" ".repeat(1024 * 1024 - 1)}` });
      writeFiles(join(path, ".."), { "outside.ts": good, "agent-evil/brew.ts": good });
      mkdirSync(join(path, "folder.ts"));
      symlinkSync("../outside.ts", join(path, "link.ts"));
      symlinkSync("../agent-evil/brew.ts", join(path, "evil-link.ts"));
      symlinkSync("../agent-evil", join(path, "folder-link"));
      symlinkSync("circle.ts", join(path, "circle.ts"));
      symlinkSync("/dev/zero", join(path, "device.ts"));
      Bun.spawnSync(["mkfifo", join(path, "pipe.ts")]);
      const directory = await readAgentDirectory(path);
      expect(places(directory)).toStrictEqual(["agent.mdx:7:43 error tool-source"]);
      const [{ message, hint } = { message: "" }] = directory.diagnostics;
      expect(message).toMatch(PLAIN_MESSAGE);
      expect(`${message} ${hint}`).toMatch(said);
      expect(directory.definition.tools).toStrictEqual([]);
    });
  }

  test("a file beside a code block: both are shown, each with the line of the other", async () => {
    const text = agentText(toolWithCode("function execute() {}", 'name="t" description="d" src="brew.ts"'));
    const directory = await readAgentDirectory(agentWith({ "agent.mdx": text, "brew.ts": good }));
    expect(places(directory)).toStrictEqual(["agent.mdx:7:32 error tool-source", "agent.mdx:10:1 error tool-source"]);
    expect(directory.diagnostics.map(({ hint }) => hint)).toStrictEqual([
      "remove `src` or the code block in line 10",
      "remove the block or `src` in line 7",
    ]);
  });
});

describe("a mistake in the code of a file is told in that file", () => {
  const rows: readonly [string, string, readonly string[]][] = [
    ["its syntax", "// ünï 😀\nfunction execute() {\n  return 'ä' +;\n}\n", ["brew.ts:3:15 error tool-code-syntax"]],
    [
      "its syntax, with CRLF",
      "// a\r\nfunction execute() {\r\n  return +;\r\n}\r\n",
      ["brew.ts:3:11 error tool-code-syntax"],
    ],
    ["its syntax, behind a byte-order mark", "\uFEFFfunction execute( {}", ["brew.ts:1:17 error tool-code-syntax"]],
    ["no execute", "export function brew() {}", ["brew.ts:1:1 error tool-execute"]],
    [
      "an execute within another function",
      "function a() { function execute() {} }",
      ["brew.ts:1:1 error tool-execute"],
    ],
    ["an empty file", "", ["brew.ts:1:1 error tool-execute"]],
  ];
  for (const [name, text, expected] of rows) {
    test(name, async () => {
      const directory = await readAgentDirectory(agentWith({ "agent.mdx": brewing("brew.ts"), "brew.ts": text }));
      expect(places(directory)).toStrictEqual([...expected]);
    });
  }

  test("types in a file of JavaScript are a mistake", async () => {
    const files = { "agent.mdx": brewing("brew.js"), "brew.js": "function execute(a: string) {}" };
    expect(places(await readAgentDirectory(agentWith(files)))[0]).toBe("brew.js:1:19 error tool-code-syntax");
  });
});

describe("the cache knows a definition by the texts of such files", () => {
  test("an edit of it is read, though agent.mdx is the same, and so is its loss and its return", async () => {
    const path = agentWith({ "agent.mdx": brewing("brew.ts"), "brew.ts": good });
    const cacheDirectory = join(directories.path, "cache", String(count++));
    const read = (): Promise<AgentDirectory> => readAgentDirectory(path, { cacheDirectory });
    expect(texts(await read())).toStrictEqual([good]);
    writeText(join(path, "brew.ts"), "function execute() { return 2; }");
    expect(texts(await read())).toStrictEqual(["function execute() { return 2; }"]);
    writeText(join(path, "brew.ts"), "function execute() {");
    expect(places(await read())).toStrictEqual(["brew.ts:1:20 error tool-code-syntax"]);
    rmSync(join(path, "brew.ts"));
    expect(places(await read())).toStrictEqual(["agent.mdx:7:43 error tool-source"]);
    writeText(join(path, "brew.ts"), good);
    expect(texts(await read())).toStrictEqual([good]);
    const kept = readdirSync(cacheDirectory).filter((name) => name.endsWith(".json"));
    expect(kept).toHaveLength(4);
    const held = kept.map((name) => readFileSync(join(cacheDirectory, name), "utf8"));
    expect(held.filter((text) => text.includes("return"))).toHaveLength(2);
  });
});
