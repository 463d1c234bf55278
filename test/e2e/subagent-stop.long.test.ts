import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { noProcessesOf } from "../support/remaining-processes.ts";
import type { Reply } from "../support/replies.ts";
import { cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { agentText } from "../support/team.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const NEVER: Reply = { delay: 86_000_000, text: "never" };

/** A command that ends when the file `go` exists. */
const WAITS: Reply = {
  calls: [
    {
      ...{ id: "c2", name: "bash" },
      arguments: { command: "echo x >> begun; until [ -e go ]; do sleep 0.1; done; echo fini''shed" },
    },
  ],
};

const CALL: Reply = { calls: [{ id: "c1", name: "helper", arguments: { prompt: "Help" } }] };

/** Writes a lead that its heartbeat wakes, and its helper, whose models read what `writeReplies` wrote. */
function writeTeam(home: string, attributes: string): void {
  const element = `<Agent name="helper" src="../helper" description="Helps" ${attributes} />`;
  writeFiles(home, {
    "lead/agent.mdx": agentText("lead", element, `model: script:${home}/lead.jsonl`),
    "lead/heartbeat.md": "@every: 1s\n",
    "helper/agent.mdx": agentText("helper", "", `model: script:${home}/helper.jsonl`),
  });
}

/** Writes what the models of the lead and of its helper answer. */
function writeReplies(home: string, replies: Readonly<Record<"lead" | "helper", readonly Reply[]>>): void {
  for (const [name, lines] of Object.entries(replies)) {
    writeFiles(home, { [`${name}.jsonl`]: lines.map((line) => `${JSON.stringify(line)}\n`).join("") });
  }
}

/** The journal of the only session of the helper; "" if there is none. */
function helperJournal(home: string): string {
  const folder = join(home, "lead/state/agents/helper/sessions");
  const [session, ...others] = existsSync(folder) ? readdirSync(folder) : [];
  if (others.length > 0) throw new Error(`a second session: ${others}`);
  const path = join(folder, session ?? "", "journal.jsonl");
  return session !== undefined && existsSync(path) ? readFileSync(path, "utf8") : "";
}

test.each([
  ["a call", ""],
  ["a call in the background", "background"],
])(
  "SIGTERM during %s of an agent: its running step ends and is journaled, nothing is left running, and the next process continues it",
  async (_title, attributes) => {
    using folder = temporaryDirectory();
    const home = folder.path;
    writeTeam(home, attributes);
    writeReplies(home, { lead: [CALL, { text: "later" }], helper: [WAITS, NEVER] });
    const child = Bun.spawn(cliCommand(["run", "lead", "--trust"]), {
      ...{ cwd: home, env: cliEnvironment({ home }), stdin: "ignore", stdout: "ignore", stderr: "inherit" },
    });
    await eventually(() => existsSync(join(home, "lead/begun")));
    const since = performance.now();
    child.kill("SIGTERM");
    writeFileSync(join(home, "lead/go"), "");
    expect(await child.exited).toBe(0);
    // Its step ends long before the limit for it, 7 s.
    expect(performance.now() - since).toBeLessThan(6_000);
    expect(helperJournal(home)).toContain("finished");
    expect(helperJournal(home)).not.toContain('"outcome"');
    await noProcessesOf(home);
    writeReplies(home, { lead: [{ text: "Done." }], helper: [{ text: "helped" }] });
    const { exitCode, stdout } = await runCli(["lead", "--trust", "--resume"], { home });
    expect([exitCode, stdout.trim().split("\n").at(-1)]).toStrictEqual([0, "Done."]);
    expect(helperJournal(home)).toContain("helped");
    expect(readFileSync(join(home, "lead/begun"), "utf8")).toBe("x\n");
  },
);

test.each([
  ["a prompt, which ends", ["agent", "lead", "--trust", "-p", "Go"], "SIGTERM", 143, '"outcome":"aborted"'],
  ["a server, which leaves it to the next one", ["serve", "lead", "--trust", "--port", "0"], "SIGTERM", 0, ""],
  ["a server, as SIGTERM does", ["serve", "lead", "--trust", "--port", "0"], "SIGHUP", 0, ""],
] as const)(
  "during a call of an agent, a signal stops %s, with the agent and its commands: %j by %s",
  async (_title, args, signal, exitCode, outcome) => {
    using folder = temporaryDirectory();
    const home = folder.path;
    writeTeam(home, "");
    writeReplies(home, { lead: [CALL, NEVER], helper: [WAITS, NEVER] });
    const child = Bun.spawn(cliCommand(args), {
      ...{ cwd: home, env: cliEnvironment({ home }), stdin: "ignore", stdout: "ignore", stderr: "ignore" },
    });
    await eventually(() => existsSync(join(home, "lead/begun")));
    child.kill(signal);
    expect(await child.exited).toBe(exitCode);
    await noProcessesOf(home);
    const journal = helperJournal(home);
    expect(journal).toContain('"started":true');
    expect(/"outcome":"\w+"/.exec(journal)?.[0] ?? "").toBe(outcome);
  },
);
