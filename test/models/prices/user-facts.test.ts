import { expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { writeFiles } from "../../support/agent-files.ts";
import { bodyRecorder } from "../../support/body-recorder.ts";
import { modelRequest } from "../../support/model-request.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
const look = modelRequest([{ role: "user", content: [image], timestamp: 0 }]);

/** The body of a request to a model about which the user's price table has these facts. */
async function bodyWith(reference: string, facts: object): Promise<string> {
  using home = temporaryDirectory();
  using recorder = bodyRecorder();
  writeFiles(home.path, { "mdx-ai/prices.json": JSON.stringify({ models: { [reference]: facts } }) });
  const environment = { XDG_CONFIG_HOME: home.path };
  return await recorder.body(await openModel(reference, { environment, apiKey: "k", baseUrl: recorder.url }), look);
}

const LEFT_OUT = "image omitted: this model does not accept images";

test.each(["openai/my-model", "openai/gpt-5.4", "mistral/my-model"])(
  "images: false in the user's price table keeps images from %s",
  async (reference) => {
    expect(await bodyWith(reference, { images: false })).toContain(LEFT_OUT);
    expect(await bodyWith(reference, {})).not.toContain(LEFT_OUT);
  },
);

test("a price of the user's leaves the other facts as they are", async () => {
  const price = { input: 1, output: 2 };
  expect(await bodyWith("deepseek/deepseek-v4-pro", price)).toContain(LEFT_OUT);
  expect(await bodyWith("deepseek/deepseek-v4-pro", { ...price, images: true })).not.toContain(LEFT_OUT);
});

test("maxOutput in the user's price table limits the answers of Anthropic's models", async () => {
  expect(JSON.parse(await bodyWith("anthropic/claude-x", { maxOutput: 123 }))).toMatchObject({ max_tokens: 123 });
  expect(JSON.parse(await bodyWith("anthropic/claude-x", {}))).toMatchObject({ max_tokens: 64_000 });
});

test("a price table that cannot be used changes nothing", async () => {
  expect(await bodyWith("openai/my-model", { images: "no" })).not.toContain(LEFT_OUT);
});
