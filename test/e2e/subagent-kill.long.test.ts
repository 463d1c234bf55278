import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { agentText } from "../support/team.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("kill -9 in the middle of an agent that works as a tool: the next run continues it, and starts no second one", async () => {
  using folder = temporaryDirectory();
  const home = folder.path;
  writeFiles(home, {
    "lead/agent.mdx": agentText("lead", '<Agent name="helper" src="../helper" description="Helps" />'),
    "helper/agent.mdx": agentText("helper"),
  });
  const first = scriptReference(home, [
    { calls: [{ id: "c1", name: "helper", arguments: { prompt: "Help" } }] },
    { calls: [{ id: "c2", name: "write_file", arguments: { path: "once.txt", content: "x" } }] },
    { delay: 86_000_000, text: "never" },
  ]);
  const args = (model: string, ...more: readonly string[]): readonly string[] => [
    "lead",
    "--trust",
    "--model",
    model,
    ...more,
  ];
  const child = Bun.spawn(cliCommand(args(first, "-p", "Go")), {
    ...{ cwd: home, env: cliEnvironment({ home }), stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  });
  const sessions = join(home, "lead/state/agents/helper/sessions");
  const journalOf = (): string => {
    const [session] = existsSync(sessions) ? readdirSync(sessions) : [];
    const path = join(sessions, session ?? "", "journal.jsonl");
    return session !== undefined && existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  await eventually(() => journalOf().includes('"toolResult"'));
  child.kill("SIGKILL");
  await child.exited;
  const [session] = readdirSync(sessions);
  const second = scriptReference(home, [{ text: "helped" }, { text: "All done." }]);
  const { exitCode, stdout } = await runCli(args(second, "--resume"), { home });
  expect([exitCode, stdout.trim()]).toStrictEqual([0, "All done."]);
  expect(readdirSync(sessions)).toStrictEqual([session ?? ""]);
  expect(journalOf().match(/"toolName":"write_file"/g)?.length).toBe(1);
});
