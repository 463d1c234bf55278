import { expect, test } from "bun:test";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { agentText, toolWithCode } from "../../../../test/support/agent-text.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { missingTypeScriptText } from "./check-text.ts";

const tool = toolWithCode("const execute = () => '';");
const prose = "export const a = 1\n\n{a}\n";
const code = { "modules/a.ts": "", "modules/b.ts": "" };

test.each<readonly [what: string, text: string, others: Readonly<Record<string, string>>]>([
  ["the types of 1 tool", agentText(tool), {}],
  ["the types of the code in the prose of agent.mdx", agentText(prose), {}],
  ["the types of 1 tool and the code in the prose of agent.mdx", agentText(`${prose}\n${tool}`), {}],
  ["the types of 1 tool, 2 modules and the code in the prose of agent.mdx", agentText(`${prose}\n${tool}`), code],
])("what was not checked without TypeScript is said once: %s", async (what, text, others) => {
  using home = temporaryDirectory();
  const directory = await readAgentDirectory(writeFiles(home.path, { "agent.mdx": text, ...others }));
  const check = { directory, texts: new Map(), lacksTypeScript: { folder: "/there" }, files: [] };
  const said = missingTypeScriptText(check, { stderr: { isTerminal: false }, environment: {} });
  expect(said).toStartWith(`mdx-ai: ${what} were not checked: `);
  expect(said).toEndWith("\n  npm install --prefix /there typescript@7 @types/bun\n");
});
