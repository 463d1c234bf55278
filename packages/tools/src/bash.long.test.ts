import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { executeTool } from "@mdx-ai/tools";
import { eventually } from "../../../test/support/eventually.ts";
import { noProcessesOf } from "../../../test/support/remaining-processes.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { textOf, toolContext } from "../../../test/support/tool-context.ts";
import { bashTool } from "./bash.ts";

async function run(
  directory: string,
  args: Record<string, string | number>,
  options: { signal?: AbortSignal; environment?: object } = {},
) {
  const tool = bashTool({ environment: { ...process.env, ...options.environment } });
  const result = await executeTool(tool, args, toolContext(directory, options.signal));
  return { text: textOf(result), isError: result.isError, details: result.details };
}

describe("bash", () => {
  test("reports a flood at most ten times a second, and only its end", async () => {
    using folder = temporaryDirectory();
    const context = toolContext(folder.path);
    const start = performance.now();
    const command = "timeout 0.6 yes a line that comes very often";
    await executeTool(bashTool({ environment: process.env }), { command }, context);
    const tenths = Math.ceil((performance.now() - start) / 100);
    expect(context.partials.length).toBeGreaterThan(0);
    expect(context.partials.length).toBeLessThanOrEqual(tenths);
    expect(Math.max(...context.partials.map((partial) => String(partial).length))).toBeLessThanOrEqual(4_000);
  });

  test("kills the command and all that it started when its time is over", async () => {
    using folder = temporaryDirectory();
    const command = "echo before; (sleep 300; touch late) & sleep 300; echo after";
    const result = await run(folder.path, { command, timeout: 0.5 });
    expect(result.text).toBe("before\n[killed: it timed out after 0.5 seconds]");
    expect(result).toMatchObject({ isError: true, details: { timedOut: true } });
    await noProcessesOf(folder.path);
  });

  test("returns the output until it was stopped", async () => {
    using folder = temporaryDirectory();
    const abortion = new AbortController();
    const context = toolContext(folder.path, abortion.signal);
    const running = executeTool(
      bashTool({ environment: process.env }),
      { command: "printf 'one\\ntwo\\n'; sleep 300" },
      context,
    );
    await eventually(() => expect(context.partials.length).toBeGreaterThan(0));
    abortion.abort();
    expect(textOf(await running)).toBe("one\ntwo\n[aborted before it finished; its effects until then are unknown]");
  });

  test("keeps the beginning and the end of an endless output, in bounded memory", async () => {
    using folder = temporaryDirectory();
    const before = process.memoryUsage.rss();
    const { text } = await run(folder.path, { command: "echo first; yes 0123456789", timeout: 1 });
    expect(text).toStartWith("first\n0123456789\n");
    expect(text).toMatch(/\n\[\d+ characters dropped: .+\]\n/);
    expect(text).toEndWith("[killed: it timed out after 1 second]");
    expect(text.length).toBeLessThanOrEqual(32_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(600_000_000);
  });

  test("leaves timers their turn while the output is endless", async () => {
    const abortion = new AbortController();
    const context = toolContext("/tmp", abortion.signal);
    let turns = 0;
    // The timer itself ends the command: without turns during the output, that would last until the time of the command is over.
    const timer = setInterval(() => {
      if (context.partials.length > 0) turns += 1;
      if (turns === 20) abortion.abort();
    }, 1);
    const args = { command: "cat /dev/urandom", timeout: 50 };
    const text = textOf(await executeTool(bashTool({ environment: process.env }), args, context));
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(20);
    expect(text).toContain("[aborted before it finished");
    expect(text).not.toContain("[killed: ");
  });

  test("says exactly how many characters it dropped", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "long"), "é".repeat(100_000));
    const { text } = await run(folder.path, { command: "cat long" });
    const dropped = Number(/\[(\d+) characters dropped: /.exec(text)?.[1]);
    expect(text.match(/é/g)?.length).toBe(100_000 - dropped);
  });
});
