import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { runSettings } from "@mdx-ai/directory";
import { readAgentDirectory } from "@mdx-ai/parser";
import { MINIMAL_AGENT, writeFiles, writeText } from "../../support/agent-files.ts";
import { surroundingsIn } from "../../support/front-end.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const FILE = ".config/mdx-ai/settings.yaml";
const DENIES_BASH = "permissions:\n  bash: deny\n";

/** The permissions and the sandbox in the settings of a home folder, or what is said against them. */
async function settingsOf(
  home: string,
  environment?: Readonly<Record<string, string>>,
  agent = "agent",
): Promise<unknown> {
  const directory = await readAgentDirectory(writeFiles(join(home, agent), { "agent.mdx": MINIMAL_AGENT }));
  const run = { allow: [], deny: [], allowsAll: false, isEphemeral: true };
  return runSettings(run, directory, surroundingsIn(home, environment)).then(
    ({ permissions, sandbox }) => ({
      ...(permissions?.settings && { permissions: permissions.settings }),
      ...(sandbox && { sandbox }),
    }),
    String,
  );
}

describe("the user's own settings", () => {
  test("say nothing where there is no file", async () => {
    using home = temporaryDirectory();
    expect(await settingsOf(home.path)).toStrictEqual({});
    expect(await settingsOf(home.path, { HOME: "relative" })).toStrictEqual({});
  });

  test("are read from ~/.config/mdx-ai/settings.yaml, or below XDG_CONFIG_HOME", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { [FILE]: DENIES_BASH, "other/mdx-ai/settings.yaml": "sandbox: required\n" });
    expect(await settingsOf(home.path)).toStrictEqual({ permissions: { bash: "deny" } });
    expect(await settingsOf(home.path, { XDG_CONFIG_HOME: join(home.path, "other") })).toStrictEqual({
      sandbox: { mode: "required" },
    });
  });

  test.each([
    ["a word that is none", "permissions:\n  bash: denny\n", ":2:9"],
    ["YAML that breaks off", "permissions: {bash: deny\n", ":"],
    ["a key that is none", "permisions:\n  bash: deny\n", ":1:1"],
    ["a pattern without an end", 'permissions:\n  "bash(rm": deny\n', ":2:3"],
    ["a key that is there twice", "permissions:\n  bash: deny\n  bash: allow\n", ":3:3"],
    ["a list", "- bash\n", ":1:1"],
  ])("are refused as a whole with %s, at its place", async (_name, text, place) => {
    using home = temporaryDirectory();
    writeText(join(home.path, FILE), text);
    expect(await settingsOf(home.path)).toStartWith(
      `DirectoryError: no agent runs until your settings are fixed: ${join(home.path, FILE)}${place}`,
    );
  });

  test.each(["settings.yml", "settings.json"])(
    "are refused where they are called %s, which is not read",
    async (name) => {
      using home = temporaryDirectory();
      writeText(join(home.path, ".config/mdx-ai", name), DENIES_BASH);
      expect(await settingsOf(home.path)).toBe(
        `DirectoryError: ${join(home.path, ".config/mdx-ai", name)} is ignored: your settings are read from settings.yaml; rename it`,
      );
      writeText(join(home.path, FILE), DENIES_BASH);
      expect(await settingsOf(home.path)).toStrictEqual({ permissions: { bash: "deny" } });
    },
  );

  test.each([
    ["the file", FILE, 0o666],
    ["its folder", ".config/mdx-ai", 0o777],
  ])("are refused where others may write %s", async (_name, path, mode) => {
    using home = temporaryDirectory();
    writeText(join(home.path, FILE), DENIES_BASH);
    chmodSync(join(home.path, path), mode);
    expect(await settingsOf(home.path)).toContain("can be written by others");
  });

  test("and their folder are named in one message if others may write both", async () => {
    using home = temporaryDirectory();
    const paths = [FILE, dirname(FILE)].map((path) => join(home.path, path));
    writeText(join(home.path, FILE), DENIES_BASH);
    for (const path of paths) chmodSync(path, 0o777);
    expect(await settingsOf(home.path)).toEndWith(
      ` ${paths.join(" and ")} can be written by others; check what is in them, then run: chmod go-w ${paths.join(" ")}`,
    );
  });

  test("may be read by others, and be a link to a file of the user", async () => {
    using home = temporaryDirectory();
    writeText(join(home.path, "dotfiles/settings.yaml"), DENIES_BASH);
    chmodSync(join(home.path, "dotfiles/settings.yaml"), 0o644);
    mkdirSync(join(home.path, ".config/mdx-ai"), { recursive: true });
    symlinkSync(join(home.path, "dotfiles/settings.yaml"), join(home.path, FILE));
    expect(await settingsOf(home.path)).toStrictEqual({ permissions: { bash: "deny" } });
  });

  test("are refused inside the agent directory, also through links", async () => {
    using home = temporaryDirectory();
    writeText(join(home.path, "agent/conf/mdx-ai/settings.yaml"), "permissions:\n  bash: allow\n");
    symlinkSync(join(home.path, "agent"), join(home.path, "elsewhere"));
    for (const folder of ["agent/conf", "elsewhere/conf"]) {
      const said = await settingsOf(home.path, { XDG_CONFIG_HOME: join(home.path, folder) });
      expect(said).toContain(`is in the agent directory ${join(home.path, "agent")}`);
    }
    mkdirSync(join(home.path, ".config/mdx-ai"), { recursive: true });
    symlinkSync(join(home.path, "agent/conf/mdx-ai/settings.yaml"), join(home.path, FILE));
    expect(await settingsOf(home.path)).toContain("is in the agent directory");
  });

  test.each([
    ["a link that leads nowhere", (path: string) => symlinkSync("/nowhere/at/all", path), "settings.yaml (ENOENT)"],
    ["a link to itself", (path: string) => symlinkSync(path, path), "settings.yaml (ELOOP)"],
    ["a folder", (path: string) => mkdirSync(path), "is not a file"],
    ["a pipe", (path: string) => void Bun.spawnSync(["mkfifo", path]), "is not a file"],
    ["a file that is too large", (path: string) => writeText(path, "#".repeat(2 ** 20 + 1)), "is larger than 1 MiB"],
  ])("are refused where they are %s", async (_name, make, problem) => {
    using home = temporaryDirectory();
    mkdirSync(join(home.path, ".config/mdx-ai"), { recursive: true });
    make(join(home.path, FILE));
    expect(await settingsOf(home.path)).toContain(problem);
  });
});
