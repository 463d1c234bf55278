import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { writeFiles } from "../support/agent-files.ts";
import { openPage, startBrowser, type WatchedPage } from "../support/browser.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCli } from "../support/run-cli.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary-directory.ts";
import { HOSTILE, longJournal, traceJournal } from "../support/trace-journal.ts";

/** Writes the page of an agent with this journal; gives its address. */
async function tracePage(home: string, journal: string): Promise<string> {
  writeFiles(join(home, "agent"), {
    "agent.mdx": "# Agent: Night watch & co\n\n## Purpose\nWatches.\n",
    "sessions/main/journal.jsonl": journal,
  });
  const { exitCode, stderr } = await runCli(["trace", "agent", "--html", "trace.html"], { home });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return pathToFileURL(join(home, "trace.html")).href;
}

describe.skipIf(requireProgram("chromium"))("the page of a trace in a browser", () => {
  let browser: Browser;
  let folder: TemporaryDirectory;
  let address: string;

  beforeAll(async () => {
    folder = temporaryDirectory();
    [browser, address] = await Promise.all([startBrowser(), tracePage(folder.path, traceJournal())]);
  });

  afterAll(async () => {
    await browser?.close();
    folder?.[Symbol.dispose]();
  });

  const open = (options: Parameters<typeof openPage>[2] = {}): Promise<WatchedPage> =>
    openPage(browser, address, options);

  test("loads nothing beside itself, complains of nothing, and nothing hostile in it runs", async () => {
    const { page, requests, complaints } = await open();
    expect(requests).toStrictEqual([address]);
    expect(complaints).toStrictEqual([]);
    expect(await page.title()).toBe("Trace of Night watch & co, session main");
    expect(await page.locator("img, iframe, object, link, form").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(2);
    const shown = await page.locator(".said pre").first().textContent();
    expect(shown).toContain("</pre></script><script>document.title='gone'</script>");
    expect(shown).toContain("\\u{1b}[31mred\\u{7} and abc\\u{202e}cod.exe");
    expect(await page.content()).not.toContain("\u202e");
  });

  test("draws a bar for each step with a time, at its time and as long as it took", async () => {
    const { page } = await open();
    expect(await page.locator(".prompt").count()).toBe(3);
    expect(await page.locator(".row .w i").count()).toBe(13);
    const bars = page.locator(".prompt").first().locator(".row .w i");
    const titles = await bars.evaluateAll((all) => all.map((one) => one.getAttribute("title")));
    expect(titles).toStrictEqual([
      "at 10 ms for 1 s",
      "at 1.01 s for 500 ms",
      "at 1.6 s for 1 s",
      "at 2.6 s for 2.4 s",
      "at 2.6 s for 400 ms",
      "at 4 s",
      "at 5.01 s for 1 s",
      "at 9 h",
      "at 6.01 s",
      "at 9 h for 1 s",
    ]);
    const box = async (row: number) => {
      const bar = await bars.nth(row).boundingBox();
      if (bar === null) throw new Error(`bar ${row} cannot be seen`);
      return { left: bar.x, right: bar.x + bar.width, top: bar.y, width: bar.width };
    };
    const [failed, wait, model, slow, quick] = [await box(0), await box(1), await box(2), await box(3), await box(4)];
    expect(wait.left).toBeCloseTo(failed.right, 0);
    expect(quick.left).toBeCloseTo(slow.left, 0);
    expect(quick.top).toBeGreaterThan(slow.top + 10);
    expect(slow.width / model.width).toBeCloseTo(2.4, 1);
  });

  test("squashes nothing because of a night between two processes, and shows the break", async () => {
    const { page } = await open();
    const first = page.locator(".prompt").first();
    expect(await first.locator(".lines s").count()).toBe(1);
    const pause = await first.locator(".lines s").boundingBox();
    const plot = await first.locator(".lines .w").boundingBox();
    expect((pause?.width ?? 0) / (plot?.width ?? 1)).toBeLessThan(0.05);
    expect(await first.locator("footer").textContent()).toContain("idle for 9 h");
    expect(await first.locator(".row.resumption").textContent()).toContain("interrupted; resumed at 1970-01-01");
    expect(await page.locator(".strip s").count()).toBeGreaterThan(0);
  });

  test("opens the details of a step by a click, and by the keyboard alone", async () => {
    const { page } = await open();
    const tools = page.locator(".row.tool");
    const details = tools.first().locator(".more");
    expect(await details.count()).toBe(0);
    await tools.first().locator("summary").click();
    await details.waitFor();
    expect(await details.textContent()).toContain('"command": "ls"');
    expect(await details.textContent()).toContain("50,000 more characters; mdx-ai trace --json has all");
    // On the way there is the long result, which can be scrolled by the keyboard, too.
    for (const _key of ["Tab", "Tab"]) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const next = tools.nth(1).locator(".more");
    await next.waitFor();
    expect(await next.textContent()).toContain(HOSTILE.split("\n")[0] ?? "?");
    await page.keyboard.press("Space");
    expect(await next.isVisible()).toBe(false);
  });

  test("says to who cannot see it what went wrong, when, and for how long", async () => {
    const { page } = await open();
    const row = page.locator(".prompt").first().locator(".row.bad").first();
    const said = await row.ariaSnapshot();
    expect(said).toContain("overloaded");
    expect(said).toContain('img "failed"');
    expect(said).toContain('img "at 10 ms for 1 s"');
    expect(await page.locator("h2").textContent()).toBe("Prompts");
    expect(await page.locator(".row.bad").count()).toBe(4);
    expect(await page.locator(".prompt.bad").count()).toBe(1);
  });

  test("shows what the reader looks for alone", async () => {
    const { page } = await open();
    const shown = () => page.locator(".row:visible .n b").allTextContents();
    await page.getByRole("checkbox", { name: "wait" }).check();
    expect(await shown()).toStrictEqual(["waited"]);
    expect(await page.locator(".prompt:visible, .between:visible").count()).toBe(1);
    expect(await page.locator("h3:visible .n").allTextContents()).toStrictEqual(["turn 1"]);
    await page.getByRole("checkbox", { name: "wait" }).uncheck();
    await page.getByRole("searchbox").fill('D": "SLEEP 9');
    expect(await shown()).toStrictEqual(["bash"]);
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "Open or close all" }).click();
    expect(await page.locator(".prompt[open]").count()).toBe(0);
  });

  test("leads from a bar of the session to its prompt, and opens it", async () => {
    const { page } = await open();
    const second = page.locator(".prompt").nth(1);
    await second.locator("> summary").click();
    expect(await second.locator(".body").isVisible()).toBe(false);
    await page.locator('.strip a[href="#p2"]').first().click();
    expect(page.url()).toEndWith("#p2");
    expect(await second.locator(".body").isVisible()).toBe(true);
  });

  test.each(["light", "dark"] as const)("is drawn in %s colours, wide and narrow", async (colorScheme) => {
    for (const width of [1280, 390]) {
      const { page } = await open({ colorScheme, viewport: { width, height: 800 } });
      const picture = await page.screenshot({ fullPage: true });
      expect(picture.byteLength).toBeGreaterThan(20_000);
      const paper = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      expect(paper).toBe(colorScheme === "light" ? "rgb(246, 246, 244)" : "rgb(20, 21, 24)");
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(overflow).toBe(0);
    }
  });

  test("stays small for a session of 10,000 steps, and shows its last prompt alone", async () => {
    using home = temporaryDirectory();
    const long = await tracePage(home.path, longJournal(500, 10));
    expect(Bun.file(join(home.path, "trace.html")).size).toBeLessThan(10_000_000);
    const { page } = await openPage(browser, long);
    expect(await page.locator(".prompt").count()).toBe(500);
    expect(await page.locator(".prompt[open]").count()).toBe(1);
    expect(await page.locator(".prompt[open] > summary").textContent()).toContain("Do ticket 500");
    expect(await page.locator(".row.tool").count()).toBe(10);
    expect(await page.locator("dl").textContent()).toContain("5,000");
  });

  test.each([1e300, -1e300, 8.64e15, -8.64e15])("is drawn with times that are no valid date: %d", async (at) => {
    using home = temporaryDirectory();
    const lines = [
      {
        step: "begin",
        result: { message: { role: "user", content: [], timestamp: at }, plan: { models: [], tools: [] } },
      },
      { step: "resume:1", result: { at } },
      { step: "end", result: { outcome: "done", at } },
    ];
    const journal = lines.map((line) => `${JSON.stringify({ v: 1, prompt: 1, ...line })}\n`).join("");
    const { page, complaints } = await openPage(browser, await tracePage(home.path, journal));
    expect(complaints).toStrictEqual([]);
    expect(await page.locator(".prompt").count()).toBe(1);
    expect(await page.locator("main").innerHTML()).not.toMatch(/NaN|Infinity|undefined|Invalid/);
  });
});
