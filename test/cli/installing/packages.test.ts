import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addingUser, versionedAgent } from "../../support/added-agents.ts";
import { writeText } from "../../support/agent-files.ts";
import { AGENT, lockOf, registry } from "../../support/greeting-registry.ts";

describe("packages that an agent imports", () => {
  test("that the registry changed under the same version are refused", async () => {
    using source = registry();
    using author = addingUser();
    using user = addingUser();
    source.publish("1.0.0");
    for (const { home } of [author, user]) writeText(join(home, ".npmrc"), `registry=${source.url}\n`);
    await author.add(author.author("source", { "agent.mdx": AGENT, "package.json": '{"dependencies": {"greeting": "1.0.0"}}' })); // biome-ignore format: short
    source.publish("1.0.0", "someone else");
    writeText(lockOf(user), readFileSync(lockOf(author), "utf8"));
    const { exitCode, stderr } = await user.run("add", "--frozen");
    expect([exitCode, stderr]).toStrictEqual([
      1,
      expect.stringContaining("the packages of the agent cannot be installed"),
    ]);
  }, 60_000);

  test.each([
    ["another address", '"greeting": ["greeting@1.0.0", "http://127.0.0.1:1/greeting.tgz", {}, "sha512-AA=="]'],
    ["a path", '"greeting": ["greeting@../../other", {}]'],
    ["no hash", '"greeting": ["greeting@1.0.0", "", {}, ""]'],
  ])("whose lines in agents.lock.json have %s are refused", async (_what, line) => {
    using user = addingUser();
    const agent = user.author("source", {
      "agent.mdx": AGENT,
      "package.json": '{"dependencies": {"greeting": "1.0.0"}}',
    });
    const packages = ["{", '"lockfileVersion": 1,', `"packages": {${line}}`, "}"];
    const hash = `sha256:${"0".repeat(64)}`;
    const { files } = { files: JSON.parse((await user.run("pack", agent, "--json")).stdout).hash };
    const agents = { weather: { source: agent, hash: files, trust: hash, packages } };
    writeText(lockOf(user), JSON.stringify({ version: 1, agents }));
    const { exitCode, stderr } = await user.run("add", "--frozen");
    expect(stderr).toContain("bun.lock names greeting by");
    expect(exitCode).toBe(2);
  });

  test("and servers that are not pinned: the fix names the version of today", async () => {
    using source = registry();
    using user = addingUser();
    source.publish("1.0.0");
    source.publish("1.2.0");
    writeText(join(user.home, ".npmrc"), `registry=${source.url}\n`);
    user.author("source", { "agent.mdx": versionedAgent("one", { settings: "mcp: {a: {command: npx, args: [-y, greeting@latest]}}" }) }); // biome-ignore format: short
    const { stderr, exitCode } = await user.run("add", "./source");
    expect(stderr).toContain("runs greeting@latest, whose version is not pinned; write greeting@1.2.0\n");
    expect(exitCode).toBe(2);
  });

  test.each([
    ["uvx, greeting@latest", "greeting==1.10.0"],
    ["uvx, --from, 'Greeting_x[cli]>=1', greeting", "Greeting_x[cli]==1.10.0"],
    ["pipx, run, other", "other==VERSION with an exact version"],
  ])("and servers of PyPI that are not pinned: %s", async (words, fixed) => {
    using user = addingUser();
    const versions = ["1.0.0", "1.9.0", "1.10.0", "1.11.0", "2.0.0rc1"];
    const files = versions.map((version) => ({ filename: `greeting-${version}.tar.gz`, yanked: version === "1.11.0" }));
    using index = Bun.serve({
      ...{ port: 0, hostname: "127.0.0.1" },
      fetch: ({ url, headers }) =>
        /\/simple\/greeting(?:-x)?\/$/.test(url) && headers.get("accept")?.includes("pypi.simple.v1+json")
          ? Response.json({ versions, files })
          : new Response("", { status: 404 }),
    });
    const [command, ...args] = words.split(", ");
    user.author("source", { "agent.mdx": versionedAgent("one", { settings: `mcp: {a: {command: ${command}, args: [${args.join(", ")}]}}` }) }); // biome-ignore format: short
    const { stderr, exitCode } = await user.runWith({ UV_DEFAULT_INDEX: `${index.url.href}simple` }, "add", "./source");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`whose version is not pinned; write ${fixed}\n`)]);
  });

  test("that package.json does not name are told of", async () => {
    using user = addingUser();
    user.author("source", { "agent.mdx": AGENT });
    const { stderr } = await user.run("add", "./source");
    expect(stderr).toContain("its code imports greeting, which its package.json does not name");
    expect(stderr).not.toContain(".staged");
  });
});
