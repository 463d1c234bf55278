import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type AddingUser, addingUser, hashIn, versionedAgent } from "../../support/added-agents.ts";
import { MINIMAL_AGENT, writeText } from "../../support/agent-files.ts";

type Calls = readonly {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}[];

const agentsOf = ({ home }: AddingUser): readonly string[] => {
  const folder = join(home, ".local/share/mdx-ai/agents");
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
};

describe("an agent of someone else", () => {
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

describe("agents.lock.json", () => {
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
