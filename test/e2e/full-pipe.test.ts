import { expect, test } from "bun:test";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** As npx leaves the pipe of a shell: a write to it never waits for its reader. */
const WITHOUT_WAITING =
  "perl -e 'use Fcntl; fcntl(STDOUT, F_SETFL, O_WRONLY | O_NONBLOCK) or die; exec @ARGV' \"$@\" | { sleep 0.2; cat; }";

test.skipIf(requireProgram("perl"))("a long answer is whole in a pipe that is full and does not wait", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent.mdx": MINIMAL_AGENT });
  const answer = Array.from({ length: 30_000 }, (_, index) => `${index}`).join(" ");
  const model = scriptReference(home.path, [{ text: answer }]);
  const args = ["agent", ".", "--trust", "--prompt", "Count", "--model", model];
  const child = Bun.spawn(["sh", "-c", WITHOUT_WAITING, "sh", ...cliCommand(args)], {
    cwd: home.path,
    env: cliEnvironment({ home: home.path }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(await child.stdout.text()).toBe(`${answer}\n`);
});
