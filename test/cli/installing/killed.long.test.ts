import { describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type AddingUser, addingUser, contentsOf, hashIn, versionedAgent } from "../../support/added-agents.ts";
import { writeText } from "../../support/agent-files.ts";
import { randomNumbers } from "../../support/crash-moments.ts";
import { untilExists } from "../../support/eventually.ts";
import { randomCases } from "../../support/random-cases.ts";
import { scriptReference } from "../../support/replies.ts";
import { cliCommand, cliEnvironment } from "../../support/run-cli.ts";

const spawn = ({ home }: AddingUser, ...args: readonly string[]) =>
  Bun.spawn(cliCommand(args), {
    cwd: join(home, ".."),
    env: cliEnvironment({ home }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });

const KILLS = 12;

/** The answer of the agent's tool, which says what version it is. */
async function toolAnswer(user: AddingUser): Promise<string> {
  const { stdout, stderr } = await user.run("tool", "weather", "weather", "city=Wien");
  return stdout.trim() === "" ? stderr : stdout.trim();
}

test.each(["update", "rollback"])(
  `%s that is killed at any of ${KILLS} moments leaves the old version or the new one, and the user's data`,
  async (command) => {
    using user = addingUser();
    const source = user.author("source", { "agent.mdx": versionedAgent("one") });
    await user.add(source);
    await user.ask("weather", "Hi");
    user.author("source", { "agent.mdx": versionedAgent("two") });
    const expected = hashIn((await user.run("update", "weather", "--json")).stdout);
    const args = command === "update" ? ["--yes", "--expect", expected] : [];
    const data = contentsOf(join(user.home, ".local/state/mdx-ai/data"));
    const random = randomNumbers(randomCases().seed);
    let full = 0;
    const prepare = () => (command === "update" ? user.run("rollback", "weather") : user.update("weather"));
    await user.update("weather");
    for (let round = 0; round < KILLS; round++) {
      await prepare();
      const child = spawn(user, command, "weather", ...args);
      const started = performance.now();
      if (round === 0) {
        expect(await child.exited).toBe(0);
        full = performance.now() - started;
      } else {
        await Bun.sleep(full * (0.4 + 0.6 * random()));
        child.kill("SIGKILL");
        await child.exited;
      }
      expect(await toolAnswer(user)).toMatch(/^(?:one|two): sunny in Wien$/);
      const left = contentsOf(join(user.home, ".local/state/mdx-ai/data"));
      expect(Object.keys(left).filter((file) => left[file] !== data[file])).toStrictEqual([]);
    }
    expect(await user.update("weather")).toMatchObject({ exitCode: 0 });
    expect(await user.run("verify")).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(user.home, ".local/share/mdx-ai/agents")).filter((name) => name.startsWith(".staged"))).toStrictEqual([]); // biome-ignore format: short
  },
  120_000,
);

