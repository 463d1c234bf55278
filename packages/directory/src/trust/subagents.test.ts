import { expect, test } from "bun:test";
import { join } from "node:path";
import { type AskTrust, DirectoryError } from "@mdx-ai/directory";
import { lockEntries } from "@mdx-ai/directory/lock";
import { GREETING_AGENT, writeText } from "../../../../test/support/agent-files.ts";
import { agentText, run, team, teamModel, toolTexts } from "../../../../test/support/team.ts";
import { entryName } from "../manifest/manifest.ts";
import { readDirectory } from "../reading/read-directory.ts";

const GREETER = '<Agent name="greeter" src="../greeter" description="Greets" />';

const files = () => team({ "lead/agent.mdx": agentText("lead", GREETER), "greeter/agent.mdx": GREETING_AGENT });

const model = () =>
  teamModel({
    lead: [{ greeter: "Greet Ann" }, "done"],
    Greeter: (request) => toolTexts(request.messages)[0] ?? { greet: { name: "Ann" } },
  });

const always: AskTrust = async () => "always";

test("the trust in an agent covers the code of the agents that work for it, and a change of that code ends it", async () => {
  using folder = files();
  const first = await folder.open(model(), { askTrust: always, run: { isTrusted: false } });
  await first.close();
  const second = await folder.open(model(), { run: { isTrusted: false } });
  await run(second, "Go");
  expect(toolTexts(await second.agent.session().messages())).toStrictEqual(["Hello Ann"]);
  await second.close();
  writeText(join(folder.folder, "greeter/agent.mdx"), GREETING_AGENT.replace("Hello", "Bye"));
  const third = folder.open(model(), { run: { isTrusted: false } });
  expect(await third.catch((error: unknown) => error)).toBeInstanceOf(DirectoryError);
});

test("an agent that works for another one runs the code that was trusted when that one was opened", async () => {
  using folder = files();
  const opened = await folder.open(model());
  writeText(join(folder.folder, "greeter/agent.mdx"), GREETING_AGENT.replace("Hello", "Bye"));
  await run(opened, "Go");
  expect(toolTexts(await opened.agent.session().messages())).toStrictEqual(["Hello Ann"]);
  await opened.close();
});

test("the lock lists the code of the agents that work for an agent", async () => {
  using folder = files();
  const entries = await lockEntries(await readDirectory("lead", folder.frontEnd));
  const names = entries.map(entryName);
  expect(names).toContain('agent "greeter"');
  expect(names).toContain('agent "Greeter" › tool "greet": code');
});

test("an agent that leads nowhere, or has mistakes, is a mistake of the agent that it works for", async () => {
  using folder = team({
    "lead/agent.mdx": agentText("lead", `${GREETER}\n\n<Agent name="other" src="../other" description="x" />`),
    "greeter/agent.mdx": "# Agent: Greeter\n\nx\n\n## Purpose\n\n<Tool name='x' description='y'>\n</Tool>\n",
  });
  const { diagnostics } = await readDirectory("lead", folder.frontEnd);
  expect(diagnostics.map(({ line, rule, message }) => `${line} ${rule} ${message}`)).toStrictEqual([
    "7 agent-source the agent `greeter` cannot run: `<Tool>` has no code",
    "9 agent-source the agent `other` cannot run: cannot open the directory (ENOENT)",
  ]);
});
