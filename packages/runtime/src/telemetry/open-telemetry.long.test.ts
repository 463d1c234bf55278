import { describe, expect, test } from "bun:test";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { observePrompt, telemetryTo } from "../../../../test/support/observed-prompt.ts";
import { otlpCollector } from "../../../../test/support/otlp-collector.ts";
import { requireProgram } from "../../../../test/support/require-program.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import type { Telemetry } from "./telemetry.ts";

test.skipIf(requireProgram("bwrap"))("a long prompt sends the spans that have ended", async () => {
  using collector = otlpCollector();
  using directory = agentDirectory({ "note.txt": "x" });
  const telemetry = await telemetryTo(collector, { OTEL_BSP_SCHEDULE_DELAY: "1" });
  const calls = [{ id: "1", name: "bash", arguments: { command: "until test -e go; do sleep 0.01; done" } }];
  const agent = await openScriptAgent(directory.path, [{ calls }, { text: "done" }]);
  const prompt = observePrompt(agent, telemetry);
  await eventually(() => collector.spans.length > 0);
  expect(collector.spans.map(({ name }) => name.split(" ")[0])).toStrictEqual(["chat"]);
  await Bun.write(`${directory.path}/go`, "");
  await prompt;
  await agent.close();
  await telemetry.settled();
  expect(collector.spans.map(({ name }) => name.split(" ")[0])).toStrictEqual([
    "chat",
    "execute_tool",
    "chat",
    "invoke_agent",
  ]);
});

describe("a collector that accepts nothing", () => {
  async function warningsOf(telemetry: Telemetry, warnings: readonly string[]): Promise<readonly string[]> {
    using directory = agentDirectory();
    const agent = await openScriptAgent(directory.path, [{ text: "done" }]);
    await observePrompt(agent, telemetry);
    await agent.close();
    await telemetry.settled();
    return warnings;
  }

  test("is given up if it does not answer", async () => {
    const warnings: string[] = [];
    using collector = otlpCollector("hang", "hang");
    const telemetry = await telemetryTo(collector, {}, (line) => void warnings.push(line));
    expect(await warningsOf(telemetry, warnings)).toStrictEqual([
      expect.stringMatching(/^telemetry: \w+ could not be sent to \S+: not accepted in time$/),
    ]);
  });
});
