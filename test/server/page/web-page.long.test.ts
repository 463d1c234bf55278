import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { writeText } from "../../support/agent-files.ts";
import { openPage, startBrowser, type WatchedPage } from "../../support/browser.ts";
import { ASKING_AGENT, ASKING_REPLIES, DENYING_AGENT } from "../../support/limited-agent.ts";
import { agentWithServers, bareServer, fileServer } from "../../support/mcp-server-file.ts";
import type { Reply } from "../../support/replies.ts";
import { requireProgram } from "../../support/require-program.ts";
import { type ServedAgent, serveAgent, TOKEN } from "../../support/served-agent.ts";

setDefaultTimeout(60_000);

const PHONE = { width: 390, height: 780 };

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** What a browser says of a server that is away. */
const AWAY = /ERR_|net::/;

/** A visit of the page with the token. When it ends, its requests went to the server alone, and nothing but `allowed` was complained of. */
async function visit(
  served: ServedAgent,
  options: Parameters<typeof openPage>[2] = {},
  allowed?: RegExp,
): Promise<WatchedPage & AsyncDisposable> {
  const watched = await openPage(browser, `${served.server.url}/#token=${TOKEN}`, options);
  watched.page.setDefaultTimeout(40_000);
  await watched.page.getByRole("textbox", { name: "Message" }).waitFor();
  return {
    ...watched,
    async [Symbol.asyncDispose]() {
      await watched.page.context().close();
      const elsewhere = watched.requests.filter(
        (url) => !url.startsWith(served.server.url) && !url.startsWith("data:"),
      );
      expect(elsewhere).toEqual([]);
      expect(watched.complaints.filter((text) => allowed?.test(text) !== true)).toEqual([]);
    },
  };
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

/** An MCP server whose tool asks for three values and returns the answer. */
const TRIPS = bareServer(`
const waiting = new Map();
handlers["tools/call"] = (id) => {
  waiting.set("trip", id);
  send({ id: "trip", method: "elicitation/create", params: {
    message: "Where to?",
    requestedSchema: {
      type: "object",
      properties: { city: { type: "string", title: "City" }, days: { type: "integer" }, fast: { type: "boolean" }, code: { type: "string" } },
      required: ["city"],
    },
  } });
};
process.stdin.on("data", (data) => {
  for (const line of String(data).split("\\n").filter(Boolean)) {
    const message = JSON.parse(line);
    if (message.id === "trip") text(waiting.get("trip"), JSON.stringify(message.result.content));
  }
});
`);

const shell = (command: string): Reply => ({ calls: [{ id: "c1", name: "bash", arguments: { command } }] });

/** An agent that asks before each edit. */
const ASKS =
  "---\nbuiltins: [bash, read_file, edit_file]\npermissions: { edit_file: ask }\n---\n\n# Agent: Editor\n\n## Purpose\n\nEdits.\n";

/** Breaks of WCAG A and AA by axe-core. */
async function violations(page: Page): Promise<readonly string[]> {
  const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  const run = `${axe}; axe.run(document, { iframes: false, runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] })`;
  const client = await page.context().newCDPSession(page);
  const { result } = await client.send("Runtime.evaluate", {
    expression: run,
    awaitPromise: true,
    returnByValue: true,
  });
  return result.value.violations.map(
    (one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html}`,
  );
}

describe.skipIf(requireProgram("chromium"))("the web page", () => {
  test("shows a prompt while it runs: text, a call with its output, a question and its answer", async () => {
    const replies = [
      { text: "I will **look**.", ...shell("echo from the shell") },
      { text: "It says `hello`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n" },
    ];
    await using served = await serveAgent({ replies });
    await using visited = await visit(served);
    const { page } = visited;
    await say(page, "look at it");
    const question = page.getByRole("region", { name: "A question to you" });
    await question.getByText("echo from the shell").first().waitFor();
    expect(await question.getByRole("button").allTextContents()).toEqual([
      ...["Allow once", "Allow in this session", "Allow bash(echo *)", "Allow always", "Deny"],
    ]);
    expect(await violations(page)).toEqual([]);
    if (process.env["PICTURES"]) await page.screenshot({ path: `${process.env["PICTURES"]}/question.png` });
    await question.getByRole("button", { name: "Allow once" }).click();
    await page.getByText("hello").waitFor();
    await page.getByRole("cell", { name: "2" }).waitFor();
    const call = page.locator("details.call");
    expect(await call.getAttribute("class")).toBe("call done");
    await call.locator("summary").first().click();
    await page.getByText("from the shell", { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    if (process.env["PICTURES"]) {
      const at = process.env["PICTURES"];
      await page.screenshot({ path: `${at}/desktop.png` });
      await page.emulateMedia({ colorScheme: "dark" });
      await page.getByRole("button", { name: "Trace" }).click();
      await page.frameLocator("iframe").locator(".prompt").first().waitFor();
      await page.screenshot({ path: `${at}/dark.png` });
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Trace" }).click();
      await page.setViewportSize(PHONE);
      await page.screenshot({ path: `${at}/phone.png` });
    }
  });

  test("shows the model, what prompts cost, the output of a command while it runs, and the change of a file", async () => {
    const usage = { input: 100, output: 10 };
    const edit = { path: "a.txt", edits: [{ old: "one", new: "two" }] };
    const replies = [
      { calls: [{ id: "e1", name: "read_file", arguments: { path: "a.txt" } }], usage },
      { calls: [{ id: "e2", name: "edit_file", arguments: edit }], usage },
      { ...shell("echo first; while [ ! -e go ]; do sleep 0.1; done; echo last"), usage },
      { text: "Done.", usage },
    ];
    await using served = await serveAgent({ replies, files: { "a.txt": "one\n", "agent.mdx": ASKS } });
    await using visited = await visit(served);
    const { page } = visited;
    await page.getByRole("banner").getByText("script/").waitFor();
    await say(page, "work");
    const question = page.getByRole("region", { name: "A question to you" });
    await question.locator(".diff .added").waitFor();
    expect(await question.locator(".diff .removed, .diff .added").allTextContents()).toEqual(["- one\n", "+ two\n"]);
    await question.getByRole("button", { name: "Allow once" }).click();
    await question.getByText("echo first").first().waitFor();
    await question.getByRole("button", { name: "Allow once" }).click();
    const running = page.locator("details.call.running");
    await running.locator("summary").first().click();
    await running.locator("pre").getByText("first", { exact: true }).waitFor();
    writeFileSync(join(served.directory, "go"), "");
    await page.getByText("Done.").waitFor();
    await page.getByRole("banner").getByText("440 tokens").waitFor();
    expect(await page.locator("details.call .diff .added").allTextContents()).toEqual(["+ two\n"]);
  });

  test("shows when the agent wakes, and what its tasks did", async () => {
    await using served = await serveAgent({
      files: {
        "agent.mdx": "# Agent: Watcher\n\n## Purpose\n\nWatch.\n",
        "heartbeat.md": "## Schedule\n\n@every: 15m\n0 18 * * 1\n0 20 * * 1\n\n## On Wake\n\n- Look.\n",
      },
    });
    const ended = { type: "ended", at: "2026-11-21T09:00:00.000Z", task: "On Wake", run: "r", outcome: "done" };
    const lines = join(served.directory, "state/heartbeat.jsonl");
    writeText(lines, `${JSON.stringify({ ...ended, usd: 0.5, tokens: 9 })}\n`);
    await using visited = await visit(served);
    const { page } = visited;
    await page.getByRole("button", { name: "Heartbeat" }).click();
    const panel = page.getByRole("complementary");
    await panel.getByText("On Wake").first().waitFor();
    await panel.getByText("every 15 min, 0 18 * * 1, 0 20 * * 1").waitFor();
    await panel.getByText("On Wake, done").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("shows a limit that asks with its amounts, and continues after a yes; shows why a hook denies a prompt", async () => {
    await using served = await serveAgent({ files: ASKING_AGENT, replies: ASKING_REPLIES });
    await using visited = await visit(served);
    const { page } = visited;
    await say(page, "go");
    const question = page.getByRole("region", { name: "A question to you" });
    await question.getByText("100").first().waitFor();
    expect(await question.getByRole("button").count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    await question.getByRole("button").first().click();
    await page.getByText("Done.").waitFor();
    await using denying = await serveAgent({ files: DENYING_AGENT, replies: [{ text: "never" }] });
    await using other = await visit(denying);
    await say(other.page, "go");
    await other.page.getByText("closed on Sundays").waitFor();
  });

  test("continues a conversation after a reload in the middle of an answer, and shows it in a second tab", async () => {
    const deltas = Array.from({ length: 60 }, (_, index) => `word${index} `);
    const words = deltas.join("").trim();
    await using served = await serveAgent({ replies: [{ deltas, deltaDelay: 60 }] });
    await using first = await visit(served);
    await say(first.page, "count");
    await first.page.getByText("word5 ").waitFor();
    const address = first.page.url();
    expect(address).toEndWith("/#agent/main");
    await first.page.reload();
    await using second = await visit(served);
    await second.page.goto(address);
    for (const { page } of [first, second]) {
      await page.getByText("word59").waitFor();
      expect((await page.locator(".answer .markdown").allTextContents()).map((text) => text.trim())).toEqual([words]);
    }
  });

  test("connects again when the server comes back, and shows what happened meanwhile", async () => {
    const replies = [{ text: "Before." }, { text: "After." }];
    const served = await serveAgent({ replies });
    await using watched = await visit(served, {}, AWAY);
    const { page } = watched;
    await say(page, "one");
    await page.getByText("Before.").waitFor();
    await served.server.stop();
    await page.getByRole("status").waitFor();
    await using again = await serveAgent({
      ...{ replies: replies.slice(1), directory: served.directory, home: served.home, port: served.server.port },
    });
    await page.getByRole("status").waitFor({ state: "detached" });
    await again.json("POST", "sessions/main/prompts", { text: "two" });
    await page.getByText("After.").waitFor();
    expect(await page.getByText("Before.").count()).toBe(1);
    await served[Symbol.asyncDispose]();
  });

  test("shows hostile text of a model, a call, its result and a title as text, and follows no link to a script", async () => {
    const hostile = [
      "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">",
      "[a](javascript:document.title='owned') [b](data:text/html,x) [c](https://example.com/c) ![d](http://example.com/d.png)",
      "\u202eright to left\u001b[31m red \u0007",
    ].join("\n\n");
    const command = "echo '</pre><script>document.title=1</script>'";
    const path = "<img src=x onerror=document.title='owned'>.txt";
    const content = "</pre><b onclick=x>\n";
    const write = { calls: [{ id: "w1", name: "write_file", arguments: { path, content } }] };
    const look = { calls: [{ id: "r1", name: "read_file", arguments: { path } }] };
    const replies = [{ text: hostile, ...shell(command) }, write, look, { text: "Done." }];
    await using served = await serveAgent({
      replies,
      files: { "agent.mdx": "# Agent: <b>Bold</b>\n\n## Purpose\n\nTests.\n" },
    });
    await served.json("POST", "sessions", { id: "other", title: "<img src=x onerror=document.title='owned'>" });
    await using visited = await visit(served);
    const { page } = visited;
    await say(page, "<script>document.title='owned'</script>");
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("Done.").waitFor();
    expect(existsSync(join(served.directory, path))).toBe(true);
    await page.getByText(path).first().waitFor();
    await page.getByRole("link", { name: "<img src=x onerror=document.title='owned'>" }).waitFor();
    // What a tool returned.
    await page.locator("details.call > summary").last().click();
    await page.locator("details.call").last().getByText(content.trim()).first().waitFor();
    for (const panel of ["Session", "Trace"]) {
      await page.getByRole("button", { name: panel, exact: true }).click();
      await page.getByRole("complementary").locator("li, iframe").first().waitFor();
    }
    expect(await page.title()).not.toContain("owned");
    const markup = "#root script, #root [onerror], #root [onclick], #root .markdown img[src]";
    expect(await page.locator(markup).count()).toBe(0);
    const links = await page.locator(".markdown a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(links.filter((link) => link !== null)).toEqual(["https://example.com/c"]);
    await page.getByText("<script>document.title=1</script>").first().waitFor();
  });

  test("steers and stops a prompt by the keyboard alone", async () => {
    const replies = [shell("sleep 60"), { text: "Never." }];
    await using served = await serveAgent({ replies });
    await using visited = await visit(served);
    const { page } = visited;
    await say(page, "wait");
    await page.getByRole("button", { name: "Allow once" }).press("Enter");
    await page.locator(".call.running").waitFor();
    await say(page, "and hurry");
    await page.getByText("and hurry").waitFor();
    await page.getByRole("textbox", { name: "Message" }).press("Escape");
    await page.getByText("Stopped").waitFor();
    expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
  });

  test("answers a form of an MCP server with the types that its schema asks for", async () => {
    await using served = await serveAgent({
      files: { "agent.mdx": agentWithServers(fileServer("trips", "server.mjs")), "server.mjs": TRIPS },
      replies: [{ calls: [{ id: "c1", name: "mcp_trips_greet", arguments: {} }] }, { text: "Booked." }],
    });
    await using visited = await visit(served);
    const { page } = visited;
    await say(page, "book it");
    await page.getByRole("button", { name: "Allow once" }).click();
    await page.getByLabel("City").fill("Vienna");
    await page.getByLabel("days").fill("3");
    await page.getByLabel("fast").selectOption("true");
    await page.getByLabel("code").fill("1010");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Yes, send" }).click();
    await page.getByText("Booked.").waitFor();
    const { messages } = await served.json("GET", "sessions/main/messages");
    expect(JSON.stringify(messages)).toContain(
      '{\\"city\\":\\"Vienna\\",\\"days\\":3,\\"fast\\":true,\\"code\\":\\"1010\\"}',
    );
  });

  test("shows the trace as the command's own page draws it, in a frame that cannot reach the page", async () => {
    await using served = await serveAgent({ replies: [{ ...shell("echo hi") }, { text: "Done." }] });
    await using visited = await visit(served);
    const { page } = visited;
    await say(page, "run it");
    await page.getByRole("button", { name: "Allow once" }).click();
    await page.getByText("Done.").waitFor();
    await page.getByRole("button", { name: "Trace" }).click();
    const frame = page.frameLocator("iframe");
    await frame.locator(".row.tool").waitFor();
    expect(await frame.locator(".row").count()).toBe(3);
    const bar = await frame.locator(".row.model .w i").first().boundingBox();
    expect(bar?.width).toBeGreaterThan(3);
    expect(await page.locator("iframe").getAttribute("sandbox")).toBe("allow-scripts");
  });

  test("renames, forks and deletes a session, and takes prompts back", async () => {
    await using served = await serveAgent({ replies: [{ text: "First." }, { text: "Second." }] });
    await using visited = await visit(served);
    const { page } = visited;
    for (const [text, answer] of [
      ["one", "First."],
      ["two", "Second."],
    ] as const) {
      await say(page, text);
      await page.getByText(answer).waitFor();
    }
    await page.getByRole("button", { name: "Session", exact: true }).click();
    await page.getByRole("textbox", { name: "Rename to" }).fill("Two <b>words</b>");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Two <b>words</b>" }).waitFor();
    await page.getByRole("button", { name: "Fork after 1" }).click();
    await page.waitForURL(/#agent\/main-fork$/);
    await page.getByText("First.").waitFor();
    expect(await page.getByText("Second.").count()).toBe(0);
    await page.goto(`${served.server.url}/#agent/main`);
    await page.getByText("Second.").waitFor();
    await page.getByRole("button", { name: "Take back from 2" }).click();
    await page.getByText("Second.").waitFor({ state: "detached" });
    await page.getByText("First.").waitFor();
    await page.goto(`${served.server.url}/#agent/main-fork`);
    await page.getByRole("button", { name: "Delete this session" }).click();
    await page.getByRole("button", { name: "Yes, delete it" }).click();
    await page.waitForURL(/#agent\/main$/);
    const { sessions } = await served.json("GET", "sessions");
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual(["main"]);
  });

  test("shows what the agent remembers, adds to it and takes from it", async () => {
    await using served = await serveAgent();
    await using visited = await visit(served);
    const { page } = visited;
    await page.getByRole("button", { name: "Memory" }).click();
    await page.getByRole("textbox", { name: "Remember" }).fill("The printer is <i>upstairs</i>.");
    await page.keyboard.press("Enter");
    await page.getByRole("listitem").filter({ hasText: "<i>upstairs</i>" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: /^Forget: The printer/ }).click();
    await page.getByText("No memories.").waitFor();
    expect((await served.json("GET", "memory")).memories).toEqual([]);
  });

  test("shows what another agent does below the call that it works as, in the conversation and in the trace", async () => {
    await using served = await serveAgent({
      files: {
        "agent.mdx": "# Agent: Lead\n\n## Purpose\n\nLeads.\n",
        "agents/researcher.md": "---\nname: researcher\ndescription: Finds things.\n---\nYou find things.\n",
      },
      replies: [
        { calls: [{ id: "c1", name: "researcher", arguments: { prompt: "find it" } }] },
        { text: "Found **it**." },
        { text: "It is found." },
      ],
    });
    await using visited = await visit(served);
    const { page } = visited;
    await say(page, "go");
    await page.getByText("It is found.").waitFor();
    await page.locator("details.call > summary").first().click();
    const nested = page.getByRole("region", { name: "The agent researcher" });
    expect(await nested.getByText("Found it.").count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Trace" }).click();
    const trace = page.frameLocator("iframe");
    await trace.locator(".row.tool summary").first().click();
    const called = trace.locator(".more .prompts");
    await called.getByText("The agent researcher, session").waitFor();
    expect(await called.locator(".prompt .n").first().textContent()).toContain("find it");
    expect(await called.locator(".row.model").count()).toBe(1);
  });

  test("makes a session, says which one the address names, and asks for a token that is not right", async () => {
    await using served = await serveAgent({ replies: [{ text: "Hi." }] });
    await using visited = await visit(served);
    const { page } = visited;
    await page.getByRole("button", { name: "New session" }).click();
    await page.waitForURL(/#agent\/\d{4}-\d\d-\d\d_1$/);
    await say(page, "hello");
    await page.getByText("Hi.").waitFor();
    await page.getByRole("link", { name: "hello" }).waitFor();
    const wrong = await openPage(browser, `${served.server.url}/#token=wrong`);
    await wrong.page.getByLabel("The token that").waitFor();
    expect(wrong.page.url()).not.toContain("wrong");
    await wrong.page.context().close();
  });

  test.each([
    ["a phone", { viewport: PHONE }],
    ["a dark screen", { colorScheme: "dark" }],
  ] as const)("fits %s and is accessible there, with each panel", async (_name, options) => {
    await using served = await serveAgent({ replies: [{ text: "# A title\n\n```js\nlet x;\n```\n" }] });
    await using visited = await visit(served, options);
    const { page } = visited;
    await say(page, "show");
    await page.getByText("let x;").waitFor();
    for (const name of ["Session", "Trace", "Heartbeat", "Memory"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("complementary").locator("li, p, iframe").first().waitFor();
      expect(await violations(page)).toEqual([]);
    }
    const width = await page.evaluate("document.documentElement.scrollWidth <= innerWidth");
    expect(width).toBe(true);
  });
});

test("the page is at most 80 KB, 25 KB compressed, and its policy allows its own script alone", async () => {
  await using served = await serveAgent();
  const response = await fetch(served.server.url);
  const html = await response.text();
  expect(html.length).toBeLessThan(80_000);
  expect(Bun.gzipSync(html).length).toBeLessThan(25_000);
  expect(response.headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; script-src( 'sha256-[^' ]+'){2}; style-src( 'sha256-[^' ]+'){2}; connect-src 'self'; /,
  );
});
