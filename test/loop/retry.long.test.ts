import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../support/agent-directory.ts";
import { outcomeOf, typed } from "../support/event-order.ts";
import { overloaded } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { done, run } from "../support/retry-bench.ts";
import { openScriptAgent } from "../support/script-agent.ts";

test("without a setting a failed call is repeated twice, after a short wait that grows", async () => {
  const delays = typed(await run([overloaded, overloaded, done], undefined), "model_retry").map(({ delay }) => delay);
  expect(delays).toHaveLength(2);
  expect(delays[0]).toBeWithin(375, 501);
  expect(delays[1]).toBeWithin(750, 1001);
});

test.skipIf(requireProgram("bwrap"))(
  "an answer that breaks off is void: its text is not kept, its calls do not run, tools that ran do not run again",
  async () => {
    using directory = agentDirectory();
    const effect = (name: string) => ({
      id: name,
      name: "bash",
      arguments: { command: `echo ${name} >> ${directory.path}/effects` },
    });
    const cut = { message: "reset", isTransient: true, kind: "connection", after: 2 };
    const agent = await openScriptAgent(
      directory.path,
      [
        { calls: [effect("first")] },
        { text: "half", calls: [effect("never")], error: cut },
        { calls: [effect("second")] },
        done,
      ],
      { retries: [0] },
    );
    const events = await Array.fromAsync(agent.session().prompt("go"));
    const messages = await agent.session().messages();
    await agent.close();
    expect(readFileSync(join(directory.path, "effects"), "utf8")).toBe("first\nsecond\n");
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "assistant",
      "toolResult",
      "assistant",
    ]);
    expect(JSON.stringify(messages)).not.toContain("half");
    expect(outcomeOf(events)).toBe("done");
  },
);
