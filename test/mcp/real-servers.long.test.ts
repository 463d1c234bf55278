import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defined } from "@mdx-ai/base";
import type { McpServerDefinition } from "@mdx-ai/parser";
import { mcpBench, textOf } from "../support/mcp-bench.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const EVERYTHING = import.meta.resolve("@modelcontextprotocol/server-everything/package.json");
const FILESYSTEM = import.meta.resolve("@modelcontextprotocol/server-filesystem/package.json");
const MEMORY = import.meta.resolve("@modelcontextprotocol/server-memory/package.json");

/** The program of a package. */
const official = (manifest: string, ...args: readonly string[]): McpServerDefinition => ({
  transport: "stdio",
  command: process.execPath,
  args: [fileURLToPath(new URL("dist/index.js", manifest)), ...args],
});

test("server-everything: tools, progress, images, links, resources and prompts", async () => {
  await using bench = mcpBench(official(EVERYTHING, "stdio"), { roots: ["/tmp"] });
  expect(textOf(await bench.call("echo", { message: "tea" }))).toBe("Echo: tea");
  const { signal } = new AbortController();
  const steps: number[] = [];
  await bench.connection.call(
    "trigger-long-running-operation",
    { duration: 0.4, steps: 2 },
    { signal, onProgress: ({ progress }) => steps.push(progress) },
  );
  expect(steps).toContain(1);
  expect(textOf(await bench.call("get-tiny-image"))).toContain("<image/png>");
  expect(textOf(await bench.call("get-resource-links", { count: 1 }))).toContain("[Link to the resource");
  expect(textOf(await bench.call("get-resource-reference", { resourceType: "Text", resourceId: 1 }))).toContain(
    "[Resource demo://",
  );
  const structured = await bench.call("get-structured-content", { location: "New York" });
  expect(structured.structuredContent).toMatchObject({ conditions: expect.any(String) });
  const [resource] = await bench.connection.resources();
  expect(await bench.connection.readResource(resource?.uri ?? "")).toMatchObject([{ type: "text" }]);
  const prompts = await bench.connection.prompts();
  expect(prompts.find(({ name }) => name === "args-prompt")?.arguments[0]).toMatchObject({
    name: "city",
    required: true,
  });
  expect(await bench.connection.prompt("args-prompt", { city: "Vienna" })).toContain("Vienna");
});

test("server-filesystem: reads in the folder that it is given and nowhere else", async () => {
  await using bench = mcpBench((folder) => official(FILESYSTEM, folder));
  writeFileSync(join(bench.folder, "a.txt"), "tea");
  expect(textOf(await bench.call("read_text_file", { path: join(bench.folder, "a.txt") }))).toBe("tea");
  expect((await bench.call("read_text_file", { path: "/etc/passwd" })).isError).toBe(true);
});

test.each([
  ["the folders of its arguments, since they name some", undefined, true],
  ["none of them where roots are declared", ["other"], false],
  ["the folders of its arguments where roots are off", "off", true],
] as const)("server-filesystem: may work in %s", async (_name, roots, isAllowed) => {
  using elsewhere = temporaryDirectory();
  writeFileSync(join(elsewhere.path, "a.txt"), "tea");
  const server = { ...official(FILESYSTEM, elsewhere.path), ...defined({ roots }) };
  await using bench = mcpBench(server, { roots: [import.meta.dir] });
  mkdirSync(join(bench.folder, "other"));
  writeFileSync(join(bench.folder, "other/b.txt"), "milk");
  await bench.connection.connect();
  const read = async (path: string): Promise<boolean> =>
    (await bench.call("read_text_file", { path })).isError !== true;
  // The server asks for its roots once it is initialized.
  const deadline = performance.now() + 10_000;
  while ((await read(join(elsewhere.path, "a.txt"))) !== isAllowed && performance.now() < deadline) await Bun.sleep(20);
  expect(await read(join(elsewhere.path, "a.txt"))).toBe(isAllowed);
  expect(await read(join(bench.folder, "other/b.txt"))).toBe(!isAllowed);
});

test("server-memory: stores what it receives in its file", async () => {
  const definition = { ...official(MEMORY), env: { MEMORY_FILE_PATH: "${FOLDER}/memory.jsonl" } };
  await using bench = mcpBench(definition);
  const { signal } = new AbortController();
  const entities = [{ name: "Ada", entityType: "person", observations: ["likes tea"] }];
  await bench.connection.call("create_entities", { entities }, { signal });
  expect(textOf(await bench.call("search_nodes", { query: "tea" }))).toContain("Ada");
});
