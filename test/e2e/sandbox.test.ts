import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

const NOT_INSTALLED = "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)";

/** A prompt in which the model runs a command. */
async function prompt(
  home: TemporaryDirectory,
  command: string,
  {
    args = [],
    environment = {},
  }: { readonly args?: readonly string[]; readonly environment?: Record<string, string> } = {},
): Promise<CliResult> {
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  const calls = [{ id: "a", name: "bash", arguments: { command } }];
  const model = scriptReference(home.path, [{ calls }, { text: "done" }]);
  return runCli(["agent", "agent", "--trust", "--prompt", "hi", "--model", model, ...args], {
    home: home.path,
    environment,
  });
}

describe.skipIf(requireProgram("bwrap"))("with bubblewrap", () => {
  test("a hostile command changes nothing that defines the agent, is not asked about, and leaves no file", async () => {
    using home = temporaryDirectory();
    const places = ["agent.mdx", "heartbeat.md", ".git/config", "modules/x.ts", "state/memory.json", "package.json"];
    const command = [...places, "out.txt"].map((place) => `echo hostile > ${place}`).join("; ");
    const { exitCode, stdout, stderr } = await prompt(home, command);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "done\n" });
    expect(stderr).not.toContain("warning");
    const agent = join(home.path, "agent");
    expect(readFileSync(join(agent, "agent.mdx"), "utf8")).toBe(MINIMAL_AGENT);
    expect(readdirSync(agent).toSorted()).toStrictEqual([
      "agent.mdx",
      "logs",
      "out.txt",
      "sessions",
      "skills",
      "state",
    ]);
    expect(readdirSync(join(agent, "state"))).not.toContain("memory.json");
  });
});

describe("without bubblewrap", () => {
  const environment = { PATH: "/nowhere" };

  test("a run says once on stderr that nothing is contained, and a command is asked about", async () => {
    using home = temporaryDirectory();
    const { exitCode, stderr } = await prompt(home, "echo hi", { environment });
    expect(exitCode).toBe(0);
    expect(stderr.split("are not contained")).toHaveLength(2);
    expect(stderr).toContain(
      `mdx-ai: warning: the shell and the tools of agent.mdx are not contained: ${NOT_INSTALLED}; a command runs only if you or a rule allow it, and tools may do what you may\n`,
    );
    expect(stderr).toContain("runs a shell command outside a sandbox");
  });

  test("there is no run where a sandbox is required", async () => {
    using home = temporaryDirectory();
    const result = await prompt(home, "echo hi", { environment, args: ["--sandbox", "required"] });
    expect(result).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `mdx-ai: the sandbox is required, but not available: ${NOT_INSTALLED}\n`,
    });
  });

  test("nothing is said where the user wants none", async () => {
    using home = temporaryDirectory();
    const args = ["--sandbox", "off", "--allow", "bash"];
    expect(await prompt(home, "echo hi", { environment, args })).toMatchObject({ exitCode: 0, stdout: "done\n" });
  });
});
