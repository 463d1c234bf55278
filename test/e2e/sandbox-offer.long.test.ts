import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { type InteractiveRun, openInteractive } from "../support/interactive-session.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";

const shell = (id: string, command: string): Reply => ({ calls: [{ id, name: "bash", arguments: { command } }] });

/** The answers may be pressed. */
const READY = /^y once · s this session · (?:p this prefix · )?a always · n no/m;

async function go({ terminal }: InteractiveRun): Promise<void> {
  await terminal.type("go");
  await terminal.press("Enter");
}

/** A server on the loopback of this machine. */
function page(): { readonly host: string } & Disposable {
  const served = Bun.serve({ port: 0, hostname: "127.0.0.2", fetch: () => new Response("the page\n") });
  return { host: `127.0.0.2:${served.port}`, [Symbol.dispose]: () => void served.stop(true) };
}

const journalOf = ({ directory }: InteractiveRun): string =>
  readFileSync(join(directory, "sessions/main/journal.jsonl"), "utf8");

describe.skipIf(requireProgram("tmux") || requireProgram("bwrap"))("a command that the sandbox blocked", () => {
  test("from a host runs again when the user allows that, for the session, and /permissions shows it", async () => {
    using served = page();
    const command = `curl -s http://${served.host}/`;
    const replies = [shell("a", command), shell("b", `${command}again`), { text: "Done." }];
    await using run = await openInteractive({ replies, rows: 40 });
    await go(run);
    expect(await run.terminal.waitFor(READY)).toContain(
      [
        "? bash wants to run this command again, with more sandbox access",
        `  │ ${command}`,
        `  │ and reach ${served.host}`,
        `  Why: the sandbox prevented reaching ${served.host}`,
        `  "This session" and "always" allow all commands to reach ${served.host}`,
        "y once",
      ].join("\n"),
    );
    await run.terminal.type("s");
    await run.terminal.waitFor("Done.");
    const opened = `"granted":[{"kind":"host","host":"${served.host}","lasts":"session"}]`;
    expect(journalOf(run).split(opened).length - 1).toBeGreaterThanOrEqual(2);
    expect(journalOf(run)).toContain('"text":"the page\\n"');
    await run.terminal.type("/permissions");
    await run.terminal.press("Enter");
    await run.terminal.waitFor(`all commands to reach ${served.host}: this session`);
  });

  test("from a folder writes there when the user allows it once, and receives a no", async () => {
    using home = temporaryDirectory();
    const directory = writeFiles(join(home.path, "project/agent"), { "agent.mdx": MINIMAL_AGENT });
    const replies = [
      shell("a", "touch ../outside.txt && echo made"),
      shell("b", "touch ../other.txt"),
      { text: "Done." },
    ];
    const options = { replies, directory, rows: 40, columns: 160, environment: { HOME: home.path } };
    await using run = await openInteractive(options);
    await go(run);
    const asked = await run.terminal.waitFor(READY);
    expect(asked).toContain(
      `  │ and write ${home.path}/project and all in it\n  Why: the sandbox prevented writing ${home.path}/project/outside.txt`,
    );
    expect(asked).toContain(`allow all commands to write ${home.path}/project and all in it`);
    expect(existsSync(join(home.path, "project/outside.txt"))).toBe(false);
    await run.terminal.type("y");
    await run.terminal.waitFor((screen) => screen.includes("other.txt") && READY.test(screen));
    expect(existsSync(join(home.path, "project/outside.txt"))).toBe(true);
    await run.terminal.press("Escape");
    await run.terminal.waitFor("Done.");
    expect(journalOf(run)).toContain('"text":"made\\n"');
    expect(journalOf(run)).toMatch(
      /\[exit code 1\]\\n\[the sandbox prevented writing [^"]*\]\\n\[the user did not allow it\]/,
    );
    expect(existsSync(join(home.path, "project/other.txt"))).toBe(false);
  });
});

describe.skipIf(requireProgram("tmux") || requireProgram("bwrap"))("a file that the sandbox hides", () => {
  test("is shown to a command when the user allows that for always: later, and on the page of the sandbox", async () => {
    using home = temporaryDirectory();
    const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nkey\n";
    const files = { "agents/one/agent.mdx": MINIMAL_AGENT, ".ssh/id": key, "notes.txt": "my notes\n" };
    writeFiles(home.path, files);
    const directory = join(home.path, "agents/one");
    const replies = [shell("a", "cat ~/.ssh/id"), shell("b", "cat ~/notes.txt"), { text: "Done." }];
    const options = { replies, directory, home: home.path, rows: 40, columns: 120 };
    {
      await using run = await openInteractive(options);
      await go(run);
      expect(await run.terminal.waitFor(READY)).toContain(
        [
          "  │ cat ~/.ssh/id",
          `  │ and read ${home.path}/.ssh/id`,
          `  Why: the sandbox hides ${home.path}/.ssh/id: a private key`,
          `  "This session" and "always" allow all commands to read ${home.path}/.ssh/id`,
        ].join("\n"),
      );
      await run.terminal.press("Escape");
      await run.terminal.waitFor(
        (screen) => screen.includes("and read") && screen.includes("notes.txt") && READY.test(screen),
      );
      await run.terminal.type("a");
      await run.terminal.waitFor("Done.");
      expect(journalOf(run)).toContain('"text":"my notes\\n"');
      expect(journalOf(run)).toMatch(/\[the user did not allow it\]/);
      expect(journalOf(run)).not.toContain("OPENSSH");
    }
    const page = await runCli(["sandbox", directory], { home: home.path });
    expect(page.stdout).toMatch(/^ +you opened +read ~\/notes\.txt$/m);
    const json = await runCli(["sandbox", directory, "--json"], { home: home.path });
    expect(JSON.parse(json.stdout)).toMatchObject({
      granted: [{ kind: "read", path: `${home.path}/notes.txt` }],
      shell: { shown: expect.arrayContaining([`${home.path}/notes.txt`]) },
    });
    const command = await runCli(["sandbox", directory, "--", "sh", "-c", "cat ~/notes.txt"], { home: home.path });
    expect(command).toEqual({ exitCode: 0, stdout: "my notes\n", stderr: "" });
    rmSync(join(home.path, ".local/state/mdx-ai/approvals"), { recursive: true });
    const after = await runCli(["sandbox", directory], { home: home.path });
    expect(after.stdout).not.toContain("notes.txt");
  });
});

describe.skipIf(requireProgram("bwrap"))("one prompt", () => {
  test("asks on a terminal as well", async () => {
    using home = temporaryDirectory();
    using served = page();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const model = scriptReference(home.path, [
      shell("a", `curl -s http://${served.host}/ > page.txt`),
      { text: "Done." },
    ]);
    const args = ["agent", "agent", "--trust", "--prompt", "hi", "--model", model];
    await using run = new TerminalRun(args, { home: home.path });
    await run.shows("Run this call?");
    expect(run.output).toContain(`and reach ${served.host}`);
    run.write(DOWN + DOWN + ENTER);
    expect(await run.exited).toBe(0);
    expect(readFileSync(join(home.path, "agent/page.txt"), "utf8")).toBe("the page\n");
  });

  test("names the setting and the flag if no one can be asked about a hidden file, and does not say whether it exists", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agents/one/agent.mdx": MINIMAL_AGENT, "notes.txt": "mine" });
    const said = async (name: string): Promise<string> => {
      const model = scriptReference(home.path, [shell("a", `cat ~/${name}`), { text: "Done." }]);
      const args = ["agent", "agents/one", "--trust", "--prompt", "hi", "--json", "--model", model];
      const { stdout } = await runCli(args, { home: home.path });
      return /cat: [^"]*/.exec(stdout)?.[0] ?? "";
    };
    const notes = await said("notes.txt");
    expect(notes).toContain("the setting sandbox.read names what commands and tools see there");
    expect(notes).toContain("--sandbox off runs commands without it");
    expect(await said("other.txt")).toBe(notes.replace("notes.txt", "other.txt"));
  });

  test("asks nothing if there is no one to ask: the note names what was blocked, the setting and the flag", async () => {
    using home = temporaryDirectory();
    using served = page();
    writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
    const model = scriptReference(home.path, [shell("a", `curl -s http://${served.host}/`), { text: "Done." }]);
    const { exitCode, stdout } = await runCli(
      ["agent", "agent", "--trust", "--prompt", "hi", "--json", "--model", model],
      { home: home.path },
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `[the sandbox prevented reaching ${served.host}: it lets commands reach no network and no services of this machine; the setting sandbox.network names hosts, and --sandbox off runs commands without it]`,
    );
  });
});

test.skipIf(requireProgram("tmux"))(
  "a conversation says once that nothing is contained, what that means and what to install",
  async () => {
    const replies = [shell("a", "echo one"), { text: "One." }, shell("b", "echo two"), { text: "Two." }];
    await using run = await openInteractive({ replies, rows: 60, columns: 200, environment: { PATH: "/nowhere" } });
    for (const answer of ["One.", "Two."]) {
      await go(run);
      await run.terminal.waitFor(READY);
      await run.terminal.type("y");
      await run.terminal.waitFor(answer);
    }
    const said = (await run.terminal.history()).match(/Warning: the shell and the tools .*\n?.*/g);
    expect(said?.map((text) => text.replace("\n", " "))).toEqual([
      expect.stringContaining(
        "are not contained: bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap); a command runs only if you or a rule allow it, and tools have your access",
      ),
    ]);
  },
);
