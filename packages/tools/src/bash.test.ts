import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { executeTool } from "@mdx-ai/tools";
import { eventually, untilExists } from "../../../test/support/eventually.ts";
import { noProcessesOf } from "../../../test/support/remaining-processes.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { textOf, toolContext } from "../../../test/support/tool-context.ts";
import { bashTool } from "./bash.ts";

async function run(
  directory: string,
  args: Record<string, string | number>,
  options: { signal?: AbortSignal; environment?: object } = {},
) {
  const tool = bashTool({ environment: { ...process.env, ...options.environment } });
  const result = await executeTool(tool, args, toolContext(directory, options.signal));
  return { text: textOf(result), isError: result.isError, details: result.details };
}

describe("bash", () => {
  test("runs in the agent's directory", async () => {
    using folder = temporaryDirectory();
    const result = await run(folder.path, { command: "pwd" });
    expect(result).toMatchObject({ text: `${folder.path}\n`, isError: false });
  });

  test("gives both outputs in the order in which they were written", async () => {
    using folder = temporaryDirectory();
    const command = "for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done";
    const { text } = await run(folder.path, { command });
    expect(text).toBe([1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\n`).join(""));
  });

  test.each([
    ["false", "[exit code 1]"],
    ["printf abc; exit 7", "abc\n[exit code 7]"],
    ["kill -9 $$", "[ended by signal SIGKILL]"],
    ["no-such-command-anywhere", "[exit code 127]"],
    ["if then", "[exit code 2]"],
  ])("says how %j ended, as an error", async (command, text) => {
    using folder = temporaryDirectory();
    const result = await run(folder.path, { command });
    expect(result.text).toContain(text);
    expect(result.isError).toBe(true);
  });

  test.each([
    ["printf 'é\\n'", { exitCode: 0, signal: null, timedOut: false, bytes: 3, truncated: false }],
    ["echo no >&2; exit 7", { exitCode: 7, signal: null, timedOut: false, bytes: 3, truncated: false }],
    ["kill -9 $$", { exitCode: null, signal: "SIGKILL", timedOut: false, bytes: 0, truncated: false }],
    ["yes | head -c 100000", { exitCode: 0, signal: null, timedOut: false, bytes: 100_000, truncated: true }],
  ])("has exit code, signal, bytes and whether they were cut in the details of %j", async (command, details) => {
    using folder = temporaryDirectory();
    expect((await run(folder.path, { command })).details).toEqual(details);
  });

  test("reports the last lines of its output while it runs, and no half of a word", async () => {
    using folder = temporaryDirectory();
    const context = toolContext(folder.path);
    const gate = join(folder.path, "go");
    const command = `seq 1000; printf 'half-a-'; until [ -e ${gate} ]; do sleep 0.02; done; echo word`;
    const running = executeTool(bashTool({ environment: process.env }), { command }, context);
    await eventually(() => expect(context.partials.length).toBeGreaterThan(0));
    writeFileSync(gate, "");
    const result = await running;
    const [first] = context.partials;
    const lines = String(first).trimEnd().split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([20, "1000"]);
    expect(textOf(result)).toEndWith("half-a-word\n");
    const count = context.partials.length;
    await Bun.sleep(150);
    expect(context.partials).toHaveLength(count);
  });

  test("says when there is no output", async () => {
    using folder = temporaryDirectory();
    expect(await run(folder.path, { command: "true" })).toMatchObject({ text: "[no output]", isError: false });
  });

  test("gives a command an empty input", async () => {
    using folder = temporaryDirectory();
    expect(await run(folder.path, { command: "cat; echo done" })).toMatchObject({ text: "done\n" });
  });

  test("replaces what is not UTF-8", async () => {
    using folder = temporaryDirectory();
    expect(await run(folder.path, { command: "printf 'a\\xff\\xc3\\xa9'" })).toMatchObject({ text: "a\ufffdé" });
  });

  test.each([
    ["sleep 300 & echo started", "started\n[ended with the command, which left it running: sleep 300]"],
    ["sleep 0.01 & echo started; wait", "started\n"],
    [
      "sleep 300 & sleep 301 & sleep 302 & sleep 303 & exit 3",
      /^\[exit code 3\]\n\[ended .*: sleep 30\d; .*; and 1 more\]$/,
    ],
  ])("ends what %j left behind, and says so", async (command, said) => {
    using folder = temporaryDirectory();
    const { text } = await run(folder.path, { command });
    if (typeof said === "string") expect(text).toBe(said);
    else expect(text).toMatch(said);
    await noProcessesOf(folder.path);
  });

  test("has 30 seconds by default", () => {
    expect(bashTool({ environment: {} }).description).toContain("after 30 seconds");
  });

  test("kills the command and all that it started when it is aborted", async () => {
    using folder = temporaryDirectory();
    const abortion = new AbortController();
    const command = "touch begun; sleep 300 & sleep 300";
    const running = run(folder.path, { command }, { signal: abortion.signal });
    await untilExists(join(folder.path, "begun"));
    abortion.abort();
    expect((await running).isError).toBe(true);
    await noProcessesOf(folder.path);
  });

  test.each([
    ["exactly 32,000 characters", "printf %032000d 7", false],
    ["one character more", "printf %032001d 7", true],
    ["exactly 32,000 characters with its exit code", "printf %031986d 7; exit 7", false],
    ["one character more with its exit code", "printf %031987d 7; exit 7", true],
  ])("gives an output of %s in 32,000 characters, cut only where it must be", async (_name, command, truncated) => {
    using folder = temporaryDirectory();
    const { text, details } = await run(folder.path, { command });
    expect(text.length).toBeLessThanOrEqual(32_000);
    expect(text.length).toBeGreaterThan(31_990);
    expect(details).toMatchObject({ truncated });
    expect(text.includes("characters dropped")).toBe(truncated);
  });

  test.each([9_950, 10_000 - 20])(
    "leaves no half of a key where an output is cut, at %d characters",
    async (before) => {
      using folder = temporaryDirectory();
      const key = `sk-ant-${"aB3".repeat(20)}`;
      // The tail is cut at some key of the second row, whatever the notice takes.
      const command = `printf 'x%.0s' $(seq ${before}); echo " ${key}"; for i in $(seq 600); do echo "- ${key}"; done`;
      const { text } = await run(folder.path, { command });
      expect(text).toContain("characters dropped");
      expect(text.replaceAll(key, "")).not.toMatch(/sk-|aB3/);
    },
  );

  test("shows the command no secret of the user", async () => {
    using folder = temporaryDirectory();
    const secrets = {
      ANTHROPIC_API_KEY: "hidden",
      GITHUB_TOKEN: "hidden",
      AWS_SECRET_ACCESS_KEY: "hidden",
      PGPASSWORD: "hidden",
      MYSQL_PWD: "hidden",
      my_api_key: "hidden",
      LLM_PROVIDER_CONFIG: "hidden",
      DATABASE_URL: "postgres://me:hidden@host/db",
      SETTING: "sk-ant-hidden",
      DOCKER_AUTH_CONFIG: '{"auths":{"a.example":{"auth":"hidden"}}}',
      NPM_CONFIG__AUTH: "hidden",
      npm_config__authToken: "hidden",
      AZURE_STORAGE_CONNECTION_STRING: "AccountName=a;AccountKey=hidden",
      sentryDsn: "https://hidden@sentry.example/1",
      SLACK_WEBHOOK_URL: "https://hooks.example/hidden",
      APP_CREDS: "hidden",
    };
    const ordinary = { EDITOR: "vi", KEYBOARD: "us", GIT_AUTHOR_NAME: "me", SSH_AUTH_SOCK: "/run/agent" };
    const environment = { ...secrets, ...ordinary, DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/hidden" };
    const { text } = await run(folder.path, { command: "env" }, { environment });
    expect(text).not.toContain("hidden");
    for (const kept of ["EDITOR=vi", "KEYBOARD=us", "GIT_AUTHOR_NAME=me", "SSH_AUTH_SOCK=/run/agent", "PATH=", "PWD="])
      expect(text).toContain(kept);
  });

  test("gives what a terminal shows in the end, without escape codes", async () => {
    const command = `for i in $(seq 500); do printf '\\r\\033[32m%d%%\\033[0m' $i; done; printf '\\nend\\r\\n'`;
    const { text, details } = await run("/tmp", { command });
    expect(text).toBe("500%\nend\n");
    expect(details).toMatchObject({ bytes: 9, truncated: false });
  });

  test("counts what is left of an output", async () => {
    const { text } = await run("/tmp", {
      command: `yes "$(printf '\\r\\033[1m100%%\\033[0m')" | head -n 40 | tr -d '\\n'; echo; yes a | head -n 5`,
    });
    expect(text).toBe(`100%\n${"a\n".repeat(5)}`);
  });

  test.each([
    ["no colours and no pager", {}, "1 - cat cat dumb"],
    ["what the user set", { NO_COLOR: "", PAGER: "less", GIT_PAGER: "delta" }, " - less delta dumb"],
    ["colours that the user forces", { FORCE_COLOR: "1" }, "- 1 cat cat dumb"],
  ])("asks programs for %s", async (_name, variables, expected) => {
    const environment = {
      NO_COLOR: undefined,
      FORCE_COLOR: undefined,
      CLICOLOR_FORCE: undefined,
      PAGER: undefined,
      GIT_PAGER: undefined,
      ...variables,
    };
    const command = `echo "\${NO_COLOR--} \${FORCE_COLOR--} $PAGER $GIT_PAGER $TERM"`;
    expect((await run("/tmp", { command }, { environment })).text).toBe(`${expected}\n`);
  });

  test.each([{ timeout: 0 }, { timeout: -1 }, { timeout: "soon" }])("refuses %j", async (wrong) => {
    const result = await run("/tmp", { command: "true", ...wrong });
    expect(result.isError).toBe(true);
    expect(result.text).toContain('parameter "timeout"');
  });

  test.each([
    ["is too long", `echo ${"x".repeat(200_000)}`, "too long: write it to a file"],
    ["contains a null character", "echo a\0b", "contains a null character"],
  ])("says that a command %s", async (_name, command, text) => {
    const result = await run("/tmp", { command });
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining(text) });
  });

  test("takes a command that begins like an option for a command", async () => {
    expect((await run("/tmp", { command: "-x" })).text).toContain("[exit code 127]");
  });

  test("says that the agent's directory is gone", async () => {
    const result = await run("/nowhere/at/all", { command: "true" });
    expect(result.isError).toBe(true);
    expect(result.text).toContain("/nowhere/at/all");
  });
});
