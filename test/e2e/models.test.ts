import { describe, expect, test } from "bun:test";
import { writeFiles } from "../support/agent-files.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const agent = (frontmatter: string): string =>
  `---\n${frontmatter}\n---\n\n# Agent: Thrifty\n\n## Purpose\n\nBe tested.\n`;

interface Run {
  readonly args?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

async function models({ args = [], files = {}, environment = {} }: Run = {}): Promise<CliResult> {
  using home = temporaryDirectory();
  writeFiles(home.path, files);
  return await runCommandLine(["models", ...args], { home: home.path, environment });
}

const json = async (run: Run): Promise<Record<string, unknown>> =>
  JSON.parse((await models({ ...run, args: [...(run.args ?? []), "--json"] })).stdout);

const secret = "sk-very-secret";

describe("mdx-ai models", () => {
  test("works without a directory, and says how to configure a model", async () => {
    const { exitCode, stdout, stderr } = await models();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^ {2}offline +default +ready$/m);
    expect(stdout).toMatch(/^ {2}anthropic +key not set +ANTHROPIC_API_KEY$/m);
    expect(stdout).toMatch(/^ {2}azure +key not set +AZURE_OPENAI_API_KEY +no address: AZURE_OPENAI_ENDPOINT$/m);
    expect(stdout).toMatch(/^ {2}ollama +needs no key$/m);
    expect(stdout).toContain("export ANTHROPIC_API_KEY=…");
  });

  test("shows each value and where it came from, the fallbacks, and what is missing", async () => {
    const { exitCode, stdout, stderr } = await models({
      args: ["agent", "--config", "my.yaml", "--temp", "0.5", "--env-file", "more.env"],
      files: {
        "agent/agent.mdx": agent("model: [claude-x, mistral/large, openai/gpt-x]\ntimeout: 5\nretries: [5, 15]"),
        "my.yaml": `thinking: {budget: 1024}\ntemperature: 1\n`,
        "more.env": `OPENAI_API_KEY=${secret}\n`,
      },
      environment: {
        ANTHROPIC_API_KEY: secret,
        ANTHROPIC_BASE_URL: `http://user:${secret}@localhost:9/v1/?key=${secret}`,
      },
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    for (const line of [
      /^ {2}anthropic\/claude-x +agent\.mdx +ready +temperature not sent: the model refuses it$/m,
      /^ {2}mistral\/large +agent\.mdx +MISTRAL_API_KEY not set: left out$/m,
      /^ {2}openai\/gpt-x +agent\.mdx +ready$/m,
      /^ {2}temperature +0\.5 +flag --temp$/m,
      /^ {2}thinking +{"budget":1024} +config my\.yaml$/m,
      /^ {2}retries +\[5,15\] +agent\.mdx$/m,
      /^ {2}timeout +5 +agent\.mdx$/m,
      /^ {2}stream +true +default$/m,
      /^ {2}anthropic +key set +environment ANTHROPIC_API_KEY +http:\/\/localhost:9\/v1 \(environment ANTHROPIC_BASE_URL\)$/m,
      /^ {2}openai +key set +environment OPENAI_API_KEY$/m,
      /^ {2}export MISTRAL_API_KEY=…$/m,
    ]) {
      expect(stdout).toMatch(line);
    }
    expect(stdout).not.toContain(secret.slice(3));
    expect(stdout).not.toContain("\u001b");
  });

  test("takes the agent of the current folder where there is one", async () => {
    const report = await json({ files: { "agent.mdx": agent("model: ollama/llama3") } });
    expect(report["models"]).toEqual([{ reference: "ollama/llama3", origin: "agent.mdx", missing: [] }]);
  });

  test("prints JSON, without a key in it", async () => {
    const config = { vendor: "azure", model: "mine", api_key: secret, base_url: `https://a.example/?k=${secret}` };
    const run = { environment: { LLM_PROVIDER_CONFIG: JSON.stringify(config), OPENAI_API_KEY: secret } };
    const report = await json(run);
    expect(report).toMatchObject({
      models: [
        {
          reference: "azure/mine",
          origin: "LLM_PROVIDER_CONFIG",
          missing: [],
          api_version: { value: "2024-02-01", origin: "default" },
        },
      ],
      settings: { stream: { value: true, origin: "default" }, timeout: { value: 120, origin: "default" } },
    });
    const azure = { name: "azure", model: "", key: "set", keyOrigin: "LLM_PROVIDER_CONFIG" };
    const address = { value: "https://a.example", origin: "LLM_PROVIDER_CONFIG" };
    expect(report["vendors"]).toContainEqual({ ...azure, address });
    for (const args of [["--json"], []]) expect((await models({ ...run, args })).stdout).not.toContain("secret");
  });

  test("says that the only model is unavailable, and that there is no fallback", async () => {
    const one = await models({ args: ["--model", "azure/mine"] });
    expect(one.exitCode).toBe(0);
    expect(one.stdout).toMatch(
      /^ {2}azure\/mine .* AZURE_OPENAI_API_KEY and AZURE_OPENAI_ENDPOINT not set +api_version /m,
    );
    expect(one.stdout).toContain("export AZURE_OPENAI_ENDPOINT=…");
    const none = await models({ args: ["--no-offline"] });
    expect(none.exitCode).toBe(0);
    expect(none.stdout).toMatch(/^Models.*\n {2}none$/m);
  });

  test.each([
    { title: "a wrong configuration", args: ["--config", "my.yaml"], says: "my.yaml:1:1: unexpected field" },
    { title: "an unknown model", args: ["--model", "anthropc/x"], says: "flag --model: Unknown model" },
    { title: "a directory that is none", args: ["nowhere"], says: "nowhere is not an agent directory" },
    { title: "an agent with mistakes", args: ["agent"], says: "agent cannot run until" },
  ])("ends with exit code 2 on $title", async ({ args, says }) => {
    const files = { "my.yaml": "modell: x", "agent/agent.mdx": agent("timeout: soon") };
    const { exitCode, stdout, stderr } = await models({ args, files });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(says);
  });

  test("runs nothing of an untrusted directory, and shows no control sequences of it", async () => {
    const files = {
      "agent.mdx": agent('model: ["ai-sdk:./trap#x", "script:\\u001b[31mred"]'),
      "node_modules/trap/index.js": "require('node:fs').writeFileSync('ran', '')",
      "modules/trap.ts": "await Bun.write('ran', '');\n",
    };
    using home = temporaryDirectory();
    writeFiles(home.path, files);
    const { exitCode, stdout } = await runCommandLine(["models"], { home: home.path });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("ai-sdk:./trap#x");
    expect(stdout).not.toContain("\u001b");
    expect(await Bun.file(`${home.path}/ran`).exists()).toBe(false);
  });
});
