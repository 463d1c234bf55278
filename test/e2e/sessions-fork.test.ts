import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";

interface Talk extends Disposable {
  readonly server: AnthropicServer;
  readonly home: TemporaryDirectory;
  ask(prompt: string, session?: string): Promise<CliResult>;
  sessions(...args: readonly string[]): Promise<CliResult>;
}

/** An agent that was told "one", "two" and "three" in the session main. */
async function talk(): Promise<Talk> {
  const home = temporaryDirectory();
  writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
  const server = anthropicServer(textReply("First."), textReply("Second."), textReply("Third."));
  const run = (...args: readonly string[]) =>
    runCommandLine(args, { home: home.path, environment: server.environment });
  const ask: Talk["ask"] = (prompt, session = "main") =>
    run("agent", "--trust", "--prompt", prompt, "--session", session, "--model", "anthropic/claude-test");
  for (const prompt of ["one", "two", "three"]) expect(await ask(prompt)).toMatchObject({ exitCode: 0 });
  return {
    server,
    home,
    ask,
    sessions: (...args) => run("sessions", ".", ...args),
    [Symbol.dispose]() {
      server[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}

/** What the model was sent last: the texts of the messages. */
function lastRequest({ server }: Talk): readonly string[] {
  const last = server.requests.at(-1);
  expect(last?.refusal).toBeUndefined();
  return [...(last?.text ?? "").matchAll(/"text":"(one|two|three|four|First\.|Second\.|Third\.)"/g)].flatMap(
    ([, text]) => text ?? [],
  );
}

test.each([
  { title: "a prompt", args: ["--at", "1"], head: "the end of prompt 1", said: ["one", "First."] },
  { title: "the beginning", args: ["--at", "0"], head: "before the first prompt", said: [] },
  {
    title: "the end",
    args: [],
    head: "the end of prompt 3",
    said: ["one", "First.", "two", "Second.", "three", "Third."],
  },
])("a fork goes on from $title, and the session that it came from stays as it was", async ({ args, head, said }) => {
  using all = await talk();
  const journal = join(all.home.path, "sessions/main/journal.jsonl");
  const before = readFileSync(journal, "utf8");
  const fork = await all.sessions("fork", "main", "copy", ...args);
  expect(fork).toEqual({ exitCode: 0, stdout: `Forked: copy continues from ${head} of main\n`, stderr: "" });
  all.server.add(textReply("Fourth."));
  expect(await all.ask("four", "copy")).toMatchObject({ exitCode: 0, stdout: "Fourth.\n" });
  expect(lastRequest(all)).toStrictEqual([...said, "four"]);
  expect(readFileSync(journal, "utf8")).toBe(before);
});

test("a session that was rewound continues from the earlier prompt; nothing is deleted, and it can go back again", async () => {
  using all = await talk();
  const rewind = (to: string) => all.sessions("rewind", "main", "--to", to);
  expect(await rewind("1")).toEqual({
    exitCode: 0,
    stdout: "Rewound: main continues from the end of prompt 1; nothing is deleted\n",
    stderr: "",
  });
  all.server.add(textReply("Fourth."), textReply("Fourth again."));
  await all.ask("four");
  expect(lastRequest(all)).toStrictEqual(["one", "First.", "four"]);
  expect(readFileSync(join(all.home.path, "sessions/main/journal.jsonl"), "utf8")).toContain("Third.");
  expect(await rewind("3")).toMatchObject({ exitCode: 0 });
  await all.ask("four");
  expect(lastRequest(all)).toStrictEqual(["one", "First.", "two", "Second.", "three", "Third.", "four"]);
});
