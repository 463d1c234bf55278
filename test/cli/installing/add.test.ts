import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type AddingUser, addingUser, contentsOf, hashIn, versionedAgent } from "../../support/added-agents.ts";
import { MINIMAL_AGENT, writeText } from "../../support/agent-files.ts";

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

  test("shows for which hosts it wishes to use keys of the user, and their variables stay names", async () => {
    using user = addingUser();
    const wishes = "---\ncredentials: {api.example.com: {env: EXAMPLE_KEY}, localhost:8443: {env: OTHER_KEY}}\n---\n\n";
    user.author("weather", { "agent.mdx": `${wishes}${MINIMAL_AGENT}` });
    expect((await user.run("add", "./weather")).stderr).toContain("  keys for hosts api.example.com, localhost:8443\n");
    const { power } = JSON.parse((await user.run("add", "./weather", "--json")).stdout);
    expect(power).toMatchObject({ credentials: ["api.example.com", "localhost:8443"], env: [], other: [] });
  });

  test("shows the hooks, the builtin tools, and the code and tools of agents that work for it", async () => {
    using user = addingUser();
    const settings = "---\nbuiltins: [bash, web_fetch]\nhooks: {Stop: [{hooks: [{type: command, command: 'sh a.txt'}]}]}\n---\n\n"; // biome-ignore format: short
    user.author("weather", {
      "agent.mdx": `${settings}${MINIMAL_AGENT}\n<Agent name="kid" src="kid" description="Helps" />\n`,
      "a.txt": "echo\n",
      "kid/agent.mdx": `import { a } from "./lib/a.ts";\n\n${versionedAgent("one")}`,
      "kid/lib/a.ts": "export const a = 1;\n",
    });
    const { power } = JSON.parse((await user.run("add", "./weather", "--json")).stdout);
    expect(power).toMatchObject({ builtins: ["bash", "web_fetch", "read_file", "write_file"], commands: ["sh a.txt"] });
    expect(power.code).toContainEqual({ file: "a.txt", bytes: 5 });
    expect(power.code).toContainEqual({ file: "kid/lib/a.ts", bytes: 20 });
    expect(power.unasked).toEqual(expect.arrayContaining(["hook Stop", "tool weather"]));
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

  test("is added by the hash of its power or of its files, and by no other", async () => {
    using user = addingUser();
    user.author("weather", { "agent.mdx": versionedAgent("one") });
    const { hash, files } = JSON.parse((await user.run("add", "./weather", "--json")).stdout);
    const other = `sha256:${"0".repeat(64)}`;
    expect(await user.run("add", "./weather", "--yes")).toMatchObject({ exitCode: 2 });
    const refused = await user.run("add", "./weather", "--yes", "--expect", other);
    expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(`has the hash ${hash}, not the expected ${other}`) }); // biome-ignore format: short
    expect(await user.run("add", "./weather", "--yes", "--expect", hash)).toMatchObject({ exitCode: 0 });
    expect(await user.run("add", "./weather", "--name", "two", "--yes", "--expect", files)).toMatchObject({
      exitCode: 0,
    });
    expect(agentsOf(user).toSorted()).toStrictEqual(["two", "weather"]);
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

  test("is one that an agent directory of the same name hides, and no other folder", async () => {
    using user = addingUser();
    await user.add(user.author("source", { "agent.mdx": versionedAgent("one") }));
    user.author("weather", { "notes.txt": "" });
    expect(await user.ask("weather", "Hi")).toMatchObject({ exitCode: 0 });
    user.author("weather", { "agent.mdx": versionedAgent("one") });
    expect(await user.ask("weather", "Hi")).toMatchObject({ exitCode: 3 });
  });

  test("is removed with its trust; its sessions stay, and are found again when it is added again", async () => {
    using user = addingUser();
    const source = user.author("source", { "agent.mdx": versionedAgent("one") });
    await user.add(source);
    await user.ask("weather", "Hi");
    const removed = await user.run("remove", "weather");
    expect(removed.stdout).toStartWith("Removed: weather\nIts sessions, state and logs stay in ");
    expect([agentsOf(user), (await user.run("trust", "--list")).stdout]).toStrictEqual([[], ""]);
    expect(await user.ask("weather", "Hi")).toMatchObject({ exitCode: 2 });
    expect(await user.run("remove", "weather")).toMatchObject({ exitCode: 2 });
    await user.add(source);
    expect((await user.run("sessions", "weather")).stdout).toContain("main");
  });

  test("needs a name that is free and no command", async () => {
    using user = addingUser();
    user.author("one", { "agent.mdx": versionedAgent("one") });
    user.author("two", { "agent.mdx": versionedAgent("two") });
    user.author("bad", { "agent.mdx": MINIMAL_AGENT.replace("Minimal", "Trust") });
    await user.add("./one");
    expect((await user.run("add", "./two")).stderr).toContain("weather was added from ");
    expect((await user.run("add", "./bad")).stderr).toContain(
      '"Trust" cannot be the name of a command; choose one with --name',
    );
    for (const name of ["trust", "A", "../x", "a..b", ""]) expect(await user.run("add", "./two", "--name", name)).toMatchObject({ exitCode: 2 }); // biome-ignore format: short
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

  test("of a project has its own versions, beside the user's", async () => {
    using user = addingUser();
    const [one, two] = ["one", "two"].map((name) => user.author(name, { "agent.mdx": versionedAgent(name) }));
    const project = user.author("project/sub", {});
    const root = join(project, "..");
    await user.add(one ?? "");
    writeText(join(root, "sub/x"), "");
    const { stdout } = await user.runIn(root, "add", two ?? "", "--project", "--json");
    expect(await user.runIn(root, "add", two ?? "", "--project", "--yes", "--expect", hashIn(stdout))).toMatchObject({ exitCode: 0 }); // biome-ignore format: short
    expect(JSON.parse(readFileSync(join(root, "agents.lock.json"), "utf8")).agents.weather.source).toBe("../two");
    const scopes = async (cwd: string, ...args: readonly string[]): Promise<readonly unknown[]> =>
      JSON.parse((await user.runIn(cwd, "list", "--json", ...args)).stdout).map((agent: { scope: string; source: string }) => [agent.scope, agent.source]); // biome-ignore format: short
    expect(await scopes(join(root, "sub"))).toStrictEqual([
      ["project", two],
      ["user", one],
    ]);
    expect(await scopes(root, "--global")).toStrictEqual([["user", one]]);
    const calls: Calls = [{ id: "1", name: "weather", arguments: { city: "Wien" } }];
    const script = join(root, "script.jsonl");
    writeText(script, [{ calls }, { text: "done" }].map((reply) => `${JSON.stringify(reply)}\n`).join(""));
    const answered = await user.runIn(root, "weather", "-p", "Hi", "-m", `script:${script}`);
    expect(answered.stderr).toContain("two: sunny in Wien");
  });
});

describe("an agent that is run once from its source", () => {
  test("runs after an agreement to its power, and leaves nothing", async () => {
    using user = addingUser();
    const source = user.author("weather", { "agent.mdx": versionedAgent("one") });
    const archive = `${source}.tgz`;
    await Bun.$`tar -C ${source} -czf ${archive} .`.quiet();
    rmSync(source, { recursive: true });
    const asked = await user.ask(archive, "Hi");
    const hash = /--expect (sha256:\S+)/.exec(asked.stderr)?.[1] ?? "";
    expect(asked).toMatchObject({ exitCode: 3, stdout: "" });
    expect((await user.ask(archive, "Rain, isn't it?")).stderr).toEndWith(`; to agree: mdx-ai ${archive} -p 'Rain, isn'\\''t it?' --yes --expect ${hash}\n`); // biome-ignore format: short
    expect(await user.ask(archive, "Hi", undefined, "--trust")).toMatchObject({ exitCode: 2 });
    const calls: Calls = [{ id: "1", name: "weather", arguments: { city: "Wien" } }];
    const answered = await user.ask(archive, "Hi", [{ calls }, { text: "done" }], "--expect", hash);
    expect(answered).toMatchObject({ exitCode: 0, stdout: "done\n", stderr: expect.stringContaining("one: sunny in Wien") }); // biome-ignore format: short
    expect([agentsOf(user), existsSync(join(user.home, ".local/state/mdx-ai/data"))]).toStrictEqual([[], false]);
  });
});
