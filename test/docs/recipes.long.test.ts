import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { runLines, userEnvironment } from "../support/run-lines.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/recipes.md")).text();

/** The one match on the page; fails if the page has none. */
function onPage(pattern: RegExp): string {
  const found = pattern.exec(page)?.[1];
  if (found === undefined) throw new Error(`The page has nothing like ${pattern}.`);
  return found;
}

describe("what docs/recipes.md shows and cannot run where it is read", () => {
  test("the lines of the crontab run a prompt, as cron runs them: in the home folder, by sh, with few variables", async () => {
    using home = temporaryDirectory();
    using server = anthropicServer(textReply("Walk at nine."));
    const { PATH = "" } = userEnvironment(home.path);
    await runLines("mdx-ai init diary --template daily", home.path);
    const keys = `export ANTHROPIC_API_KEY=key ANTHROPIC_BASE_URL=${server.environment.ANTHROPIC_BASE_URL}\n`;
    await Bun.write(join(home.path, ".agent-keys"), keys);
    const folders = onPage(/^PATH=(.+)$/m).replace("/usr/local/bin", PATH.split(":")[0] ?? "");
    const child = Bun.spawn(["/bin/sh", "-c", onPage(/^[*\d]+ [*\d]+ [*\d]+ [*\d]+ [*\d]+ +(.+)$/m)], {
      cwd: home.path,
      env: { HOME: home.path, LOGNAME: "me", SHELL: "/bin/sh", PATH: folders },
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(await child.exited).toBe(0);
    expect(await Bun.file(join(home.path, "diary.log")).text()).toContain("Walk at nine.");
    expect(server.requests).toHaveLength(1);
  });

  test("the container's command, with the options of docker run, keeps all data on the volume", async () => {
    using home = temporaryDirectory();
    using server = anthropicServer(textReply("Nothing new."));
    const entry: readonly string[] = JSON.parse(onPage(/^ENTRYPOINT (.+)$/m));
    const options = onPage(/^docker run .*? my-agent (.+)$/m);
    await runLines("mdx-ai init my-agent", home.path);
    const agent = join(home.path, "image/agent");
    cpSync(join(home.path, "my-agent"), agent, { recursive: true });
    chmodSync(agent, 0o555);
    mkdirSync(join(home.path, "data"));
    const before = readdirSync(agent, { recursive: true });
    const places: Readonly<Record<string, string>> = { "/agent": agent, "/data": join(home.path, "data") };
    const command = entry.map((word) => `'${places[word] ?? word}'`).join(" ");
    const run = await runLines(`${command} ${options}`, home.path, {
      environment: { ...server.environment, ANTHROPIC_API_KEY: "key" },
    });
    expect(run).toMatchObject({ exitCode: 0, stdout: "Nothing new.\n" });
    expect(readdirSync(agent, { recursive: true })).toEqual(before);
    expect(existsSync(join(home.path, "data/sessions"))).toBe(true);
    expect(page).toContain("RUN mkdir /data && chown node:node /data\n");
  });
});