test("50 updates and rollbacks in random order, each killed at some moment, leave the old version or the new one, and the user's data", async () => {
  using user = addingUser();
  const source = user.author("source", { "agent.mdx": versionedAgent("0") });
  await user.add(source);
  writeText(join(user.home, ".config/mdx-ai/settings.yaml"), "notify: off\n");
  chmodSync(join(user.home, ".config/mdx-ai/settings.yaml"), 0o600);
  const random = randomNumbers(randomCases().seed);
  const data = (): object => ({
    sessions: contentsOf(join(user.home, ".local/state/mdx-ai/data")),
    files: contentsOf(join(user.home, ".local/share/mdx-ai/files")),
    settings: contentsOf(join(user.home, ".config/mdx-ai"))["settings.yaml"],
  });
  const current = (): string => readlinkSync(join(user.home, ".local/share/mdx-ai/agents/weather/current"));
  const names = new Map([[current(), "0"]]);
  let [full, killed] = [2000, 0];
  for (let round = 1; round <= 50; round++) {
    if (round % 10 === 1) {
      const calls = [{ id: "1", name: "write_file", arguments: { path: "notes.txt", content: `round ${round}` } }];
      expect(await user.ask("weather", `Hi ${round}`, [{ calls }, { text: "ok" }])).toMatchObject({ exitCode: 0 });
    }
    const [before, version] = [data(), current()];
    const command = random() < 0.3 ? "rollback" : "update";
    const args = command === "rollback" ? [] : await newVersion(user, String(round));
    const child = spawn(user, command, "weather", ...args);
    const started = performance.now();
    const timer = setTimeout(() => child.kill("SIGKILL"), full * (0.3 + 0.9 * random()));
    if ((await child.exited) === 0) full = performance.now() - started;
    else killed++;
    clearTimeout(timer);
    if (!names.has(current())) names.set(current(), String(round));
    expect(await toolAnswer(user)).toBe(`${names.get(current())}: sunny in Wien`);
    if (command === "rollback") expect(names.get(current())).not.toBe(String(round));
    else expect([version, current()]).toContain(names.get(current()) === String(round) ? current() : version);
    expect(data()).toStrictEqual(before);
  }
  expect(killed).toBeGreaterThan(5);
  await newVersion(user, "last");
  expect(await user.update("weather")).toMatchObject({ exitCode: 0 });
  expect(await toolAnswer(user)).toBe("last: sunny in Wien");
  expect(await user.run("verify")).toMatchObject({ exitCode: 0 });
  expect(readdirSync(join(user.home, ".local/share/mdx-ai/agents"))).toStrictEqual(["weather"]);
}, 600_000); // biome-ignore format: short

/** Publishes a version; returns what agrees to it. */
async function newVersion(user: AddingUser, version: string): Promise<readonly string[]> {
  user.author("source", { "agent.mdx": versionedAgent(version) });
  return ["--yes", "--expect", hashIn((await user.run("update", "weather", "--json")).stdout)];
}

describe("a prompt across an update", () => {
  const waiting = (version: string, folder: string): string =>
    versionedAgent(version).replace(
      "return `",
      `const fs = await import("node:fs");
  fs.appendFileSync("${folder}/calls", "${version} ");
  while (!fs.existsSync("${folder}/go")) await Bun.sleep(20);
  return \``,
    );
  const call = (id: string) => ({ calls: [{ id, name: "weather", arguments: { city: "Wien" } }] });
  const CURRENT = ".local/share/mdx-ai/agents/weather/current";

  test("that runs finishes with the version that it began with", async () => {
    using user = addingUser();
    const folder = join(user.home, "..");
    await user.add(user.author("source", { "agent.mdx": waiting("one", folder) }));
    const model = scriptReference(folder, [call("1"), call("2"), { text: "done" }]);
    const child = spawn(user, "weather", "-p", "Hi", "-m", model, "--sandbox", "off");
    await untilExists(join(folder, "calls"));
    const before = readlinkSync(join(user.home, CURRENT));
    user.author("source", { "agent.mdx": waiting("two", folder) });
    expect(await user.update("weather")).toMatchObject({ exitCode: 0 });
    expect(readlinkSync(join(user.home, CURRENT))).not.toBe(before);
    writeText(join(folder, "go"), "");
    expect([await child.exited, await child.stdout.text()]).toStrictEqual([0, "done\n"]);
    expect(contentsOf(folder)["calls"]).toBe("one one ");
  }, 60_000);

  test("that was killed is finished by the new version, and by its session of before", async () => {
    using user = addingUser();
    const folder = join(user.home, "..");
    await user.add(user.author("source", { "agent.mdx": waiting("one", folder) }));
    const model = scriptReference(folder, [call("1"), { text: "done" }]);
    const child = spawn(user, "weather", "-p", "Hi", "-m", model, "--sandbox", "off");
    await untilExists(join(folder, "calls"));
    child.kill("SIGKILL");
    await child.exited;
    user.author("source", { "agent.mdx": waiting("two", folder) });
    expect(await user.update("weather")).toMatchObject({ exitCode: 0 });
    writeText(join(folder, "go"), "");
    const resumed = await user.run("weather", "--resume", "--json", "-m", scriptReference(folder, [{ text: "done" }]), "--sandbox", "off"); // biome-ignore format: short
    expect(resumed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("outcome unknown") });
    expect(contentsOf(folder)["calls"]).toBe("one ");
  }, 60_000);
});
