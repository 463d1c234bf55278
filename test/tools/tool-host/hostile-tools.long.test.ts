import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../../support/eventually.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { openToolBench, toolDoing, toolOf } from "../../support/tool-bench.ts";

const bench = openToolBench();
afterAll(() => bench[Symbol.asyncDispose]());

/** Milliseconds that only a broken program or a very busy machine needs. */
const DEADLINE = 60_000;

/** Seconds for tools that must be stopped. */
const soon = { timeout: 0.5 };

/** Code that writes what `part` names to the channel, again and again. */
const writing = (part: string): string =>
  `const { writeSync } = require('node:fs');
  for (let start = 0; ; start %= ${part}.length) { try { start += writeSync(3, ${part}, start); } catch { await Bun.sleep(1); } }`;

/** Whatever it does, a call costs one error result with this text, and the next call works: of another tool and of the same. */
const hostile = [
  ["spins for ever", "while (true) {}", soon, "timed out after 0.5 seconds"],
  ["never settles", "await new Promise(() => {})", soon, "timed out after 0.5 seconds"],
  ["ends its process", "process.exit(0)", {}, "process.exit(0) was called (agent.mdx:12:9)"],
  [
    "ends its process in the air",
    "setTimeout(() => process.exit(3), 1); await Bun.sleep(1000)",
    {},
    "process.exit(3) was called",
  ],
  ["kills its process", "process.kill(process.pid, 'SIGKILL'); await Bun.sleep(1000)", {}, "ended by signal SIGKILL"],
  ["aborts its process", "process.abort()", {}, "ended by signal"],
  ["rejects in the air", "Promise.reject(new Error('floating')); return 'ok'", {}, "floating (agent.mdx:12:20)"],
  [
    "rejects in the air, later",
    "(async () => { await 0; throw new Error('floating') })(); await Bun.sleep(1000)",
    {},
    "floating (agent.mdx:12:",
  ],
  [
    "throws in a timer",
    "setTimeout(() => { throw new Error('timer') }, 1); await Bun.sleep(1000)",
    {},
    "timer (agent.mdx:12:30)",
  ],
  [
    "throws in a microtask",
    "queueMicrotask(() => { throw new Error('task') }); await Bun.sleep(1000)",
    {},
    "task (agent.mdx:12:",
  ],
  [
    "overflows the stack",
    "const deeper = (): number => deeper() + 1; return deeper()",
    {},
    "Maximum call stack size exceeded",
  ],
  ["returns a deep object", "let a: any = {}; for (let i = 0; i < 1e6; i++) a = { a }; return a", {}, ""],
  ["closes the channel", "require('node:fs').closeSync(3); await Bun.sleep(1000)", {}, "broke the channel"],
  [
    "writes rubbish into the channel",
    "require('node:fs').writeSync(3, 'rubbish{{{\\n'); await Bun.sleep(1000)",
    {},
    "",
  ],
  [
    "floods the channel with a message without end",
    `const part = Buffer.alloc(2 ** 16, 1); ${writing("part")}`,
    {},
    "flooded the channel",
  ],
  [
    "sends a message of too many values",
    `const line = Buffer.from('[' + '{},'.repeat(10_000_000) + '0]\\n'); ${writing("line")}`,
    {},
    "flooded the channel",
  ],
  [
    "sends a message that is nested 15,000,000 deep",
    `const line = Buffer.from('['.repeat(15_000_000) + ']'.repeat(15_000_000) + '\\n'); ${writing("line")}`,
    {},
    "flooded the channel",
  ],
  ["returns an array of 4,294,967,295 holes", "return new Array(2 ** 32 - 1)", soon, ""],
  ["returns such an array as details", "return { content: '', details: new Array(2 ** 32 - 1) }", soon, ""],
  ["sends such an array as a partial result", "ctx.update(new Array(2 ** 32 - 1))", soon, ""],
  ["throws such an array as a message", "throw { message: new Array(2 ** 32 - 1) }", soon, ""],
  ["returns a cycle", "const a: any = {}; a.a = a; return a", {}, "not JSON"],
  ["returns a function", "return () => 1", {}, "a function, which is not JSON"],
  ["returns a big integer", "return 10n", {}, "not JSON"],
  ["throws nothing", "throw undefined", {}, "undefined was thrown"],
  [
    "throws an error whose stack is a trap",
    "throw Object.defineProperty(new Error('said'), 'stack', { get() { throw 1 } })",
    {},
    "said",
  ],
  ["breaks stacks", "Error.prepareStackTrace = () => { throw 1 }; throw new Error('said')", {}, "said"],
  ["throws a trap", "throw { get message() { throw 1 } }", {}, "cannot be shown"],
  ["throws a proxy", "throw new Proxy(new Error('a'), { get() { throw 1 } })", {}, ""],
  ["throws a huge error", "throw new Error('a'.repeat(1e7))", {}, "aaaa"],
  ["breaks JSON", "JSON.stringify = () => { throw new Error('broken') }; return { a: 1 }", {}, "broken"],
  ["breaks promises", "Promise.prototype.then = () => {}; Promise.resolve = () => {}; await 1; throw 1", soon, ""],
  ["pollutes all objects", "Object.prototype.then = (done) => {}; return { a: 1 }", soon, ""],
  ["sends what it likes", "process.send({ type: 'answer', id: 1 })", {}, "process.send is not a function"],
  [
    "starts a child that outlives it and spins",
    "Bun.spawn(['sleep', '300']); while (true) {}",
    soon,
    "timed out after 0.5 seconds",
  ],
] as const;

