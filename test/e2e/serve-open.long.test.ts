import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { MINIMAL_AGENT, writeText } from "../support/agent-files.ts";
import { openPage, startBrowser } from "../support/browser.ts";
import { eventually, untilExists } from "../support/eventually.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const TOKEN = "a-token/of?some&length=16";

interface OpenedServer extends AsyncDisposable {
  /** What the browser was started with: its words, then its environment. */
  seen(): Promise<string>;
  stop(): Promise<void>;
  errors(): string;
}

/** `mdx-ai serve agent --open` with a browser that notes its words. */
async function start(
  environment: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<OpenedServer> {
  const folders = temporaryDirectory();
  const { path } = folders;
  writeText(join(path, "agent", "agent.mdx"), MINIMAL_AGENT);
  writeText(join(path, "users"), `ann ${"a".repeat(20)}\n`);
  const note = join(path, "seen");
  writeFileSync(
    join(path, "browser"),
    `#!/bin/sh\n{ printf '%s\\n' "$@"; env; } > ${note}.new && mv ${note}.new ${note}\n`,
  );
  chmodSync(join(path, "browser"), 0o700);
  const model = ["--model", scriptReference(path, []), "--sandbox", "off", "--trust"];
  const child = Bun.spawn(cliCommand(["serve", "agent", "--open", ...model, ...options]), {
    ...{ cwd: path, stdin: "ignore", stdout: "ignore", stderr: Bun.file(join(path, "errors")) },
    env: cliEnvironment({ home: path, environment: { TOKEN, BROWSER: join(path, "browser"), ...environment } }),
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return {
    ...{ stop, errors: () => readFileSync(join(path, "errors"), "utf8") },
    async seen() {
      await untilExists(note);
      return readFileSync(note, "utf8");
    },
    async [Symbol.asyncDispose]() {
      await stop();
      folders[Symbol.dispose]();
    },
  };
}

const hasBrowser = !requireProgram("chromium");
let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await startBrowser();
});
afterAll(() => browser?.close());

test.if(hasBrowser)(
  "the browser gets a file of the user that leads to the page with the token, which no command line has",
  async () => {
    await using server = await start({}, "--token", "env:TOKEN");
    const words = await server.seen();
    expect(words).not.toContain(TOKEN);
    expect(words).not.toContain(encodeURIComponent(TOKEN));
    const [address = ""] = words.split("\n");
    const file = fileURLToPath(address);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    const { page } = await openPage(browser, address);
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
    await page.getByRole("button", { name: /new/i }).first().waitFor();
    expect(page.url()).not.toContain("token");
    await server.stop();
    expect(existsSync(file)).toBe(false);
  },
);

test("a server with users opens its page without a token, and without a browser a line says what to do", async () => {
  await using server = await start({}, "--users", "users");
  expect((await server.seen()).split("\n")[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  await using without = await start({ BROWSER: "no-such-browser" });
  await eventually(() => expect(without.errors()).toMatch(/no browser was found.*open http:\S+\/ yourself/));
});
