import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AddingUser, addingUser, contentsOf, hashIn, versionedAgent } from "../../support/added-agents.ts";
import { writeText } from "../../support/agent-files.ts";

type Calls = readonly {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}[];

const NETWORK = 'network="api.example.com" env="WEATHER_KEY"';

const agentsOf = ({ home }: AddingUser): readonly string[] => {
  const folder = join(home, ".local/share/mdx-ai/agents");
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
};

const lockOf = ({ home }: AddingUser): string => join(home, ".config/mdx-ai/agents.lock.json");

describe("an agent of someone else", () => {
  test("is not added without an agreement: exit code 3, its power and the hash of that as JSON", async () => {
    using user = addingUser();
    user.author("weather", { "agent.mdx": versionedAgent("one", { attributes: NETWORK }) });
    const asked = await user.run("add", "./weather", "--json");
    expect(asked.exitCode).toBe(3);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      name: "weather",
      isAdded: false,
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      power: { tools: [{ name: "weather", lines: 3, bytes: 95 }], hosts: ["api.example.com"], env: ["WEATHER_KEY"] },
    });
    expect(asked.stderr).toEndWith(`to agree: mdx-ai add ./weather --yes --expect ${hashIn(asked.stdout)}\n`);
    const shown = await user.run("add", "./weather");
    expect(shown.stderr).toContain("  hosts          api.example.com\n  variables      WEATHER_KEY\n");
    expect([shown.exitCode, agentsOf(user), existsSync(lockOf(user))]).toStrictEqual([3, [], false]);
  });

  test("shows all that it may do on one screen, and nothing that it may not", async () => {
    using user = addingUser();
    const settings = "model: anthropic/claude-opus-5\nmcp: {files: {command: npx, args: [-y, '@acme/files@1.2.3']}}";
    const module = 'import { readFileSync } from "node:fs";\nexport default { name: "a" };\n';
    user.author("weather", {
      "agent.mdx": versionedAgent("one", { attributes: NETWORK, settings }),
      "heartbeat.md": "## Schedule\n\n- Every 30 minutes\n",
      "modules/a.ts": module,
    });
    const { stderr, exitCode } = await user.run("add", "./weather");
    expect(stderr.split("\n").slice(0, 13)).toStrictEqual([
      "  tools          weather (3 lines, 95 bytes)",
      "  builtin tools  bash, read_file, write_file",
      "  hosts          api.example.com",
      "  variables      WEATHER_KEY",
      "  files outside  any that the sandbox shows",
      "  MCP servers    files: npx -y @acme/files@1.2.3",
      "  schedule       every 1800 seconds",
      expect.stringMatching(
        /^ {17}about 48 wakes a day, at least \$0\.\d+ a day with anthropic\/claude-opus-5 if nothing is/,
      ),
      "  models         anthropic/claude-opus-5",
      "  modules        modules/a.ts (70 bytes)",
      "  runs unasked   tool weather, module modules/a.ts, MCP server files, the schedule",
      "  none of: keys for hosts, commands, limits, packages, other code, data files, agents, settings",
      expect.stringMatching(/^ {2}sha256:[0-9a-f]{64}$/),
    ]);
    expect(exitCode).toBe(3);
  });

  test("runs by its name without a question, with its data in the user's state and its files beside it", async () => {
    using user = addingUser();
    const source = user.author("source", { "agent.mdx": versionedAgent("one") });
    await user.add(source);
    const calls: Calls = [
      { id: "1", name: "weather", arguments: { city: "Wien" } },
      { id: "2", name: "write_file", arguments: { path: "x.txt", content: "mine" } },
    ]; // biome-ignore format: short
    const answered = await user.ask("weather", "Hi", [{ calls }, { text: "done" }]);
    expect(answered).toMatchObject({ exitCode: 0, stdout: "done\n", stderr: expect.stringContaining("one: sunny in Wien") }); // biome-ignore format: short
    const [listed] = JSON.parse((await user.run("list", "--json")).stdout);
    expect(listed).toMatchObject({ name: "weather", source, scope: "user", hash: expect.stringMatching(/^sha256:/) });
    expect(contentsOf(listed.path)).toStrictEqual({ "agent.mdx": versionedAgent("one") });
    expect(listed.data).toStartWith(join(user.home, ".local/state/mdx-ai/data/weather-"));
    expect(Object.keys(contentsOf(listed.data))).toContain("sessions/main/journal.jsonl");
    expect(Object.values(contentsOf(join(user.home, ".local/share/mdx-ai/files")))).toStrictEqual(["mine"]);
    expect((await user.run("sessions", "weather")).stdout).toContain("main");
    expect((await user.run("complete", "--", "update", "w")).stdout).toBe("weather\n");
    expect((await user.run("complete", "--", "wea")).stdout).toBe("weather\n");
    expect(await user.run("verify")).toMatchObject({ exitCode: 0, stdout: "weather  as it was agreed to\n" });
  });
});

