import { expect, test } from "bun:test";
import { join } from "node:path";
import { parseAgentMdx } from "../../../../test/support/parse-agent-mdx.ts";
import { parseSkill } from "../skills/parse-skill.ts";
import { mcpServerSchema } from "./mcp-server-schema.ts";

const page = await Bun.file(join(import.meta.dir, "../../../../docs/mcp.md")).text();
const blocks = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = ""]) => yaml);

test.each(blocks)("block %# of docs/mcp.md is read without a diagnostic", async (yaml) => {
  const isSkill = yaml.startsWith("name:");
  const { diagnostics } = isSkill
    ? parseSkill(`---\n${yaml}---\nText.\n`, "skills/mcp_demo/SKILL.md")
    : await parseAgentMdx(`---\n${yaml}---\n\n# Agent: A\n\n## Purpose\n\nBe.\n`);
  expect(diagnostics.filter(({ severity }) => severity !== "note")).toEqual([]);
});

test("docs/mcp.md names every key of a server", () => {
  const rows = [...page.matchAll(/^\| (`[^|]+) \|/gm)].map(([, keys = ""]) => keys);
  const named = rows.flatMap((keys) => [...keys.matchAll(/`(\w+)`/g)].map(([, key]) => key));
  expect(named.sort()).toEqual(Object.keys(Object(mcpServerSchema["properties"])).sort());
});
