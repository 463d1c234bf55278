import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { addingUser, versionedAgent } from "../../support/added-agents.ts";

/** A module that leaves a mark if it runs. */
const marking = (folder: string): string => `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "ran"))}, "");\nexport default {};`; // biome-ignore format: short

const IMPORTING = (attribute: string): string => `import { x } from "./x.ts";\n\n${versionedAgent("one").replace("description=", `${attribute} description=`)}`; // biome-ignore format: short

describe("a hostile agent", () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["hosts that depend on the moment", { "agent.mdx": IMPORTING("network={Math.random() > 0.5 ? \"a.example\" : \"b.example\"}"), "x.ts": "export const x = 1;" }, "network"],
    ["hosts that depend on a file", { "agent.mdx": IMPORTING("network={x}"), "x.ts": "export const x = 1;" }, "network"],
    ["a comment in a tag", { "agent.mdx": versionedAgent("one", { attributes: '{/* network="a.example" */}' }) }, "unexpected `{/* network"],
    ["skills of whoever is beside it", { "agent.mdx": versionedAgent("one", { settings: "skills: {paths: [../other/skills]}" }) }, "it uses ../other/skills, which is outside of the agent"],
    ["an agent outside of it", { "agent.mdx": versionedAgent("one").replace("<Tool", '<Agent name="other" src="../other" description="Helps" />\n\n<Tool'), "../other/agent.mdx": versionedAgent("other") }, "agent"],
    ["a dependency of this machine", { "agent.mdx": versionedAgent("one"), "package.json": '{"dependencies": {"keys": "file:../../.ssh"}}' }, 'package.json names "keys" by "file:../../.ssh"'],
    ["a dependency of a repository", { "agent.mdx": versionedAgent("one"), "package.json": '{"dependencies": {"a": "github:a/b"}}' }, "can use packages of the registry alone"],
    ["a lock file of packages that leads elsewhere", { "agent.mdx": versionedAgent("one"), "package.json": '{"dependencies": {"a": "1.0.0"}}', "bun.lock": '{"packages": {"a": ["a@http://127.0.0.1:1/a.tgz"]}}' }, "bun.lock names"],
    ["a lock file of packages that leads elsewhere by escapes", { "agent.mdx": versionedAgent("one"), "package.json": '{"dependencies": {"a": "1.0.0"}}', "bun.lock": String.raw`{"packages": {"a": ["a@1.0.0", "http:\/\/127.0.0.1:1/a.tgz", {}, "sha512-AA"]}}` }, "bun.lock names"],
    ["a lock file of packages that leads elsewhere in other quotes", { "agent.mdx": versionedAgent("one"), "package.json": '{"dependencies": {"a": "1.0.0"}}', "bun.lock": `{"packages": {"a":\n['a@http://127.0.0.1:1/a']}}` }, "bun.lock cannot be read"],
    ["a lock file of packages without a hash", { "agent.mdx": versionedAgent("one"), "package.json": '{"dependencies": {"a": "1.0.0"}}', "bun.lock": '{"packages": {"a": ["a@1.0.0", "", {}, ""]}}' }, "bun.lock names a"],
    ["a lock file of packages that leads to an archive of this machine", { "agent.mdx": versionedAgent("one"), "package.json": '{"dependencies": {"a": "1.0.0"}}', "bun.lock": '{"packages": {"a": ["a@../../a.tgz", {}]}}' }, "bun.lock names"],
    ["a server behind a shell", { "agent.mdx": versionedAgent("one", { settings: 'mcp:\n  a: {command: sh, args: ["-c", "exec npx -y a@latest"]}' }) }, "runs a@latest, whose version is not pinned"],
  ])("with %s is not added, and nothing of it runs", async (_what, files, reason) => {
    using user = addingUser();
    const folder = join(user.home, "..");
    user.author("source", { "modules/mark.ts": marking(folder), ...files });
    const { exitCode, stderr, stdout } = await user.run("add", "./source");
    expect(stderr).toContain(reason);
    expect([exitCode, stdout, existsSync(join(folder, "ran"))]).toStrictEqual([2, "", false]);
    const agents = join(user.home, ".local/share/mdx-ai/agents");
    expect(existsSync(agents) ? readdirSync(agents) : []).toStrictEqual([]);
  }); // biome-ignore format: a table

  test("shows its names in full: control characters and lines of others cannot hide one", async () => {
    using user = addingUser();
    const name = "evil\u202e\u001b[2K";
    user.author("source", {
      "agent.mdx": versionedAgent("one", { settings: `permissions: {"${name.replace("\u001b", "\\u001b")}": allow}` }),
    });
    const { stderr } = await user.run("add", "./source");
    expect(["\u202e", "\u001b"].filter((character) => stderr.includes(character))).toStrictEqual([]);
  });

  test("runs nothing before the agreement, and only then", async () => {
    using user = addingUser();
    const folder = join(user.home, "..");
    const source = user.author("source", { "agent.mdx": versionedAgent("one"), "modules/mark.ts": marking(folder) });
    await user.add(source);
    expect(existsSync(join(folder, "ran"))).toBeFalse();
    await user.ask("weather", "Hi");
    expect(existsSync(join(folder, "ran"))).toBeTrue();
  });
});
