import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchSource, hashTree, parseSource } from "@mdx-ai/directory/sources";
import { GREETING_AGENT, writeFiles } from "../support/agent-files.ts";
import { npmRegistry } from "../support/npm-registry.ts";
import { digestOf, ociRegistry } from "../support/oci-registry.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const SKILL = "---\nname: look\ndescription: Looks up words\nversion: 2.0.0\n---\n\nLook.\n";
const MANIFEST = {
  ...{ name: "@acme/greeter", version: "1.2.3", license: "MIT", private: true },
  ...{ scripts: { postinstall: "touch ran" }, dependencies: { leven: "4.0.0" } },
};

/** A home with an agent in `agent/`, and in `agent/` also what is not its own. */
function author(): TemporaryDirectory {
  const home = temporaryDirectory();
  writeFiles(home.path, {
    "agent/agent.mdx": GREETING_AGENT,
    "agent/skills/look/SKILL.md": SKILL,
    "agent/skills/look/scripts/look.sh": "#!/bin/sh\n",
    "agent/README.md": "# Greeter\n",
    "agent/package.json": JSON.stringify(MANIFEST),
    "agent/.gitignore": "sessions/\n",
    "agent/sessions/main/journal.jsonl": "private\n",
    "agent/state/memory.json": "{}",
    "agent/.env": "KEY=1\n",
    "agent/.git/config": "",
    "agent/node_modules/leven/index.js": "",
    "agent/node_modules/leven/package.json": '{"name":"leven","version":"4.0.0"}',
  });
  execFileSync("chmod", ["755", join(home.path, "agent/skills/look/scripts/look.sh")]);
  return home;
}

const run = (home: TemporaryDirectory, ...args: readonly string[]): Promise<CliResult> =>
  runCommandLine(args, { home: home.path });

const signal = new AbortController().signal;

/** The hash of what a fetch of a source gives. */
async function fetchedHash(home: TemporaryDirectory, source: string): Promise<string> {
  const into = join(home.path, "fetched", crypto.randomUUID());
  const fetched = await fetchSource(parseSource(source, home.path), {
    ...{ into, signal, environment: { HOME: home.path, PATH: process.env["PATH"] } },
  });
  expect(await hashTree(into)).toBe(fetched.hash);
  return fetched.hash;
}

const bytesBelow = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, withFileTypes: true, encoding: "utf8" })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(path.length), digestOf(readFileSync(file))]),
  );

