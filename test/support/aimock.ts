import { createAnthropic } from "@ai-sdk/anthropic";
import { LLMock } from "@copilotkit/aimock";
import { fromAiSdk, type LanguageModel, openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, type AgentOptions, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";

/** The ways to a model: the wires of ours, and a package of the AI SDK. */
export type Way = "anthropic" | "openai" | "responses" | "ai-sdk";

export const ways: readonly Way[] = ["anthropic", "openai", "responses", "ai-sdk"];

export interface Aimock extends AsyncDisposable {
  /** To tell it what to answer. What it was not told to answer has status 503. */
  readonly mock: LLMock;
  /** Requests that it has received. */
  readonly asked: number;
  /** Opens the agent of a directory on it. No time passes between repetitions but what the server asks for. */
  open(directory: string, way: Way, options?: Partial<AgentOptions>): Promise<Agent>;
}

/** Starts aimock on a free port of loopback; it stops when the test's scope ends. */
export async function aimock(): Promise<Aimock> {
  const mock = await LLMock.create({ port: 0, strict: true });
  return {
    mock,
    get asked() {
      return mock.getRequests().length;
    },
    open: async (directory, way, options = {}) =>
      openAgent({
        directory: await readAgentDirectory(directory),
        model: options.model ?? (await modelAt(mock.url, way)),
        cwd: directory,
        toolHostCommand: toolHostCommand(),
        environment: process.env,
        retries: [0, 0],
        ...options,
      }),
    [Symbol.asyncDispose]: () => mock.stop(),
  };
}

const key = "sk-aimock-0123456789";

/** A model of a server that speaks all wires. */
export async function modelAt(url: string, way: Way): Promise<LanguageModel> {
  switch (way) {
    case "anthropic":
      return openModel("claude-sonnet-4-5", { environment: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url } });
    case "openai":
      return openModel("openai/llama", { environment: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1` } });
    case "responses":
      return openModel("gpt-4.1", { environment: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1` } });
    case "ai-sdk":
      return fromAiSdk(createAnthropic({ apiKey: key, baseURL: `${url}/v1` })("claude-sonnet-4-5"));
  }
}
