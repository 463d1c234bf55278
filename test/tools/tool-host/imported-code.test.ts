import { expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { ToolHost } from "@mdx-ai/tools";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { writeFiles } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { toolOf } from "../../support/tool-bench.ts";
import { textOf, toolContext } from "../../support/tool-context.ts";

const HELPER = "export const word: string = 'trusted';\n";
const CODE = `import { word } from "./helper.ts";
import script from "./script.js";
import old from "./old.cjs";
export const execute = async () => [word, script, old, (await import("./new" + ".ts")).word].join(" ");`;

/** The result of a tool whose imports were hashed, then written. */
async function resultAfter(files: Readonly<Record<string, string>>, code = CODE, place = ".") {
  using folder = temporaryDirectory();
  const directory = join(realpathSync(folder.path), place);
  writeFiles(directory, {
    "helper.ts": HELPER,
    "script.js": "export default 1;\n",
    "old.cjs": "module.exports = 2;\n",
    "new.ts": "export const word = 'made';\n",
  });
  const names = ["helper.ts", "script.js", "old.cjs"];
  const hashes = new Map<string, string>();
  for (const name of names) hashes.set(join(directory, name), await sha256(join(directory, name)));
  writeFiles(directory, files);
  const options = { command: toolHostCommand(), agentDir: directory, cwd: directory, environment: process.env };
  const host = new ToolHost({ ...options, hashes });
  try {
    return textOf(await host.call(toolOf(code), {}, toolContext(directory)));
  } finally {
    await host.close();
  }
}

const sha256 = async (path: string): Promise<string> =>
  new Bun.CryptoHasher("sha256").update(await Bun.file(path).bytes()).digest("hex");

test("a tool imports what trust covers, and what it makes itself", async () => {
  expect(await resultAfter({})).toBe("trusted 1 2 made");
  expect(await resultAfter({ "new.ts": "export const word = 'remade';\n" })).toBe("trusted 1 2 remade");
});

test.each([
  ["helper.ts", "export const word = 'swapped';\n"],
  ["script.js", "export default 'swapped';\n"],
  ["old.cjs", "module.exports = 'swapped';\n"],
])("a tool does not import %s once it differs from what trust covers", async (name, text) => {
  const result = await resultAfter({ [name]: text });
  expect(result).toContain(`${name} has changed since it was trusted`);
  expect(result).not.toContain("swapped");
});

test.each([
  ["helper.ts", "export const word = 'swapped';\n"],
  ["script.js", "export default 'swapped';\n"],
])("a query does not hide from a tool that %s differs from what trust covers", async (name, text) => {
  const code = `export const execute = async () => JSON.stringify(await import("./${name}?x=1"));`;
  const result = await resultAfter({ [name]: text }, code);
  expect(result).toContain(`${name} has changed since it was trusted`);
  expect(result).not.toContain("swapped");
});

test("a tool of an agent in a node_modules folder does not import what differs from what trust covers", async () => {
  const swapped = { "helper.ts": "export const word = 'swapped';\n" };
  expect(await resultAfter(swapped, CODE, "node_modules/agent")).toContain(
    "helper.ts has changed since it was trusted",
  );
});