describe("mdx-ai pack", () => {
  test.each(["tgz", "npm", "oci", "plugin"])(
    "writes the same %s again, with the same files of the agent",
    async (format) => {
      using home = author();
      const hash = await hashTree(join(home.path, "agent"));
      const first = await run(home, "pack", "agent", "--format", format, "--output", "one/packed");
      expect(first).toMatchObject({ exitCode: 0, stderr: "" });
      expect(first.stdout).toContain(`${hash}\n`);

      // Another day, another machine: other times, other data.
      utimesSync(join(home.path, "agent/agent.mdx"), 1, 1);
      writeFiles(home.path, { "agent/sessions/main/journal.jsonl": "more\n", "agent/logs/2026-01-01.log": "x" });
      const second = await run(home, "pack", "agent", "--format", format, "--output", "two/packed", "--json");
      expect(JSON.parse(second.stdout)).toMatchObject({ format, hash, files: 6, path: join(home.path, "two/packed") });
      expect(bytesBelow(join(home.path, "two"))).toEqual(bytesBelow(join(home.path, "one")));
    },
  );

  test("what it packs is fetched again with the same hash", async () => {
    using home = author();
    const hash = await hashTree(join(home.path, "agent"));
    await run(home, "pack", "agent");
    expect(await fetchedHash(home, "agent.tgz")).toBe(hash);
    await run(home, "pack", "agent", "--format", "npm", "--output", "npm.tgz");
    expect(await fetchedHash(home, "npm.tgz")).toBe(hash);
    await run(home, "pack", "agent", "--format", "plugin");
    expect(await fetchedHash(home, "agent-plugin")).toBe(hash);
    expect(await fetchedHash(home, "agent")).toBe(hash);
    writeFiles(home.path, { "agent/agent.mdx": `${GREETING_AGENT}\nMore.\n` });
    expect(await hashTree(join(home.path, "agent"))).not.toBe(hash);

    // In the agent directory itself the package is written beside it.
    await runCommandLine(["pack"], { home: home.path, cwd: join(home.path, "agent") });
    expect(await fetchedHash(home, "agent.tgz")).toBe(await hashTree(join(home.path, "agent")));
  });

  test("a package of npm has a program, the agent's dependencies and no scripts", async () => {
    using home = author();
    await run(home, "pack", "agent", "--format", "npm", "--as", "@acme/other@2.0.0-rc.1");
    execFileSync("tar", ["-C", home.path, "-xzf", join(home.path, "agent.tgz")]);
    const manifest = JSON.parse(readFileSync(join(home.path, "package/package.json"), "utf8"));
    expect(manifest).toEqual({
      ...{ name: "@acme/other", version: "2.0.0-rc.1", description: "Greet people.", keywords: ["mdx-ai", "agent"] },
      ...{ license: "MIT", type: "module", bin: { other: "run.js" }, files: ["agent", "run.js"] },
      dependencies: { leven: "4.0.0", "mdx-ai": expect.stringMatching(/^\d+\.\d+\.\d+/) },
    });
    expect(readFileSync(join(home.path, "package/agent/package.json"), "utf8")).toBe(JSON.stringify(MANIFEST));
    expect(readFileSync(join(home.path, "package/README.md"), "utf8")).toBe("# Greeter\n");
  });

  test("a plugin has the prose as a subagent, the skills, and a server for the tools", async () => {
    using home = author();
    await run(home, "pack", "agent", "--format", "plugin", "--output", "plugin");
    const read = (path: string): string => readFileSync(join(home.path, "plugin", path), "utf8");
    expect(JSON.parse(read(".claude-plugin/plugin.json"))).toEqual({
      ...{ name: "greeter", version: "1.2.3", description: "Greet people.", license: "MIT" },
      skills: "./agent/skills/",
    });
    expect(read("agents/greeter.md")).toMatch(
      /^---\nname: greeter\ndescription: "Greet people."\n---\n\n# Agent: Greeter\n/,
    );
    expect(read("agents/greeter.md")).not.toContain("<Tool");
    expect(JSON.parse(read(".mcp.json")).mcpServers.greeter).toMatchObject({
      command: "npx",
      args: expect.arrayContaining(["mcp-server", "${CLAUDE_PLUGIN_ROOT}/agent"]),
    });
    expect(await run(home, "pack", "agent", "--format", "plugin", "--output", "plugin")).toMatchObject({
      exitCode: 1,
      stderr: `mdx-ai: ${join(home.path, "plugin")} exists already\n`,
    });
  });

  test("refuses mistakes, keys, links and names that npm does not take, and writes nothing", async () => {
    using home = author();
    const refused = async (why: RegExp | string, ...args: readonly string[]): Promise<void> => {
      const output = args.includes("--output") ? [] : ["--output", "out"];
      const result = await run(home, "pack", "agent", ...output, ...args);
      expect(result.stderr).toMatch(why);
      expect(result.exitCode).toBeGreaterThan(0);
      expect(readdirSync(home.path)).not.toContain("out");
    };
    await refused("--format is one of tgz, npm, oci, plugin", "--format", "zip");
    await refused("is not a name for a package of npm", "--format", "npm", "--as", "Acme@1.0.0");
    await refused("is in the agent directory and would be part of the next package", "--output", "agent/out.tgz");
    await refused("one is not a version", "--format", "npm", "--as", "acme@one");
    await refused("--as takes NAME@VERSION", "--as", "@");
    writeFiles(home.path, { "agent/package.json": "{}" });
    await refused(
      "the package needs a version, such as 1.0.0; give name and version, greeter@1.0.0",
      "--format",
      "npm",
    );
    writeFiles(home.path, { "agent/data/keys.json": `{\n"token": "ghp_${"a1B2c3D4e5".repeat(4)}"\n}` });
    await refused("--allow-keys: data/keys.json:2: GitHub key\n");
    expect(await run(home, "pack", "agent", "--allow-keys")).toMatchObject({ exitCode: 0 });
    writeFiles(home.path, {
      "shared/more.ts": "export const more = 1;",
      "agent/modules/more.ts": 'import "../../shared/more.ts"; export default { name: "more" };',
    });
    await refused("the agent uses ../shared/more.ts, which is outside its directory", "--allow-keys");
    writeFiles(home.path, { "agent/modules/more.ts": 'import "leven"; export default { name: "more" };' });
    const packed = await run(home, "pack", "agent", "--allow-keys");
    expect(packed.stderr).toContain("the code imports packages (leven@4.0.0), but no package.json names them");
    execFileSync("ln", ["-s", "/etc", join(home.path, "agent/etc")]);
    await refused("`etc` is a symbolic link");
    writeFiles(home.path, { "agent/agent.mdx": "<Tool name='x'>" });
    await refused("cannot run until");
    expect(await run(home, "pack", "nothing")).toMatchObject({ exitCode: 2 });
  });
});

