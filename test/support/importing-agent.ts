import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "./agent-files.ts";

/** What stands in the code of the one tool of `importingAgent`. */
const CODE = `import { inner } from "./lib/inner";
import { outer } from "../shared/outer.ts";
import { linked } from "./linked.ts";
import pad from "pad";
import data from "./data.json" with { type: "json" };
const worker = new Worker("./worker.ts");
export async function execute({ host }: { host: string }) {
  const { late } = await import("./late.ts");
  const chosen = await import(host ? "./one" : "./two");
  const old = require("./old.cjs");
  return pad(inner + outer + linked + data.a + late + chosen + old + worker);
}`;

const MODULE = `import "./parts/hand.ts";
import { constant } from "../macro.ts" with { type: "macro" };
export default { describe: () => ({ name: "clock", description: "Tells the time" }), initialize: async () => constant() };
`;

/** What of an agent.mdx can be replaced. */
export interface ImportingParts {
  readonly code?: string;
  /** Attributes of the tool. */
  readonly tool?: string;
  /** Attributes of its parameter. */
  readonly parameter?: string;
  /** Lines. */
  readonly frontmatter?: string;
}

/** An agent.mdx with one tool that imports in every way that there is. */
export const importingText = ({
  code = CODE,
  tool = "",
  parameter = "",
  frontmatter = "",
}: ImportingParts = {}): string => `---
temperature: 1
${frontmatter}---

# Agent: Importer

## Purpose

Import.

<Tool name="fetch_it" description="Fetch" ${tool}>
  <Param name="host" description="Where" ${parameter} />

\`\`\`ts
${code}
\`\`\`

</Tool>
`;

const PACKAGE = '{"name":"pad","version":"1.2.3","exports":{"import":"./esm.mjs","require":"./main.cjs"}}';

/**
 * Writes an agent into `agent/` of a folder: a tool that imports in every way that there is, from files inside and outside
 * the directory and from a package; a module with a helper; a skill with a script. Gives the agent directory.
 */
export function importingAgent(folder: string): string {
  writeFiles(folder, {
    "agent/agent.mdx": importingText(),
    "agent/lib/inner.js": 'export { inner } from "./deep.js";\n',
    "agent/lib/deep.js": "export const inner = 1;\n",
    "agent/data.json": '{"a": 1}',
    "agent/macro.ts": "export const constant = () => 1;\n",
    "agent/worker.ts": "self.onmessage = () => {};\n",
    "agent/late.ts": "export const late = 1;\n",
    "agent/one.ts": "export const one = 1;\n",
    "agent/two.ts": "export const two = 1;\n",
    "agent/old.cjs": "module.exports = 1;\n",
    "agent/package.json": '{"name": "importer"}',
    "agent/tsconfig.json": "{}",
    "agent/bun.lock": "",
    "agent/modules/clock.ts": MODULE,
    "agent/modules/parts/hand.ts": "export const hand = 1;\n",
    "agent/tools/extra.sh": "echo 1\n",
    "agent/skills/sum/SKILL.md": "---\nname: sum\ndescription: Sums up.\n---\nSum up.\n",
    "agent/skills/sum/scripts/sum.py": "print(1)\n",
    "agent/node_modules/pad/package.json": PACKAGE,
    "agent/node_modules/pad/esm.mjs": 'export { default } from "./pad.mjs";\n',
    "agent/node_modules/pad/pad.mjs": "export default String;\n",
    "agent/node_modules/pad/main.cjs": "module.exports = String;\n",
    "shared/outer.ts": 'export { outer } from "./further.ts";\n',
    "shared/further.ts": "export const outer = 1;\n",
    "shared/linked.ts": "export const linked = 1;\n",
  });
  symlinkSync("../shared/linked.ts", join(folder, "agent/linked.ts"));
  return join(folder, "agent");
}
