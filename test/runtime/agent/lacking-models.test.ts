import { expect, test } from "bun:test";
import { join } from "node:path";
import { type LanguageModel, type ModelRequest, openModel } from "@mdx-ai/models";
import { agentDirectory } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../../support/agent-files.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

/** A model at a server on loopback that answers "Done.", and the requests that it received. */
async function lackingModel(folder: string, address: string): Promise<{ model: LanguageModel; asked: ModelRequest[] }> {
  const prices = { models: { "openai/gpt-5": { input: 1, output: 1, tools: false } } };
  writeFiles(folder, { "config/mdx-ai/prices.json": JSON.stringify(prices) });
  const environment = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: address, XDG_CONFIG_HOME: join(folder, "config") };
  const opened = await openModel("openai/gpt-5", { environment, api: "chat" });
  const asked: ModelRequest[] = [];
  const stream: LanguageModel["stream"] = (request, signal) => {
    asked.push(request);
    return opened.stream(request, signal);
  };
  return { model: { ...opened, stream }, asked };
}

test("a model without tools receives none, one without a temperature no temperature, and each is said once", async () => {
  using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT });
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => Response.json({ choices: [{ message: { content: "Done." }, finish_reason: "stop" }] }),
  });
  const warnings: string[] = [];
  const { model, asked } = await lackingModel(directory.path, server.url.href);
  const onWarning = (warning: string): void => void warnings.push(warning);
  const parameters = { temperature: 0.5 };
  const agent = await openScriptAgent(directory.path, [], { model, parameters, onWarning });
  expect(agent.toolSchemas).not.toBeEmpty();
  for (const text of ["One", "Two"]) await Array.fromAsync(agent.session().prompt(text));
  await agent.close();
  expect(asked.map(({ tools }) => tools)).toEqual([[], []]);
  expect(warnings).toEqual([
    "openai/gpt-5 takes no temperature with these settings, so none is sent",
    "openai/gpt-5 cannot call tools, so it receives none",
  ]);
});
