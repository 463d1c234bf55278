import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type JsonObject, systemClock } from "@mdx-ai/base";
import type { ToolResult } from "@mdx-ai/loop";
import { readAgentDirectory } from "@mdx-ai/parser";
import { executeTool, inlineTool, ToolHost } from "@mdx-ai/tools";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { namesOf, toolsOf } from "../../../../test/support/module-bench.ts";
import { silentLog } from "../log/agent-log.ts";
import { loadModules } from "./load-modules.ts";
import type { LoadedModules } from "./loaded-modules.ts";

const agentDir = join(import.meta.dir, "../../../../examples/weather");
const { definition, diagnostics } = await readAgentDirectory(agentDir);
const context = {
  agentDir,
  sessionId: "main",
  callId: "call_1",
  cwd: "/",
  signal: new AbortController().signal,
  log: async () => {},
  update: () => {},
};

test("the weather example reads without a diagnostic", () => {
  expect(diagnostics).toEqual([]);
  expect(definition.identity.name).toBe("Weather");
  expect(definition.tools.map(({ name }) => name)).toEqual(["get_weather"]);
  expect(definition.skills.map(({ name, path }) => [name, path])).toEqual([["packing", "skills/packing/SKILL.md"]]);
  expect(definition.modules).toEqual(["modules/daylight.ts"]);
  expect(definition.heartbeat?.interval).toBe(6 * 3_600_000);
  expect(definition.heartbeat?.routines.map(({ time }) => time)).toEqual([{ type: "cron", expression: "0 7 * * *" }]);
});

test("the weather example needs no compiler for its prose", () => {
  expect(definition.program).toBeUndefined();
});

describe("get_weather runs in the tool host", () => {
  const host = new ToolHost({ command: toolHostCommand(), agentDir, cwd: "/", environment: process.env });
  afterAll(() => host.close());
  const call = async (args: JsonObject): Promise<string> => {
    const [tool] = definition.tools;
    if (!tool) throw new Error("the example has no tool");
    return textOf(await executeTool(inlineTool(tool, host), args, context));
  };

  test.each([
    [
      { city: "Vienna" },
      "Vienna, Austria: January 1 °C and 38 mm of rain; April 12 °C and 45 mm of rain; July 22 °C and 70 mm of rain; " +
        "October 11 °C and 38 mm of rain (means of a normal year, no forecast)",
    ],
    [
      { city: " vienna? ", month: 7 },
      "Vienna, Austria: July 22 °C and 70 mm of rain (means of a normal year, no forecast)",
    ],
    [
      { city: "REYKJAVIK", month: 1 },
      "Reykjavík, Iceland: January 1 °C and 89 mm of rain (means of a normal year, no forecast)",
    ],
    [
      { city: "New York, United States", month: 12 },
      "New York, United States: December 4 °C and 111 mm of rain (means of a normal year, no forecast)",
    ],
  ])("%j is answered from the data", async (args, expected) => {
    expect(await call(args)).toBe(expected);
  });

  test.each([
    [{ city: "Wien" }, 'There is no data for "Wien". Near names: Vienna.'],
    [{ city: "Atlantis" }, 'There is no data for "Atlantis". There is for: Amsterdam, Athens,'],
    [{ city: "Berln" }, 'There is no data for "Berln". Near names: Berlin.'],
    [{ city: "" }, 'There is no data for "". There is for: Amsterdam, Athens,'],
    [{ city: "Ж" }, 'There is no data for "Ж". There is for: Amsterdam, Athens,'],
    [{ city: "Rome", month: 13 }, 'parameter "month" must be at most 12, not 13'],
    [{ city: "Rome", month: 1.5 }, 'parameter "month" must be integer, not number 1.5'],
    [{ city: "Rome", scale: "kelvin" }, 'parameter "scale" must be one of ["celsius","fahrenheit"], not "kelvin"'],
  ])("%j is shown what is available", async (args, expected) => {
    expect(await call(args)).toContain(expected);
  });
});

describe("the daylight module", () => {
  const warnings: string[] = [];
  const load = (): Promise<LoadedModules> =>
    loadModules({
      agentDir,
      paths: definition.modules,
      builtin: [],
      takenNames: [],
      services: {
        ...{ agentDir, dataDir: agentDir, isEphemeral: true, log: context.log },
        prompt: async () => ({ text: "", outcome: "done", usd: 0, tokens: 0 }),
        schedule: async () => () => {},
        answer: async () => {},
      },
      clock: systemClock,
      log: silentLog,
      onWarning: (message) => warnings.push(message),
    });

  test("works by the contract and contributes a tool and a section that does not change", async () => {
    const modules = await load();
    await modules.start();
    expect(namesOf(modules)).toEqual(["daylight"]);
    expect(modules.sections()).toEqual(modules.sections());
    expect(modules.sections()[0]).toStartWith("## Cities\n\nThere is data for Amsterdam, Athens, ");
    await modules.stop();
    expect(warnings).toEqual([]);
  });

  test.each([
    [{ city: "Vienna", date: "2027-06-21" }, "Vienna, 2027-06-21: the sun is up for 16.1 hours"],
    [{ city: "Vienna", date: "2027-12-21" }, "Vienna, 2027-12-21: the sun is up for 8.3 hours"],
    [{ city: "sydney", date: "2027-12-21" }, "sydney, 2027-12-21: the sun is up for 14.4 hours"],
    [{ city: "Atlantis", date: "2027-12-21" }, 'There is no data for "Atlantis".'],
  ])("answers %j", async (args, expected) => {
    const [tool] = toolsOf(await load());
    if (!tool) throw new Error("the module has no tool");
    expect(textOf(await executeTool(tool, args, context))).toContain(expected);
  });
});

const textOf = ({ content }: ToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");