describe("mdx-ai publish", () => {
  test("to npm, with npm's registry and credentials; from there npm's users get the same agent", async () => {
    using home = author();
    using registry = npmRegistry({ token: "right" });
    const hash = await hashTree(join(home.path, "agent"));
    const { host } = new URL(registry.url);
    const without = await run(home, "publish", "agent", "npm:@acme/greeter");
    expect(without).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("run npm login") });
    writeFileSync(
      join(home.path, ".npmrc"),
      `@acme:registry=${registry.url}\n//${host}/:_authToken=\${TOKEN}\n; a comment\n`,
    );
    const environment = { TOKEN: "right" };
    const options = { home: home.path, environment };
    const published = await runCommandLine(["publish", "agent", "npm:@acme/greeter", "--json"], options);
    expect(published).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(published.stdout)).toMatchObject({ source: "npm:@acme/greeter@1.2.3", hash });
    expect(registry.document("@acme/greeter")).toMatchObject({ "dist-tags": { latest: "1.2.3" } });
    const again = await runCommandLine(["publish", "agent", "npm:@acme/greeter"], options);
    expect(again.stderr).toContain("cannot publish @acme/greeter@1.2.3 (cannot publish over 1.2.3)");
    const next = ["publish", "agent", "npm:@acme/greeter@1.3.0", "--tag", "next", "--access", "public"];
    expect(await runCommandLine(next, options)).toMatchObject({ exitCode: 0 });
    expect(registry.document("@acme/greeter")).toMatchObject({ "dist-tags": { latest: "1.2.3", next: "1.3.0" } });

    writeFileSync(join(home.path, ".npmrc"), `@acme:registry=${registry.url}\n//${host}/:_authToken=right\n`);
    for (const source of ["npm:@acme/greeter", "npm:@acme/greeter@^1.2.0", "npm:@acme/greeter@next"])
      expect([source, await fetchedHash(home, source)]).toEqual([source, hash]);
  });

  test("to a registry of OCI artifacts, with docker's credentials; each skill is an artifact, too", async () => {
    using home = author();
    using registry = ociRegistry({ login: "ada:secret", redirects: true });
    const hash = await hashTree(join(home.path, "agent"));
    const target = `oci://${registry.host}/acme/greeter:1.2.3`;
    const denied = await run(home, "publish", "agent", target);
    expect(denied).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("cannot sign in") });
    const auths = { [registry.host]: { auth: Buffer.from("ada:secret").toString("base64") } };
    writeFiles(home.path, { ".docker/config.json": JSON.stringify({ auths }) });
    const published = await run(home, "publish", "agent", target, "--json");
    expect(published).toMatchObject({ exitCode: 0, stderr: "" });
    const { identity } = JSON.parse(published.stdout);
    expect([...registry.manifests.keys()].filter((name) => !name.includes("@"))).toEqual([
      "acme/greeter:1.2.3",
      "acme/greeter:1.2.3-skill-look",
    ]);
    const skill = JSON.parse(String(Buffer.from(registry.manifests.get("acme/greeter:1.2.3-skill-look")?.bytes ?? "")));
    expect(skill).toMatchObject({
      artifactType: "application/vnd.agent.skill.v1+json",
      annotations: { "org.agent.skill.name": "look", "org.agent.skill.version": "2.0.0" },
    });
    expect(digestOf(registry.manifests.get("acme/greeter:1.2.3")?.bytes ?? Buffer.of())).toBe(identity);
    expect(await fetchedHash(home, target)).toBe(hash);
    expect(await fetchedHash(home, `oci://${registry.host}/acme/greeter@${identity}`)).toBe(hash);
    expect(registry.storeAuthorizations).toEqual([null, null]);

    const before = registry.requests.length;
    expect(await run(home, "publish", "agent", target)).toMatchObject({ exitCode: 0 });
    expect(registry.requests.slice(before).filter((one) => one.startsWith("POST"))).toEqual([]);
  });

  test.each([
    ["a login", { isBasic: true }, { auth: Buffer.from("ada:secret").toString("base64") }],
    ["a token of an earlier sign-in", { identityToken: "long-lived" }, { auth: "", identitytoken: "long-lived" }],
  ])("signs in by %s", async (_, how, kept) => {
    using home = author();
    using registry = ociRegistry({ login: "ada:secret", ...how });
    const target = `oci://${registry.host}/acme/greeter`;
    expect(await run(home, "publish", "agent", target)).toMatchObject({ exitCode: 1 });
    writeFiles(home.path, { ".docker/config.json": JSON.stringify({ auths: { [registry.host]: kept } }) });
    expect(await run(home, "publish", "agent", target)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await fetchedHash(home, target)).toBe(await hashTree(join(home.path, "agent")));
  });

  test("asks docker's credential helper", async () => {
    using home = author();
    using registry = ociRegistry({ login: "ada:secret" });
    using bin = temporaryDirectory();
    const answer = `{"ServerURL":"x","Username":"ada","Secret":"secret"}`;
    writeFileSync(
      join(bin.path, "docker-credential-safe"),
      `#!/bin/sh\nread -r server\n[ "$1 $server" = "get ${registry.host}" ] && echo '${answer}'\n`,
      { mode: 0o755 },
    );
    writeFiles(home.path, { "docker/config.json": JSON.stringify({ credHelpers: { [registry.host]: "safe" } }) });
    const environment = {
      DOCKER_CONFIG: join(home.path, "docker"),
      PATH: `${bin.path}:${process.env["PATH"]}`,
    };
    const target = `oci://${registry.host}/acme/greeter`;
    const published = await runCommandLine(["publish", "agent", target], { home: home.path, environment });
    expect(published).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("refuses other targets", async () => {
    using home = author();
    expect(await run(home, "publish", "agent", "github:acme/greeter")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("publish to npm:NAME@VERSION or oci://HOST/REPOSITORY:TAG"),
    });
  });
});
