import { expect, test } from "bun:test";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

test("are one line when an agent opens, with the tools that read them", async () => {
  const tools = [
    toolText("a", 'return "";', ' env="FIRST_KEY, SECOND_KEY"'),
    toolText("b", 'return "";', ' env="FIRST_KEY"'),
    toolText("c", 'return "";', ' env="THIRD_KEY"'),
  ];
  using directory = agentDirectory({ "agent.mdx": `${MINIMAL_AGENT}${tools.join("")}` });
  const warningsWith = async (environment: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    const agent = await openScriptAgent(directory.path, [], { environment, onWarning, ephemeral: true });
    await agent.close();
    return warnings.filter((line) => line.includes("not set"));
  };
  expect(await warningsWith({ THIRD_KEY: "" })).toEqual([
    "not set in the environment: FIRST_KEY (read by `a`, `b`), SECOND_KEY (read by `a`)",
  ]);
  expect(await warningsWith({ FIRST_KEY: "1", SECOND_KEY: "2", THIRD_KEY: "3" })).toEqual([]);
});
