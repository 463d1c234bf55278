import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const index = fileURLToPath(new URL("../../../packages/models/src/index.ts", import.meta.url));

/** The packages that resolving a configuration loads, in a process of its own; the small `leven` of the base is none. */
function loaded(sources: object): readonly string[] {
  const program = `
    const { resolveConfiguration } = await import(${JSON.stringify(index)});
    await resolveConfiguration(${JSON.stringify(sources)});
    const paths = Object.keys(require.cache).filter((path) => /node_modules(?!.*\\/leven\\/)/.test(path));
    console.log(JSON.stringify(paths.map((path) => path.split("node_modules/").at(-1).split("/")[0])));
  `;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program]);
  const packages: readonly string[] = JSON.parse(stdout.toString());
  return [...new Set(packages)];
}

test.each([
  ["a key", { ANTHROPIC_API_KEY: "k" }],
  ["vendor and model", { LLM_VENDOR: "openai", LLM_MODEL: "a,b", OPENAI_API_KEY: "k" }],
  ["an inline configuration", { LLM_PROVIDER_CONFIG: '{"vendor": "mistral", "api_key": "k", "retries": [5, 15]}' }],
])("a configuration of variables loads no package: %s", (_title, environment) => {
  expect(loaded({ environment, cwd: "/", author: { temperature: 1 }, flags: { stream: false } })).toEqual([]);
});

test("a file loads the YAML parser, and nothing else", () => {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, "c.json"), '{"model": "offline"}');
  expect(loaded({ environment: {}, cwd: directory.path, file: "c.json" })).toEqual(["yaml"]);
});
