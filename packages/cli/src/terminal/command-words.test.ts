import { expect, test } from "bun:test";
import type { ListedModel } from "@mdx-ai/directory";
import { CommandWords } from "./input/command-words.ts";

const words = (list: () => Promise<readonly ListedModel[]>): CommandWords =>
  new CommandWords(() => ({ dataDir: undefined, models: { list }, redact: (text) => text }));

test("/model is completed with the models that it lists, which are read once", async () => {
  let readings = 0;
  const listed = words(async () => {
    readings += 1;
    return [{ reference: "openai/gpt-5.4", origin: "OPENAI_API_KEY", missing: [] }];
  });
  expect(listed.model()).toStrictEqual([]);
  await Bun.sleep(0);
  expect(listed.model()).toStrictEqual([{ value: "openai/gpt-5.4", description: "OPENAI_API_KEY" }]);
  expect(readings).toBe(1);
});

test("models that cannot be read are none", async () => {
  const listed = words(() => Promise.reject(new Error("no configuration")));
  listed.model();
  await Bun.sleep(0);
  expect(listed.model()).toStrictEqual([]);
});
