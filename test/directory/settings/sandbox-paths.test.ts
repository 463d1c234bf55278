import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { runSettings, type SettingsProblem } from "@mdx-ai/directory";
import { readAgentDirectory } from "@mdx-ai/parser";
import { sandboxPolicy } from "@mdx-ai/sandbox";
import { MINIMAL_AGENT, writeFiles, writeText } from "../../support/agent-files.ts";
import { surroundingsIn } from "../../support/front-end.ts";
import { runCli } from "../../support/run-cli.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../support/temporary-directory.ts";

const SETTINGS = "home/.config/mdx-ai/settings.yaml";
const FILES = ["agents/one/out/a.txt", "data/b.txt", "project/c.txt", "work/records/d.txt"];

/** A folder with a home folder that holds agents and data. */
function folders(): TemporaryDirectory {
  const folder = temporaryDirectory();
  writeFiles(join(folder.path, "home"), {
    ...Object.fromEntries(FILES.map((name) => [name, ""])),
    ...{ "agents/one/agent.mdx": MINIMAL_AGENT, "agent/agent.mdx": MINIMAL_AGENT },
  });
  symlinkSync(join(folder.path, "home/data"), join(folder.path, "home/linked"));
  return folder;
}

interface CheckedPaths {
  readonly paths: object;
  readonly problems: readonly SettingsProblem[];
}

/** What the lists of `sandbox` become; in them HOME is the home folder and ABOVE the folder around it. */
async function checked({ path }: TemporaryDirectory, lists: string, environment = {}): Promise<CheckedPaths> {
  const home = join(path, "home");
  writeText(join(path, SETTINGS), `sandbox: {${lists.replace("HOME", home).replace("ABOVE", path)}}`);
  const frontEnd = surroundingsIn(home, environment);
  const directory = await readAgentDirectory(join(home, "agent"));
  const run = { allow: [], deny: [], allowsAll: false, isEphemeral: true, data: join(home, "work/records") };
  const { sandbox = {} } = await runSettings(run, directory, frontEnd).catch(() => ({ sandbox: {} }));
  const problems = frontEnd.notices.flatMap((notice) => (notice.type === "settings_problem" ? notice.problem : []));
  return { paths: sandbox, problems };
}