describe("a tool that", () => {
  test.concurrent.each(hostile)(
    "%s costs one error result",
    async (_name, body, more, text) => {
      const code = `if (params.well) return "well";\n${body}`;
      const tool = toolDoing(code, more);
      const result = await bench.run(tool, {});
      expect(result.text).toContain(text);
      expect(result.isError).toBe(true);
      expect(result.text.length).toBeLessThan(33_000);
      // Without the short limit, which a process that starts slowly would exceed. A process serves the calls of one code, whatever
      // their limits of time, so that this is the same tool for the host.
      const again = toolDoing(code);
      expect(await bench.run(again, { well: 1 })).toMatchObject({ text: "well", isError: false });
    },
    DEADLINE,
  );

  // One after the other: each takes its gigabyte.
  test.each([
    ["buffers", "const all = []; while (true) all.push(new Uint8Array(3e7).fill(1))"],
    ["arrays", "const all = []; while (true) all.push(new Array(1e6).fill(0.5))"],
    ["objects", "let all: any = null; while (true) all = { all, more: {} };"],
  ])(
    "fills its memory with %s costs one error result",
    async (_name, body) => {
      const tool = toolDoing(`if (params.well) return "well";\n${body}`);
      const result = await bench.run(tool, {});
      expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/used up its memory|Out of memory/) });
      expect((await bench.run(tool, { well: 1 })).text).toBe("well");
    },
    DEADLINE,
  );

  test("removes the listeners of its process may do so", async () => {
    const tool = toolDoing("process.removeAllListeners(); return 'done'");
    expect((await bench.run(tool)).text).toBe("done");
    expect((await bench.run(tool)).text).toBe("done");
  });

  test("returns 100 MB gets 32,000 characters of it through", async () => {
    const result = await bench.run(toolDoing("return 'x'.repeat(100_000_000)"));
    expect(result.isError).toBe(false);
    expect(result.text).toStartWith(`${"x".repeat(32_000)}\n[99968000 characters dropped`);
  });

  test("floods its outputs disturbs nothing, and the log gets a bounded part", async () => {
    const context = bench.context();
    const body =
      "for (let i = 0; i < 3000; i++) console.log(String(i).repeat(1000)); process.stderr.write('\\x1b[2J\\0raw'); return 'done'";
    expect((await bench.run(toolDoing(body), {}, context)).text).toBe("done");
    expect(context.lines.length).toBeLessThanOrEqual(1_001);
    expect(Math.max(...context.lines.map((line) => line.length))).toBeLessThanOrEqual(2_000);
  });

  test.each(["console.log", "ctx.log"])("writes with %s a line that is cut leaves no half of a key", async (log) => {
    const context = bench.context();
    const key = `sk-ant-${"aB3".repeat(30)}`;
    const body = `const pad = (size) => "word ".repeat(size / 5);
      ${log}(pad(1_950) + "${key} " + pad(9_000)); ${log}(pad(7_950) + "${key} " + pad(9_000)); return "done";`;
    expect((await bench.run(toolDoing(body), {}, context)).text).toBe("done");
    // The outputs of a process are read beside its answers.
    await eventually(() => expect(context.lines.length).toBeGreaterThanOrEqual(2));
    expect(context.lines.join("\n").replaceAll(key, "")).not.toMatch(/sk-|aB3/);
  });

  test("floods the log gets a bounded part through", async () => {
    const context = bench.context();
    const body = "for (let i = 0; i < 5000; i++) ctx.log('line ' + i); await ctx.log('x'.repeat(1e7)); return 'done'";
    expect((await bench.run(toolDoing(body), {}, context)).text).toBe("done");
    expect(context.lines).toHaveLength(1_001);
    expect(context.lines.at(-1)).toContain("the rest is dropped");
  });

  test("waits while its agent takes up a gigabyte for something else is not blamed for that", async () => {
    using folder = temporaryDirectory();
    const support = join(import.meta.dir, "../../support/tool-bench-process.ts");
    const script = `import { callWhileGrowing } from ${JSON.stringify(support)};
      await callWhileGrowing(${JSON.stringify(folder.path)});`;
    // A process of its own: so much memory would disturb the tests that measure theirs.
    const agent = Bun.spawn([process.execPath, "--eval", script], { cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
    expect(await agent.stdout.text()).toBe("done 1000000000\n");
  });

  test("spins does not take its siblings along", async () => {
    const spinning = bench.run(toolDoing("while (true) {}", { timeout: 1 }));
    const other = toolDoing("return 'fine'");
    for (let call = 0; call < 5; call += 1) expect((await bench.run(other)).text).toBe("fine");
    expect((await spinning).isError).toBe(true);
  });

  test("changes what all code shares changes it for no other tool", async () => {
    const changing = toolDoing(
      "globalThis.fetch = null; Array.prototype.findLast = null; process.env.PATH = 'gone'; return 'done'",
    );
    expect((await bench.run(changing)).text).toBe("done");
    const looking = toolOf(
      "export const execute = () => [typeof fetch, typeof [].findLast, process.env.PATH !== 'gone']",
    );
    expect((await bench.run(looking)).text).toBe('["function","function",true]');
  });

  test.each([
    ["spins", "setTimeout(() => { while (true) {} }, 5)"],
    ["stops its process", "setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 5)"],
  ])(
    "%s after its end costs no call",
    async (_name, statement) => {
      const tool = toolDoing(`if (!params.well) ${statement}; return 'done'`);
      expect((await bench.run(tool)).text).toBe("done");
      // On a busy machine the process is stopped late; a call before that would wait for it.
      await Bun.sleep(2000);
      expect((await bench.run(tool, { well: 1 })).text).toBe("done");
    },
    DEADLINE,
  );

  test("fails after its end costs no call", async () => {
    const tool = toolDoing("if (!params.well) setTimeout(() => { throw new Error('late') }, 5); return 'done'");
    const context = bench.context();
    expect((await bench.run(tool, {}, context)).text).toBe("done");
    await eventually(() => expect(context.lines.join()).toContain("late"));
    expect((await bench.run(tool, { well: 1 }, context)).text).toBe("done");
  });
});
