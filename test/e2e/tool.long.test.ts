import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const MODULE = `export default {
  describe: () => ({ name: "clock", description: "Tells" }),
  initialize: async () => {},
  tools: () => [
    {
      name: "tell",
      description: "Tell",
      parameters: { type: "object", properties: { list: { type: "array", items: { type: "number" } } }, required: ["list"] },
      execute: async ({ list }, context) => {
        await context.log("counting");
        return { content: [{ type: "text", text: String(list.length) }, { type: "image", data: "AAAA", mimeType: "image/png" }] };
      },
    },
  ],
  systemPrompt: () => "",
  start: async () => {},
  stop: () => {},
};
`;

async function tool(args: readonly string[]): Promise<CliResult> {
  using home = temporaryDirectory();
  writeFiles(home.path, {
    "agent/agent.mdx": GREETING_AGENT,
    "agent/modules/clock.ts": MODULE,
    "agent/a.txt": "one\ntwo\n",
  });
  const result = await runCli(["tool", "agent", ...args, "--trust"], { home: home.path });
  expect(readdirSync(join(home.path, "agent")).sort()).toEqual(["a.txt", "agent.mdx", "modules", "skills"]);
  return result;
}

describe("mdx-ai tool", () => {
  test.skipIf(requireProgram("bwrap"))("runs an inline tool with values typed by its schema", async () => {
    const result = await tool(["greet", "name=Ada", "times=2", "loud=true"]);
    expect(result).toEqual({ exitCode: 0, stdout: "HELLO ADA, HELLO ADA\n", stderr: "" });
  });

  test("runs a builtin tool", async () => {
    expect(await tool(["read_file", "path=a.txt"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("one\ntwo\n"),
    });
  });

  test.skipIf(requireProgram("bwrap"))(
    "runs a tool of a module, names its images, and shows its log on standard error",
    async () => {
      const result = await tool(["tell", "--json", '{"list":[1,2]}']);
      expect(result).toEqual({
        exitCode: 0,
        stdout: "2\n[image image/png, 4 characters of base64]\n",
        stderr: "counting\n",
      });
    },
  );

  test("exits with 1 and says why on standard error where the tool fails", async () => {
    const result = await tool(["greet", "name=nobody"]);
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toContain("there is nobody");
    expect(result.stderr).toContain("agent.mdx:14:");
  });

  test("exits with 1 where the arguments do not fit the schema", async () => {
    const result = await tool(["greet", "--json", '{"name":{}}']);
    expect(result).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("name") });
  });

  test("knows a tool by the name that its author gave it", async () => {
    using home = temporaryDirectory();
    const text = GREETING_AGENT.replace('name="greet"', 'name="grüße jemanden"');
    writeFiles(home.path, { "agent.mdx": text });
    const result = await runCli(["tool", ".", "grüße jemanden", "name=x", "--trust"], { home: home.path });
    expect(result).toMatchObject({ exitCode: 0, stdout: "Hello x\n" });
  });

  test("works in the agent directory, or where --cwd says", async () => {
    using home = temporaryDirectory();
    const code = "```ts\nasync function execute(_: unknown, ctx: { cwd: string }) {\n  return ctx.cwd;\n}\n```";
    writeFiles(home.path, {
      "agent/agent.mdx": `${MINIMAL_AGENT}\n<Tool name="where" description="Where">\n\n${code}\n\n</Tool>\n`,
    });
    const here = await runCli(["tool", "agent", "where", "--trust"], { home: home.path });
    expect(here.stdout).toBe(`${join(home.path, "agent")}\n`);
    const there = await runCli(["tool", "agent", "where", "--trust", "--cwd", "."], { home: home.path });
    expect(there.stdout).toBe(`${home.path}\n`);
  });
});
