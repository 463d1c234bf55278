import { expect, test } from "bun:test";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");

const model = (id: string, cost: object, input = ["text", "image"]) => ({
  ...{ id, name: id, cost, input },
  contextWindow: 200_000,
  maxTokens: 64_000,
});
const rates = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const lists: Readonly<Record<string, object>> = {
  ".manifest": { schemaVersion: 6, generatedAt: "2030-01-31T12:00:00.000Z" },
  anthropic: { messages: { "chat:big": model("big", rates), "image:big": model("painter", rates) } },
  openai: {
    responses: {
      "chat:tiered": model("tiered", {
        ...rates,
        cacheWrite: 0,
        tiers: [{ inputTokensAbove: 100, ...rates, cacheRead: 0 }],
      }),
    },
  },
  google: { generate: { "chat:free": model("free", { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, ["text"]) } },
  mistral: {},
  groq: {},
  deepseek: {},
  xai: {},
};

test("the script of the prices takes over what models that talk cost, hold and take, and no price that says nothing", async () => {
  using folder = temporaryDirectory();
  const data = Object.entries(lists).map(([name, list]) => [`dist/providers/data/${name}.json`, JSON.stringify(list)]);
  writeFiles(folder.path, { "package.json": '{"name":"lists","version":"1.2.3"}', ...Object.fromEntries(data) });
  const made = join(folder.path, "prices.json");
  const command = [process.execPath, join(ROOT, "scripts/prices.ts"), folder.path, made];
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "pipe"] });
  expect([await child.exited, await child.stderr.text()]).toEqual([0, ""]);
  const lengths = { window: 200_000, maxOutput: 64_000 };
  expect(await Bun.file(made).json()).toEqual({
    date: "2030-01-31",
    source: "lists 1.2.3",
    unit: "USD per million tokens",
    models: {
      "anthropic/big": { ...rates, ...lengths },
      "openai/tiered": {
        input: 3,
        output: 15,
        cacheRead: 0.3,
        tiers: [{ above: 100, input: 3, output: 15, cacheWrite: 3.75 }],
        ...lengths,
      },
      "gemini/free": { ...lengths, images: false },
      "ollama/*": { input: 0, output: 0 },
      "script/*": { input: 0, output: 0 },
      "offline/*": { input: 0, output: 0 },
    },
  });
});
