import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonSchema } from "@mdx-ai/base";
import { readLocatedJson } from "@mdx-ai/base/json";
import { readYamlMap } from "@mdx-ai/base/yaml";
import { schemaCheck } from "@mdx-ai/parser";
import { checkSchema } from "./check-schema.ts";

const root = join(import.meta.dir, "../../../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

function schemaIn(file: string): JsonSchema {
  const schema: unknown = JSON.parse(read(file));
  if (!isJsonObject(schema)) throw new Error(`${file} is no object`);
  return schema;
}

test.each(["docs/frontmatter.schema.json", "docs/settings.schema.json"])("%s is a JSON Schema", (file) => {
  const json = readLocatedJson(read(file));
  if ("message" in json) throw new Error(json.message);
  const mistakes: string[] = [];
  checkSchema(json, schemaIn(file), ({ offset }, { message }) => mistakes.push(`${offset}: ${message}`));
  expect(mistakes).toStrictEqual([]);
});

const frontmatterOf = (text: string): string => /^---\n([\s\S]*?)^---$/m.exec(text)?.[1] ?? "";

const AGENTS = ["examples", "packages/cli/src/init/templates"].flatMap((folder) =>
  [...new Bun.Glob(`${folder}/*/agent.mdx`).scanSync(root)].sort(),
);

test("the schema of the frontmatter accepts that of all examples and templates", () => {
  const check = schemaCheck(schemaIn("docs/frontmatter.schema.json"));
  const problems = AGENTS.map((file) => ({ file, found: check(readYamlMap(frontmatterOf(read(file))).value) }));
  expect(problems).toStrictEqual(AGENTS.map((file) => ({ file, found: [] })));
  expect(AGENTS.filter((file) => frontmatterOf(read(file)) !== "").length).toBeGreaterThanOrEqual(5);
});

test.each(["temprature: 1", "temperature: warm", "limits: {turns: 0}", "permissions: {bash: perhaps}"])(
  "the schema of the frontmatter refuses %s",
  (yaml) => {
    expect(schemaCheck(schemaIn("docs/frontmatter.schema.json"))(readYamlMap(yaml).value)).not.toStrictEqual([]);
  },
);

const BLOCKS = [...read("docs/editors.md").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];

test("the page's settings of editors are JSON that names agent.mdx", () => {
  const settings = BLOCKS.filter(([, language]) => language === "json").map(([, , text = ""]) => JSON.parse(text));
  expect(settings).toHaveLength(4);
  for (const one of settings.slice(1)) expect(JSON.stringify(one)).toContain('"agent.mdx"');
  const { command, args } = settings[0].agent_servers["My agent"];
  expect([command, args]).toStrictEqual(["mdx-ai", ["acp", "/path/to/my-agent"]]);
});

test("the registry's manifest starts this version by npx, with an icon of one colour", () => {
  const manifest = JSON.parse(read("packages/cli/registry/agent.json"));
  const { version, license } = JSON.parse(read("packages/cli/package.json"));
  // What https://cdn.agentclientprotocol.com/registry/v1/latest/agent.schema.json requires, and no member that it does not know.
  expect(manifest).toStrictEqual({
    ...{ id: expect.stringMatching(/^[a-z][a-z0-9-]*$/), name: "mdx-ai", description: expect.stringMatching(/./) },
    ...{ version: expect.stringMatching(/^\d+\.\d+\.\d+/), license },
    distribution: { npx: { package: `mdx-ai@${version}`, args: ["acp"] } },
  });
  expect([manifest.id, manifest.version]).toStrictEqual(["mdx-ai", version]);
  const icon = read("packages/cli/registry/icon.svg");
  expect(icon).toContain('width="16" height="16"');
  const colours = [...icon.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour);
  expect(colours.filter((colour) => colour !== "currentColor" && colour !== "none")).toStrictEqual([]);
});

test.skipIf(Bun.which("vim") === null)("the page's line for Vim makes agent.mdx Markdown", () => {
  const line = BLOCKS.find(([, language]) => language === "vim")?.[2]?.trim() ?? "";
  const command = ["vim", "-es", "-u", "NONE", "--cmd", line, "agent.mdx", "-c", "verbose set filetype?", "-c", "qa!"];
  const { stdout, stderr } = Bun.spawnSync(command, { env: { PATH: process.env["PATH"] ?? "", TERM: "dumb" } });
  expect(`${stdout}${stderr}`).toContain("filetype=markdown");
});
