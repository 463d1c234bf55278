import { describe, expect, test } from "bun:test";
import { requireProgram } from "../../support/require-program.ts";
import { agentText, run, team, teamModel, toolTexts } from "../../support/team.ts";

const HELPER = '<Agent name="helper" src="../helper" description="Helps" />';

const files = (lead = "", helper = "") =>
  team({ "lead/agent.mdx": agentText("lead", HELPER, lead), "helper/agent.mdx": agentText("helper", "", helper) });

describe.skipIf(requireProgram("bwrap"))("the sandbox of an agent that works as a tool", () => {
  test.each([
    [
      "is its parent's, which its settings cannot widen",
      "sandbox: {network: []}",
      "sandbox: {network: ['127.0.0.1:PORT']}",
      false,
    ],
    ["is narrowed by its settings", "sandbox: {network: ['127.0.0.1:PORT']}", "sandbox: {network: []}", false],
    [
      "reaches what both of them let it reach",
      "sandbox: {network: ['127.0.0.1:PORT']}",
      "sandbox: {network: ['127.0.0.1:PORT']}",
      true,
    ],
    ["reaches what its parent may reach", "sandbox: {network: ['127.0.0.1:PORT']}", "", true],
  ])("%s", async (_title, lead, helper, isReached) => {
    let requests = 0;
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(`answer ${++requests}`) });
    const settings = (text: string): string => `builtins: [bash]\n${text.replace("PORT", String(server.port))}`;
    using folder = files(settings(lead), settings(helper));
    const command = `curl -s -m 5 ${server.url.href}`;
    const opened = await folder.open(
      teamModel({
        lead: [{ helper: "Read" }, "done"],
        helper: ({ messages }) => toolTexts(messages)[0] ?? { bash: { command } },
      }),
      { run: { allowsAll: true } },
    );
    try {
      await run(opened, "Go");
      const [text = ""] = toolTexts(await opened.agent.session().messages());
      expect([requests, text.includes("answer 1")]).toEqual(isReached ? [1, true] : [0, false]);
    } finally {
      await opened.close();
    }
  });
});
