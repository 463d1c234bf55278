import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AddingUser, addingUser } from "../../support/added-agents.ts";
import { writeText } from "../../support/agent-files.ts";
import { AGENT, lockOf, registry } from "../../support/greeting-registry.ts";

const answer = async (user: AddingUser): Promise<string> => (await user.run("tool", "weather", "weather", "city=Wien")).stdout; // biome-ignore format: short

describe("packages that an agent imports", () => {
  test("are installed without their scripts, shown, locked, and the same for the next one", async () => {
    using source = registry();
    using author = addingUser();
    using user = addingUser();
    source.publish("1.0.0");
    for (const { home } of [author, user]) writeText(join(home, ".npmrc"), `registry=${source.url}\n`);
    const agent = author.author("source", {
      "agent.mdx": AGENT,
      "package.json": '{"dependencies": {"greeting": "^1.0.0"}}',
    });
    const asked = await author.run("add", agent, "--json");
    expect(asked.stderr).toContain("to agree");
    expect(JSON.parse(asked.stdout).power.packages).toStrictEqual(["greeting@1.0.0"]);
    expect(await author.add(agent)).toMatchObject({ exitCode: 0 });
    expect(await answer(author)).toContain("hello of 1.0.0 one: sunny in Wien");
    source.publish("1.1.0");
    writeText(lockOf(user), readFileSync(lockOf(author), "utf8"));
    expect(await user.run("add", "--frozen")).toMatchObject({ exitCode: 0 });
    expect(await answer(user)).toContain("hello of 1.0.0 one");
    const update = await author.run("update", "weather");
    expect([update.exitCode, update.stdout]).toStrictEqual([3, expect.stringContaining("+ package greeting@1.1.0")]);
    expect(await author.update("weather")).toMatchObject({ exitCode: 0 });
    expect(await answer(author)).toContain("hello of 1.1.0 one");
    await author.run("rollback", "weather");
    expect(await answer(author)).toContain("hello of 1.0.0 one");
    expect(existsSync(join(author.home, "../ran"))).toBeFalse();
  }, 60_000);
});
