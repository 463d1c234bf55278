import { expect, test } from "bun:test";
import { readAgentDirectory } from "@mdx-ai/parser";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../../../test/support/agent-files.ts";
import { moduleMistakes } from "./module-mistakes.ts";

async function mistakesOf(module: string): Promise<readonly string[]> {
  using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT, "modules/a.ts": module });
  const { diagnostics } = moduleMistakes(await readAgentDirectory(directory.path));
  return diagnostics.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}

const NO_DEFAULT = "modules/a.ts:1:1 module without a default export, expected an AgentModule";

test.each([
  ["export default {", ["modules/a.ts:1:16 the `{` is not closed, expected `}`"]],
  ["\uFEFF// Ä\r\nexport default { a: 1 + };", ["modules/a.ts:2:25 cannot parse the code (Unexpected })"]],
  ["/*\n```\n*/\nlet x = ;", ["modules/a.ts:4:9 cannot parse the code (Unexpected ;)"]],
  ["export const a = 1;", [NO_DEFAULT]],
  ["", [NO_DEFAULT]],
])("a module that cannot be imported is a mistake without a compiler, too: %j", async (module, mistakes) => {
  expect(await mistakesOf(module)).toStrictEqual(mistakes);
});

test.each([
  "export default {};",
  "const a = {};\nexport { a as default };",
  'export { default } from "../lib/a.ts";',
  'import type { Agent } from "mdx-ai";\nexport default class A {\n  @log accessor a = 1;\n}',
  "module.exports = {};",
  "exports.default = {};",
  "export default await import('./b.ts');",
])("a module that can be imported is none: %j", async (module) => {
  expect(await mistakesOf(module)).toStrictEqual([]);
});