describe("the paths of the user's sandbox", () => {
  test("are absolute and real, each once", async () => {
    using folder = folders();
    const home = join(folder.path, "home");
    expect(await checked(folder, "read: [~/linked, ~/data/, /usr], write: [~/project, ~/data/b.txt]")).toStrictEqual({
      paths: { read: [join(home, "data"), "/usr"], write: [join(home, "project"), join(home, "data/b.txt")] },
      problems: [],
    });
  });

  test("may be read where they may not be written", async () => {
    using folder = folders();
    const home = join(folder.path, "home");
    const { problems, paths } = await checked(folder, "read: [~/agents, ~/work]");
    expect({ problems, paths }).toStrictEqual({
      problems: [],
      paths: { read: [join(home, "agents"), join(home, "work")] },
    });
  });

  test.each([
    ["read: [HOME]", "which includes your whole home folder"],
    ["read: [ABOVE]", "which includes your whole home folder"],
    ["write: [~/.config]", "where mdx-ai keeps your settings, trust and approvals"],
    ["write: [~/.config/mdx-ai/other]", "where mdx-ai keeps your settings, trust and approvals"],
    ["write: [~/.local/state/mdx-ai/approvals]", "where mdx-ai keeps your settings, trust and approvals"],
    ["write: [~/.cache]", "where mdx-ai keeps your settings, trust and approvals"],
    ["write: [~/agent]", "which would let agents change HOME/agent"],
    ["write: [~/agent/skills]", "which would let agents change HOME/agent"],
    ["write: [~/agents]", "which would let agents change HOME/agents/one"],
    ["write: [~/agents/one/out]", "which would let agents change HOME/agents/one"],
    ["write: [~/work]", "which would let agents change HOME/work/records"],
  ])("%s is an error at its place that says why", async (lists, why) => {
    using folder = folders();
    const { paths, problems } = await checked(folder, lists);
    expect(paths).toStrictEqual({});
    expect(problems).toStrictEqual([
      {
        ...{
          line: 1,
          column: 11 + lists.indexOf("[") + 1,
          severity: "error",
          hint: expect.stringMatching(/^(?:list|name|write) /),
        },
        message: expect.stringContaining(why.replace("HOME", join(folder.path, "home"))),
      },
    ]);
  });

  test("below a home folder that is not known are an error", async () => {
    using folder = folders();
    const environment = { HOME: "", XDG_CONFIG_HOME: join(folder.path, "home/.config") };
    const { problems } = await checked(folder, "read: [~/data]", environment);
    expect(problems.map(({ severity, message }) => [severity, message])).toStrictEqual([
      ["error", "`sandbox.read` contains `~/data`, but HOME is not set"],
    ]);
  });

  test("that do not exist are a warning, and left out; what is wrong stops the run", async () => {
    using folder = folders();
    const home = join(folder.path, "home");
    writeText(join(folder.path, SETTINGS), "sandbox:\n  read: [~/nowhere, ~/data]\n  write: [~/agents]\n");
    const { exitCode, stderr } = await runCli(["agent", "agent", "--trust", "--prompt", "x"], { home });
    expect([exitCode, stderr]).toStrictEqual([
      2,
      expect.stringContaining(
        `settings.yaml:2:10 warning \`sandbox.read\` contains \`~/nowhere\`, which does not exist, so it has no effect\n`,
      ),
    ]);
    expect(stderr).toContain(
      "settings.yaml:3:11 error `sandbox.write` contains `~/agents`, which would let agents change",
    );
    expect(stderr).toContain("no agent runs until your settings are fixed");
    const { paths } = await checked(folder, "read: [~/nowhere, ~/data]");
    expect(paths).toStrictEqual({ read: [join(home, "data")] });
  });

  const system = [
    ["read: [/dev]", "but the sandbox has its own /dev, so it has no effect", false],
    ["write: [/dev/shm/x]", "but the sandbox has its own /dev, so it has no effect", false],
    ["write: [/proc]", "but the sandbox has its own /proc, so it has no effect", false],
    ["write: [/sys]", "where agents could change settings of the system", true],
    ["read: [/run]", "where other programs keep their run-time files", true],
  ] as const;
  test.skipIf(process.platform !== "linux").each(system)(
    "%s, which belongs to the system, is a warning",
    async (lists, why, hasEffect) => {
      using folder = folders();
      const { paths, problems } = await checked(folder, lists);
      expect(problems.map(({ severity, message }) => [severity, message.replace(/^.*`, /, "")])).toStrictEqual([
        ["warning", why],
      ]);
      expect(Object.values(paths).flat()).toHaveLength(hasEffect ? 1 : 0);
    },
  );

  test("reach the policy of the sandbox; a directory's do not, which is a warning", async () => {
    using folder = folders();
    const home = join(folder.path, "home");
    writeText(join(folder.path, SETTINGS), "sandbox: {network: all, read: [~/data], write: [~/project]}\n");
    writeText(join(home, "agent/agent.mdx"), `---\nsandbox: {read: [/etc], write: [/]}\n---\n\n${MINIMAL_AGENT}`);
    const directory = await readAgentDirectory(join(home, "agent"));
    expect(directory.diagnostics.map(({ rule, severity, line }) => `${line} ${severity} ${rule}`)).toStrictEqual([
      "2 error setting-not-supported",
      "2 error setting-not-supported",
    ]);
    const run = { allow: [], deny: [], allowsAll: false, sandboxMode: "required" as const, isEphemeral: true };
    const { sandbox } = await runSettings(run, directory, surroundingsIn(home));
    expect(sandboxPolicy(sandbox, directory.definition.settings.sandbox)).toStrictEqual({
      ...{ mode: "required", network: "all" },
      ...{ read: [join(home, "data")], write: [join(home, "project")] },
    });
  });
});
