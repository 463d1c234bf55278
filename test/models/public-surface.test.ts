import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";

const index = fileURLToPath(new URL("../../packages/models/src/index.ts", import.meta.url));

test("the package exports these names and no others", async () => {
  expect(Object.keys(await import("@mdx-ai/models")).sort()).toEqual([
    "MissingKeyError",
    "ModelError",
    "ModelScriptError",
    "UnknownProviderError",
    "isAssistantMessage",
    "isToolResultMessage",
    "isUserMessage",
    "openModel",
  ]);
});

test("importing it, and opening a model, loads no SDK and no other package", async () => {
  const program = `
    const { openModel } = await import(${JSON.stringify(index)});
    const before = Object.keys(require.cache);
    await openModel("claude-x", { environment: { ANTHROPIC_API_KEY: "k" } });
    console.log(JSON.stringify([before, Object.keys(require.cache)]));
  `;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  });
  const [imported, opened]: [string[], string[]] = JSON.parse(stdout.toString());
  expect(imported).toContain(index);
  expect(imported.filter((file) => file.includes("node_modules"))).toEqual([]);
  expect(opened.filter((file) => file.includes("@anthropic-ai"))).toEqual([]);
});
