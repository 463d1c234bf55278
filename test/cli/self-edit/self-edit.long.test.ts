import { describe, expect, test } from "bun:test";
import { agentText, type Change, PROSE, selfEditing } from "../../support/self-editing.ts";

describe("an agent that changes its own files", () => {
  test.each(["yes", "no"])("with `ask` asks about each change and shows its text: %s", async (word) => {
    using user = await selfEditing("ask", [PROSE], { action: word === "yes" ? "accept" : "decline" });
    const result = await user.run();
    expect(user.messages()).toStrictEqual([expect.stringMatching(/Say more\nno change of what it may do\nagent\.mdx\n[\s\S]*\+ Tell the weather and the tides\./)]); // biome-ignore format: short
    expect(result).toContain(word === "yes" ? "changed agent.mdx" : "the user did not agree to it");
    expect(user.text()).toBe(agentText("ask", word === "yes" ? "Tell the weather and the tides." : undefined));
  });

  test("stays trusted after a change that its user agreed to", async () => {
    using user = await selfEditing("on", [{ path: "agent.mdx", old: "sunny in ${city}`", new: "sunny in ${city}` " }]);
    expect(await user.run()).toContain("changed agent.mdx");
    expect(user.messages()).toStrictEqual([expect.stringContaining("~ tool weather")]);
    await (await user.open()).close();
  });

  test.each<[string, readonly Change[], string]>([
    ["does not pass the check", [{ path: "agent.mdx", old: 'name="weather"', new: 'name=""' }], "agent.mdx:10:7 `<Tool>` has no name"],
    ["fails an example", [{ path: "agent.mdx", old: "`one: sunny", new: "`two: sunny" }], "its tests failed"],
    ["fails a recording", [PROSE, { path: "tests/old.jsonl", content: "garbage\n" }], "recording: old: "],
    ["replaces what is not there", [{ path: "agent.mdx", old: "nowhere", new: "" }], "contains the text to replace 0 times, not once"],
    ["is of its sessions", [{ path: "sessions/main/journal.jsonl", content: "" }], "is no file of the agent's own"],
    ["is outside of it", [{ path: "../other.txt", content: "" }], "is no file of the agent's own"],
    ["is of its repository", [{ path: ".git/config", content: "" }], "is no file of the agent's own"],
  ])("gets the reasons as an error if the change %s", async (_what, changes, reason) => {
    using user = await selfEditing("on", changes);
    const result = await user.run();
    expect(result).toContain('"isError":true');
    expect(result).toContain(reason);
    expect(user.text()).toBe(agentText("on"));
  }); // biome-ignore format: a table
});
