import { describe, expect, test } from "bun:test";
import { agentDirectory } from "../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../support/agent-files.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Prose that takes many seconds to parse. */
const ENDLESS = `${MINIMAL_AGENT}\n${"*a_ ".repeat(240_000)}\n`;

describe("an agent.mdx that takes long to parse", () => {
  test.each([
    ["check", "SIGINT"],
    ["agent", "SIGTERM"],
  ] as const)("does not keep mdx-ai %s from ending at once at %s", async (command, signal) => {
    using home = temporaryDirectory();
    using agent = agentDirectory({ "agent.mdx": ENDLESS });
    const run = Bun.spawn(cliCommand([command, agent.path, ...(command === "agent" ? ["--prompt", "hi"] : [])]), {
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "ignore", "ignore"],
    });
    // Meanwhile it has begun to parse, or will soon; it is far from the end.
    await Bun.sleep(1_500);
    run.kill(signal);
    await run.exited;
    expect(run.signalCode).toBe(signal);
  });
});
