import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";

const index = fileURLToPath(new URL("../../packages/mcp/src/index.ts", import.meta.url));

test("the package exports these names and no others", async () => {
  expect(Object.keys(await import("@mdx-ai/mcp")).sort()).toEqual(["McpError", "openMcpConnection"]);
});

test("importing it, and making a connection, loads no large package", () => {
  const program = `
    const { openMcpConnection } = await import(${JSON.stringify(index)});
    openMcpConnection({ name: "x", server: { transport: "stdio", command: "x" }, baseDir: "/", environment: {} });
    console.log(JSON.stringify(Object.keys(require.cache)));
  `;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  });
  const loaded: string[] = JSON.parse(stdout.toString());
  expect(loaded).toContain(index);
  expect(loaded.filter((file) => /node_modules(?!.*\/leven\/)/.test(file))).toEqual([]);
});
