import { describe, expect, test } from "bun:test";
import { answering, callOf, permissionBench } from "../../../test/support/permission-bench.ts";
import type { PermissionsOptions } from "./permissions.ts";

/** As without a sandbox: nothing enforces what `deploy` declares. */
const unheld: Partial<PermissionsOptions> = {
  unenforcedLimits: async ({ name }) => (name === "deploy" ? LIMITS : undefined),
};
const LIMITS = 'network="none"';
const call = callOf("deploy", { to: "test" });

describe("a tool whose limits nothing enforces", () => {
  const cases: readonly (readonly [what: string, options: Partial<PermissionsOptions>, outcome: string])[] = [
    ["is asked about", {}, "ask"],
    ["is asked about where the directory allows it", { settings: { deploy: "allow" } }, "ask"],
    ["is allowed by the user's settings", { user: { settings: { deploy: "allow" } } }, "allow"],
    [
      "is allowed by the user's settings for these arguments",
      { user: { settings: { "deploy(to=t*)": "allow" } } },
      "allow",
    ],
    ["is asked about with other arguments", { user: { settings: { "deploy(to=prod)": "allow" } } }, "ask"],
    ["is asked about where the user asks last", { user: { settings: { "*": "allow", deploy: "ask" } } }, "ask"],
    ["is allowed by --allow", { user: { allow: ["deploy"] } }, "allow"],
    ["is asked about below --allow of another tool", { user: { allow: ["bash"] } }, "ask"],
    ["is allowed by --allow-all", { user: { allowsAll: true } }, "allow"],
    ["is denied by --deny", { user: { allow: ["deploy"], deny: ["deploy"] } }, "not run: the user denies deploy"],
    ["is denied by the directory", { settings: { deploy: "deny" } }, "not run: the agent's settings deny deploy"],
  ];
  test.each(cases)("a call %s", async (_what, options, outcome) => {
    using bench = permissionBench();
    expect(await bench.judge(call, { ...unheld, ...options })).toBe(outcome);
  });

  test("is refused with its limits and the flag if there is no one to ask", async () => {
    using bench = permissionBench();
    expect(await bench.run(call, unheld)).toBe(
      'not run: nothing enforces its network="none" without a sandbox, and no user can be asked; allow it with --allow deploy',
    );
  });

  test("is asked about with its limits, though its author requires approval, too", async () => {
    using bench = permissionBench("ask");
    await bench.run(call, { ...unheld, onApproval: answering("no") });
    expect(bench.asked.map(({ reason }) => reason)).toStrictEqual([
      'nothing enforces its network="none" without a sandbox',
    ]);
  });

  test("is asked about though the user has always allowed it in a sandbox; the answer then holds for both", async () => {
    using bench = permissionBench("ask");
    const onApproval = answering("always");
    expect(await bench.run(call, { onApproval })).toBe("deployed");
    expect(await bench.judge(call)).toBe("allow");
    expect(await bench.judge(call, unheld)).toBe("ask");
    expect(await bench.run(call, { ...unheld, onApproval })).toBe("deployed");
    expect(await bench.judge(call, unheld)).toBe("allow");
    expect(await bench.judge(call)).toBe("allow");
    expect(bench.asked).toHaveLength(2);
  });
});
