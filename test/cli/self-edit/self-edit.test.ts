import { describe, expect, test } from "bun:test";
import { agentText, type Change, PROSE, selfEditing } from "../../support/self-editing.ts";

const HOST: Change = { path: "agent.mdx", old: 'network="none"', new: 'network="evil.example"' };

describe("an agent that changes its own files", () => {
  test("with `on` changes its prose without a question", async () => {
    using user = await selfEditing("on", [PROSE]);
    expect(await user.run()).toContain("changed agent.mdx; it counts from the next prompt on");
    expect([user.text(), user.questions]).toStrictEqual([agentText("on", "Tell the weather and the tides."), []]);
  });

  test("asks about more power, whatever the setting is, and shows it first", async () => {
    using user = await selfEditing("on", [HOST], { action: "decline" });
    expect(await user.run()).toContain('"isError":true');
    expect(user.messages()).toStrictEqual([expect.stringContaining("Say more\n+ host evil.example\n")]);
    expect(user.text()).toBe(agentText("on"));
  });

  test("is refused by a rule", async () => {
    using user = await selfEditing("on\npermissions: {edit_self: deny}", [PROSE]);
    expect(await user.run()).toContain('"isError":true');
    expect(user.text()).toContain("Tell the weather.\n");
  });
});
