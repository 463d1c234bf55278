import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ToolDefinition } from "@mdx-ai/parser";
import { writeText } from "../../support/agent-files.ts";
import { openToolBench, toolOf } from "../../support/tool-bench.ts";

/** A tool whose code is a file, as the parser gives it. */
function toolFrom(directory: string, file: string, text: string): ToolDefinition {
  writeText(join(directory, file), text);
  return toolOf("", { code: { file, text, position: { line: 1, column: 1 }, indent: 0 } });
}

test("the code of a tool may be in a file: it can import files beside it and helpers", async () => {
  await using bench = openToolBench();
  writeText(join(bench.directory, "tools/word.ts"), 'export const word: string = "beside";');
  writeText(join(bench.directory, "node_modules/installed/index.js"), 'module.exports = "installed";');
  const code = `import { readdirSync } from "node:fs";
import { version } from "bun";
import installed from "installed";
import { word } from "./word.ts";

export const loud = (text: string): string => text.toUpperCase();
const twice = (text: string): string => text + text;

export async function execute(params: unknown, ctx: { agentDir: string }) {
  return [loud(word), twice("a"), installed, typeof version, readdirSync(ctx.agentDir).includes("tools")].join();
}
`;
  expect(await bench.run(toolFrom(bench.directory, "tools/x.ts", code))).toMatchObject({
    text: "BESIDE,aa,installed,string,true",
    isError: false,
  });
});

test("an error of such code names the line and column of that file", async () => {
  await using bench = openToolBench();
  const code =
    'const fail = (): never => {\n  throw new Error("broken");\n};\nexport async function execute() {\n  fail();\n}\n';
  const { text } = await bench.run(toolFrom(bench.directory, "tools/x.ts", code));
  expect(text).toBe("broken (tools/x.ts:2:13)");
});

test("such code may be JSX, and reached through a link, from whose target its imports start", async () => {
  await using bench = openToolBench();
  writeText(join(bench.directory, "shared/word.ts"), 'export const word = "of the target";');
  const code = 'import { word } from "./word.ts";\nexport const execute = async () => word;\n';
  writeText(join(bench.directory, "shared/x.tsx"), code);
  symlinkSync("shared/x.tsx", join(bench.directory, "x.tsx"));
  const tool = toolOf("", { code: { file: "x.tsx", text: code, position: { line: 1, column: 1 }, indent: 0 } });
  expect(await bench.run(tool)).toMatchObject({ text: "of the target" });
});

test("a package that is not installed is an error at its place, and nothing is asked of a registry", async () => {
  let requests = 0;
  using registry = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      requests += 1;
      return new Response(null, { status: 404 });
    },
  });
  const url = registry.url.href;
  const environment = { PATH: process.env["PATH"], BUN_CONFIG_REGISTRY: url, npm_config_registry: url };
  await using bench = openToolBench(environment);
  const tool = toolOf('import pad from "left-pad-of-nobody";\nexport const execute = async () => pad("x");', {
    environment: ["BUN_CONFIG_REGISTRY", "npm_config_registry"],
  });
  expect(await bench.run(tool)).toMatchObject({ text: expect.stringContaining("(agent.mdx:10:17)"), isError: true });
  expect(requests).toBe(0);
});
