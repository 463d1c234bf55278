import { expect, test } from "bun:test";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { openToolBench, toolDoing, toolOf } from "../../support/tool-bench.ts";

test.each(["typescript", "ts"])("code in a %s fence is read and runs", async (language) => {
  await using bench = openToolBench();
  const code = `async function execute(params: { city: string }): Promise<string> {\n  return "in " + params.city;\n}`;
  const text = `# Agent: A\n\n## Purpose\n\nP\n\n<Tool name="t" description="T">\n  <Param name="city" />\n\n\`\`\`${language}\n${code}\n\`\`\`\n\n</Tool>\n`;
  const { tools, diagnostics } = await parseAgentMdx(text);
  expect(diagnostics).toEqual([]);
  const [tool] = tools;
  if (!tool) throw new Error("the tool was not read");
  expect(await bench.run(tool, { city: "Vienna" })).toMatchObject({ text: "in Vienna", isError: false });
});

test("TypeScript that a plain script could not hold is transpiled", async () => {
  await using bench = openToolBench();
  const code = `import type { Server } from "bun";
enum Unit { Celsius = "C" }
namespace Scale { export const name = "of Celsius"; }
interface Reading<T extends number> { readonly value: T; unit?: Unit }
abstract class Thermometer { constructor(protected readonly value: number) {} abstract read(): Reading<number>; }
class Wall extends Thermometer { override read() { return { value: this.value, unit: Unit.Celsius } satisfies Reading<number>; } }
const first = <T,>(items: readonly T[]): T => items[0]!;
async function execute(params: { city: string }, ctx: unknown, server?: Server<undefined>): Promise<string> {
  const reading = first([new Wall(21).read()] as const);
  return \`\${params.city}: \${reading.value} \${reading.unit}, \${Scale.name}\`;
}`;
  expect(await bench.run(toolOf(code), { city: "Vienna" })).toMatchObject({
    text: "Vienna: 21 C, of Celsius",
    isError: false,
  });
});

test("is compiled where it is hot: what needs the compiler works", async () => {
  await using bench = openToolBench();
  const code =
    "const { JSCallback } = require('bun:ffi'); new JSCallback(() => 1, { returns: 'i32' }).close(); return 'compiled';";
  expect((await bench.run(toolDoing(code))).text).toBe("compiled");
});

test("fetch reaches the network, and its answer becomes the result", async () => {
  await using bench = openToolBench();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => new Response(`sunny in ${new URL(request.url).searchParams.get("city")}`),
  });
  const body = `const resp = await fetch(\`${server.url.origin}/api?city=\${encodeURIComponent(params.city)}\`);
return await resp.text();`;
  expect((await bench.run(toolDoing(body), { city: "Bad Ischl" })).text).toBe("sunny in Bad Ischl");
  await server.stop(true);
});

test("Bun and the other globals are at hand without an import", async () => {
  await using bench = openToolBench();
  const body = `await Bun.write(ctx.agentDir + "/note.txt", "kept");
const shell = await Bun.$\`echo from a shell\`.text();
await new Promise((resolve) => setTimeout(resolve, 1));
const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("a"));
return [
  await Bun.file(ctx.agentDir + "/note.txt").text(),
  shell.trim(),
  Bun.version,
  Buffer.from(digest).toString("hex").slice(0, 8),
  new URL("../b", "https://example.com/a/c").pathname,
  structuredClone(new Map([[1, 2]])).get(1),
  typeof process.pid,
  require("node:path").basename("/a/b"),
  performance.now() > 0,
  AbortSignal.timeout(1_000).aborted,
  [Request, Response, Headers, WebSocket, ReadableStream, Blob, Intl.DateTimeFormat].every((one) => typeof one === "function"),
];`;
  const { text, isError } = await bench.run(toolDoing(body));
  expect(isError, text).toBe(false);
  expect(JSON.parse(text)).toEqual([
    "kept",
    "from a shell",
    Bun.version,
    "ca978112",
    "/b",
    2,
    "number",
    "b",
    true,
    false,
    true,
  ]);
});
