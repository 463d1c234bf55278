import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AddingUser, addingUser, versionedAgent } from "../../support/added-agents.ts";
import { writeText } from "../../support/agent-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** A registry on the loopback with the package `greeting`, whose versions say their own. */
function registry() {
  const archives = new Map<string, Buffer>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      const { pathname, origin } = new URL(url);
      const archive = archives.get(pathname.slice(1).replace(".tgz", ""));
      if (archive !== undefined) return new Response(Uint8Array.from(archive));
      if (pathname !== "/greeting") return new Response("none", { status: 404 });
      const versions = [...archives].map(([version, bytes]) => {
        const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
        return [
          version,
          { name: "greeting", version, dist: { tarball: `${origin}/${version}.tgz`, integrity } },
        ] as const;
      });
      const latest = versions.at(-1)?.[0];
      return Response.json({ name: "greeting", "dist-tags": { latest }, versions: Object.fromEntries(versions) });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    publish: (version: string, text = version) => void archives.set(version, archiveOf(version, text)),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function archiveOf(version: string, text: string): Buffer {
  using folder = temporaryDirectory();
  const scripts = { postinstall: "touch ../../../ran" };
  writeText(
    join(folder.path, "package/package.json"),
    JSON.stringify({ name: "greeting", version, main: "index.js", scripts }),
  );
  writeText(join(folder.path, "package/index.js"), `exports.greeting = "hello of ${text}";`);
  execFileSync("tar", ["-C", folder.path, "-czf", join(folder.path, "a.tgz"), "package"]);
  return readFileSync(join(folder.path, "a.tgz"));
}

const AGENT = versionedAgent("one").replace("export async", 'import { greeting } from "greeting";\n\nexport async').replace("return `", "return `${greeting} "); // biome-ignore format: short

const lockOf = ({ home }: AddingUser): string => join(home, ".config/mdx-ai/agents.lock.json");

const answer = async (user: AddingUser): Promise<string> => (await user.run("tool", "weather", "weather", "city=Wien")).stdout; // biome-ignore format: short

describe("packages that an agent imports", () => {
  test("are installed without their scripts, shown, locked, and the same for the next one", async () => {
    using source = registry();
    using author = addingUser();
    using user = addingUser();
    source.publish("1.0.0");
    for (const { home } of [author, user]) writeText(join(home, ".npmrc"), `registry=${source.url}\n`);
    const agent = author.author("source", {
      "agent.mdx": AGENT,
      "package.json": '{"dependencies": {"greeting": "^1.0.0"}}',
    });
    const asked = await author.run("add", agent, "--json");
    expect(asked.stderr).toContain("to agree");
    expect(JSON.parse(asked.stdout).power.packages).toStrictEqual(["greeting@1.0.0"]);
    expect(await author.add(agent)).toMatchObject({ exitCode: 0 });
    expect(await answer(author)).toContain("hello of 1.0.0 one: sunny in Wien");
    source.publish("1.1.0");
    writeText(lockOf(user), readFileSync(lockOf(author), "utf8"));
    expect(await user.run("add", "--frozen")).toMatchObject({ exitCode: 0 });
    expect(await answer(user)).toContain("hello of 1.0.0 one");
    const update = await author.run("update", "weather");
    expect([update.exitCode, update.stdout]).toStrictEqual([3, expect.stringContaining("+ package greeting@1.1.0")]);
    expect(await author.update("weather")).toMatchObject({ exitCode: 0 });
    expect(await answer(author)).toContain("hello of 1.1.0 one");
    await author.run("rollback", "weather");
    expect(await answer(author)).toContain("hello of 1.0.0 one");
    expect(existsSync(join(author.home, "../ran"))).toBeFalse();
  }, 60_000);

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