describe("what must not be added", () => {
  const server = (line: string): string => versionedAgent("one", { settings: `mcp:\n  files:\n    ${line}` });

  test.each([
    ["a server of the latest version", { "agent.mdx": server("command: npx -y @acme/files@latest") }, "write @acme/files@VERSION with an exact version"], // biome-ignore format: short
    ["a server of any version", { "agent.mdx": server("command: uvx\n    args: [acme-files]") }, "write acme-files==VERSION with an exact version"], // biome-ignore format: short
    ["code outside of it", { "agent.mdx": versionedAgent("one"), "modules/a.ts": 'import "../../code.ts";' }, "it uses ../code.ts, which is outside of the agent"], // biome-ignore format: short
    ["a lock file that lies", { "agent.mdx": versionedAgent("one", { attributes: NETWORK }), "agent.lock.json": '{"version": 1, "entries": []}' }, 'its agent.lock.json does not say + '], // biome-ignore format: short
    ["mistakes", { "agent.mdx": versionedAgent("one").replace('name="weather"', 'name=""') }, "`<Tool>` has no name"],
  ])("%s", async (_what, files, reason) => {
    using user = addingUser();
    user.author("weather", files);
    const { exitCode, stderr } = await user.run("add", "./weather");
    expect([exitCode, agentsOf(user)]).toStrictEqual([2, []]);
    expect(stderr).toContain(reason);
  });
});

describe("agents.lock.json", () => {
  test("installs the same agents for someone else, without a question", async () => {
    using author = addingUser();
    using user = addingUser();
    const source = author.author("weather", { "agent.mdx": versionedAgent("one") });
    await author.add(source);
    writeText(lockOf(user), readFileSync(lockOf(author), "utf8"));
    expect(await user.run("verify")).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("it is not installed"),
    });
    expect(await user.run("add", "--frozen")).toMatchObject({ exitCode: 0, stdout: `Installed: weather ${source}\n` });
    expect(await user.run("add", "--frozen")).toMatchObject({ exitCode: 0, stdout: "Everything that the lock file names is installed.\n" }); // biome-ignore format: short
    expect(await user.ask("weather", "Hi")).toMatchObject({ exitCode: 0 });
    expect(await user.run("verify")).toMatchObject({ exitCode: 0 });
  });

  test.each([
    [
      "other files",
      (text: string) => text.replace(/"hash": "sha256:..../, '"hash": "sha256:0000'),
      "its files have the hash",
    ],
    [
      "another power",
      (text: string) => text.replace(/"trust": "sha256:..../, '"trust": "sha256:0000'),
      "its power has the hash",
    ],
    [
      "nothing that can be read",
      (text: string) => text.replace('"hash"', '"hush"'),
      'the entry "weather" is broken; remove it from the file',
    ],
    ["no agents", () => "{", "is not a lock file of agents; correct it, or remove it"],
  ])("that names %s installs nothing", async (_what, lie, reason) => {
    using author = addingUser();
    using user = addingUser();
    await author.add(author.author("weather", { "agent.mdx": versionedAgent("one") }));
    writeText(lockOf(user), lie(readFileSync(lockOf(author), "utf8")));
    const { exitCode, stderr } = await user.run("add", "--frozen");
    expect([exitCode, agentsOf(user)]).toStrictEqual([2, []]);
    expect(stderr).toContain(reason);
  });
});
