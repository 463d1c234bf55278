import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import { builtinToolNames } from "@mdx-ai/parser";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../../../test/support/agent-files.ts";
import { runCommandLine } from "../../../../test/support/run-command-line.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { adaptedFaults, vendorSubsets } from "../../../../test/support/vendor-subsets.ts";
import { SERVICE_TOOLS } from "./service-tools.ts";

type Named = readonly (readonly [string, JsonObject])[];

const examples = join(import.meta.dir, "../../../../examples");

/** The tools of an agent as a model gets them. */
async function toolsOf(directory: string): Promise<Named> {
  using home = temporaryDirectory();
  const { stdout } = await runCommandLine(["inspect", directory, "--trust", "--json"], { home: home.path });
  const { tools } = JSON.parse(stdout);
  return tools.map(({ name, parameters }: { readonly name: string; readonly parameters: JsonObject }) => [
    name,
    parameters,
  ]);
}

async function ownTools(): Promise<Named> {
  const frontmatter = `---\nbuiltins: [${builtinToolNames.join(", ")}]\n---\n`;
  using directory = agentDirectory({ "agent.mdx": `${frontmatter}${MINIMAL_AGENT}` });
  const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const lists = [directory.path, ...folders.map(({ name }) => join(examples, name))].map(toolsOf);
  return [
    ...(await Promise.all(lists)).flat(),
    ...SERVICE_TOOLS.map(({ name, inputSchema }) => [name, inputSchema] as const),
  ];
}

const tools = await ownTools();

describe.each(vendorSubsets)("what $vendor documents", (subset) => {
  test("holds for all builtin tools and the examples' tools", () => {
    expect(tools.length).toBeGreaterThan(25);
    expect(adaptedFaults(tools, subset)).toStrictEqual([]);
  });
});
