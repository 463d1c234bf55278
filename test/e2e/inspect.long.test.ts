import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { exampleText } from "../support/example-text.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const MODULE = `require("node:fs").appendFileSync(process.env.HOME + "/mark", "ran");
export default {
  describe: () => ({ name: "clock", description: "Tells" }),
  initialize: async () => {},
  tools: () => [{ name: "tell time", description: "Tell", parameters: { type: "object" }, execute: async () => "noon" }],
  systemPrompt: () => "The module speaks.",
  start: async () => {},
  stop: () => {},
};
`;

function homeWithAgent(): TemporaryDirectory {
  const home = temporaryDirectory();
  writeFiles(home.path, {
    "agent/agent.mdx": GREETING_AGENT,
    "agent/modules/clock.ts": MODULE,
    "agent/skills/tea/SKILL.md": "---\nname: tea\ndescription: Make tea\n---\n\nx\n",
  });
  return home;
}

describe("mdx-ai inspect", () => {
  test.skipIf(requireProgram("bwrap"))("prints the system prompt, the tools and their sizes", async () => {
    using home = homeWithAgent();
    const { exitCode, stdout, stderr } = await runCommandLine(["inspect", "agent", "--trust"], { home: home.path });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    for (const part of ["Greet people.", "Make tea", "The module speaks.", "tell_time", "read_file"]) {
      expect(stdout).toContain(part);
    }
    expect(stdout).toMatch(/System prompt \([\d,]+ characters, about [\d,]+ tokens\)/);
    expect(stdout).not.toContain("Hello ${");
  });

  test("shows the tools of the memory, and creates none", async () => {
    using home = homeWithAgent();
    writeFiles(home.path, { "agent/agent.mdx": `---\nmemory: on\n---\n${GREETING_AGENT}` });
    const { stdout } = await runCommandLine(["inspect", "agent", "--json", "--trust"], { home: home.path });
    const { tools, system } = JSON.parse(stdout);
    expect(tools.map(({ name }: { name: string }) => name)).toContain("memory_search");
    expect(system).toContain("## Memory");
    expect(existsSync(join(home.path, "agent/state"))).toBe(false);
  });

  test("shows the skills, their kinds, triggers and tools, and whether a new session has them", async () => {
    using home = homeWithAgent();
    writeFiles(home.path, {
      "agent/skills/ssh/SKILL.md": "---\nname: ssh\ndescription: d\ntriggers: [ssh, telnet]\n---\nx\n",
      "agent/skills/shell/SKILL.MD":
        "---\nname: Shell\ndescription: d\ntags: [local]\nenabled_by_default: false\n---\n" +
        "## Permissions\n- shell\n\n## Tools\n### run_bash\ndescription: Runs.\nentrypoint: bash:{command}\nschema: {type: object}\n",
    });
    const { stdout } = await runCommandLine(["inspect", "agent", "--trust"], { home: home.path });
    expect(stdout).toContain(
      "Skills: 3\n\n  Shell  1 tool, disabled until a session enables it\n    run_bash: bash:{command}\n" +
        "  ssh  knowledge\n    triggers: ssh, telnet\n  tea  knowledge\n",
    );
    expect(stdout).not.toContain("**Shell**");
    const json = await runCommandLine(["inspect", "agent", "--trust", "--json"], { home: home.path });
    expect(JSON.parse(json.stdout).skills[0]).toStrictEqual({
      ...{ name: "Shell", kind: "1 tool", version: "1.0.0", path: "skills/shell/SKILL.MD", isEnabled: false },
      ...{ triggers: [], tags: ["local"], tools: [{ name: "run_bash", entrypoint: "bash:{command}" }] },
      permissions: ["shell"],
    });
  });

  test("shows the prose to the letter as the model receives it, without frontmatter, elements and comments", async () => {
    using home = temporaryDirectory();
    const prose =
      "# Agent: Poet\n\n## Purpose\n\n1. Be {kind}, at <5 words.\n   <b>Ever</b> \\{so\\}.\n\nLore\n----\n\n* One\n* Two";
    const tool = '<Tool name="t" description="T">\n\n```ts\nfunction execute() { return ""; }\n```\n\n</Tool>\n';
    const text = `---\nsandbox: off\n---\n\n${prose.replace("{kind}", "{/* not */}{kind}")}<!-- no more -->\n\n${tool}`;
    writeFiles(home.path, { "agent/agent.mdx": text, "agent/skills/.keep": "" });
    const { stdout } = await runCommandLine(["inspect", "agent", "--json", "--trust"], { home: home.path });
    expect(JSON.parse(stdout).system).toStartWith(`You are Poet.\n\n${prose}\n\n## Tools\n`);
  });

  test("says to the letter what a model gets", async () => {
    using home = homeWithAgent();
    using server = anthropicServer(textReply("ok"));
    const inspected = await runCommandLine(["inspect", "agent", "--trust", "--json"], { home: home.path });
    const args = ["agent", "agent", "--trust", "--prompt", "hi", "--model", "anthropic/x"];
    const asked = await runCommandLine(args, { home: home.path, environment: server.environment });
    expect(asked).toMatchObject({ exitCode: 0, stdout: "ok\n" });
    const { system, tools } = JSON.parse(inspected.stdout);
    const sent = JSON.parse(server.requests[0]?.text ?? "");
    const systemText = typeof sent.system === "string" ? sent.system : sent.system[0].text;
    expect(systemText).toBe(system);
    expect(sent.tools.length).toBe(tools.length);
    for (const [index, { name, description, parameters }] of tools.entries()) {
      expect(sent.tools[index]).toMatchObject({ name, description, input_schema: parameters });
    }
  });

  test.each<{ frontmatter: string; names: readonly string[] }>([
    { frontmatter: "builtins: read_file, write_file", names: ["read_file", "write_file", "greet", "tell_time"] },
    { frontmatter: "builtins: off", names: ["greet", "tell_time"] },
    { frontmatter: "tools: Read, greet", names: ["read_file", "greet"] },
    { frontmatter: "tools: [tell time]", names: ["tell_time"] },
    { frontmatter: "tools: [bash, greet]\nbuiltins: [read_file]", names: ["greet"] },
  ])("shows the tools that the settings leave: $frontmatter", async ({ frontmatter, names }) => {
    using home = homeWithAgent();
    writeFiles(home.path, { "agent/agent.mdx": `---\n${frontmatter}\n---\n\n${GREETING_AGENT}` });
    const { exitCode, stdout } = await runCommandLine(["inspect", "agent", "--trust", "--json"], { home: home.path });
    expect(exitCode).toBe(0);
    const { tools, system }: { tools: readonly { name: string }[]; system: string } = JSON.parse(stdout);
    expect(tools.map(({ name }) => name)).toEqual([...names]);
    expect(system.includes("Make tea")).toBe(names.includes("read_file"));
  });

  test("shows when an agent wakes on schedule", async () => {
    using home = homeWithAgent();
    writeFiles(home.path, { "agent/heartbeat.md": "---\nschedule: 30m\n---\n\n## On Wake\n\n- Look.\n" });
    const { stdout } = await runCommandLine(["inspect", "agent", "--trust", "--json"], { home: home.path });
    const { wakes }: { wakes: readonly { interval: number; next: readonly string[] }[] } = JSON.parse(stdout);
    const next = wakes[0]?.next.map((time) => Date.parse(time)) ?? [];
    expect(wakes).toMatchObject([{ interval: 1_800_000, next: next.map((time) => new Date(time).toISOString()) }]);
    expect(next.map((time) => time - (next[0] ?? 0))).toEqual([0, 1, 2, 3, 4].map((count) => count * 1_800_000));
    const text = await runCommandLine(["inspect", "agent", "--trust"], { home: home.path });
    expect(text.stdout).toMatch(/\nWakes\n\n {2}On Wake, every 30m\n {4}\w{3} \d+ \w{3} \d{4} at \d\d:\d\d/);
  });

  test("counts the examples of a tool, and shows those that a model sees", async () => {
    using home = temporaryDirectory();
    const seen = exampleText('{"arguments": {"name": "Ada"}, "result": "Hello Ada"}', " few-shot");
    const unseen = exampleText('{"arguments": {"name": "nobody"}, "error": "there is nobody"}');
    const agent = GREETING_AGENT.replace("</Tool>", `${seen}\n${unseen}\n</Tool>`).replace('"greet"', '"greet all"');
    writeFiles(home.path, { "agent.mdx": agent });
    const { stdout } = await runCommandLine(["inspect", "."], { home: home.path });
    expect(stdout).toContain('Examples:\n{"arguments":{"name":"Ada"},"result":"Hello Ada"}\n');
    expect(stdout).toContain("\n  2 examples; the model sees 1\n");
    expect(stdout).not.toContain("there is nobody");
    const told = await runCommandLine(["inspect", ".", "--json"], { home: home.path });
    expect(JSON.parse(told.stdout).examples).toStrictEqual([{ tool: "greet_all", total: 2, fewShot: 1 }]);
  });

  test("runs nothing of an untrusted directory and says what it left out", async () => {
    using home = homeWithAgent();
    const { exitCode, stdout, stderr } = await runCommandLine(["inspect", "agent"], { home: home.path });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("greet");
    expect(stdout).not.toContain("The module speaks.");
    expect(stderr).toContain("modules/clock.ts");
    expect(await Bun.file(join(home.path, "mark")).exists()).toBe(false);
  });

  test.skipIf(requireProgram("bwrap"))("ends quietly where its reader goes away", async () => {
    using home = homeWithAgent();
    const filler = "A long line of prose for the model to read.\n".repeat(20_000);
    writeFiles(home.path, { "long/agent.mdx": `${GREETING_AGENT.replace("Greet people.", filler)}` });
    const child = Bun.spawn(
      ["sh", "-c", '("$@"; echo "exit $?" >&2) | head -c 20', "sh", ...cliCommand(["inspect", "long"])],
      {
        cwd: home.path,
        env: cliEnvironment({ home: home.path }),
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expect(stdout).toHaveLength(20);
    expect(stderr).toBe("exit 0\n");
  });
});
