import { describe, expect, test } from "bun:test";
import { MINIMAL_AGENT, writeFiles } from "../../support/agent-files.ts";
import { type CliResult, runCli } from "../../support/run-cli.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

interface Stubbed {
  /** The body of the tool's `execute`. */
  readonly body: string;
  readonly call: string;
  readonly fetch?: string;
  readonly attributes?: string;
}

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\`\n`;

function exampleOf({ call, fetch, attributes = "" }: Stubbed): string {
  return `<Example${attributes}>\n${fetch === undefined ? "" : `${block("json fetch", fetch)}\n`}${block("json", call)}</Example>\n`;
}

/** Runs the example of each tool in its own process. No program contains them: a fetch would really reach the network. */
async function runExamples(...tools: readonly Stubbed[]): Promise<CliResult> {
  using home = temporaryDirectory();
  const texts = tools.map((tool, index) => {
    const code = block("ts", `async function execute(params: any, ctx: any) {\n${tool.body}\n}`);
    return `<Tool name="tool${index}" description="Acts">\n\n${code}\n${exampleOf(tool)}</Tool>\n`;
  });
  writeFiles(home.path, { "agent/agent.mdx": `${MINIMAL_AGENT}\n${texts.join("\n")}` });
  const { stdout, ...result } = await runCli(["test", "agent", "--trust"], {
    home: home.path,
    environment: { PATH: "/nowhere" },
  });
  return { ...result, stdout: stdout.replace(/\([\d.]+ m?s\)/g, "(time)") };
}

const returning = (value: unknown): string => JSON.stringify({ arguments: {}, result: value });

describe("the tool of an example", () => {
  test("fetches the declared answers: by method and URL, in turn, as text and as JSON", async () => {
    const { stdout, exitCode } = await runExamples(
      {
        body: `const url = "https://api.example.com/x";
  const read = await fetch(url + "#top");
  const posted = await fetch(new Request(url, { method: "POST", body: "{}" }));
  const pages = [await fetch(new URL("?page", url)), await fetch(url + "?page", { method: "get" })];
  return { read: [read.status, read.url, read.headers.get("content-type"), await read.json()],
    posted: [posted.status, posted.ok, posted.headers.get("x-why"), await posted.text()],
    pages: await Promise.all(pages.map((page) => page.text())) };`,
        fetch: JSON.stringify({
          "https://api.example.com/x": { body: { temperature: 21 } },
          "POST https://api.example.com/x": { status: 503, headers: { "x-why": "night" }, body: "closed" },
          "https://api.example.com/x?page": [{ body: "one" }, { body: "two" }],
        }),
        call: returning({
          read: [200, "https://api.example.com/x", "application/json", { temperature: 21 }],
          posted: [503, false, "night", "closed"],
          pages: ["one", "two"],
        }),
      },
      {
        body: `return (await early("https://api.example.com/x")).text();
}
const early = fetch;
function unused() {`,
        fetch: '{"https://api.example.com/x": {"body": "kept"}}',
        call: returning("kept"),
      },
    );
    expect(stdout).toBe(`✓ tool0: {} (time)\n✓ tool1: {} (time)\n\n2 passed (time)\n`);
    expect(exitCode).toBe(0);
  });

  test("never reaches what is not declared, and fails even if it catches that", async () => {
    using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("the world") });
    const catching = (url: string): string =>
      `return fetch("${url}").then((answer) => answer.text(), () => "nothing");`;
    const { stdout, exitCode } = await runExamples(
      { body: catching("https://api.example.com/y"), call: returning("nothing") },
      { body: `  return (await fetch("${server.url}")).text();`, fetch: "{}", call: returning("the world") },
      {
        body: `await fetch("https://a.example/"); await fetch("https://a.example/", { method: "PUT" });`,
        fetch: '{"https://a.example/": [{}]}',
        call: '{"arguments": {}}',
      },
      { body: catching(String(server.url)), call: returning("the world") },
      { body: catching("data:text/plain,here"), fetch: "{}", call: returning("here") },
    );
    expect(exitCode).toBe(1);
    const declares = "the example declares no answer to GET";
    expect(stdout).toContain(
      `the tool failed\n      ${declares} https://api.example.com/y: add "https://api.example.com/y": {"status": 200, "body": …} to its \`\`\`json fetch block (agent.mdx:11:8)`,
    );
    expect(stdout).toContain(`${declares} ${server.url}: add`);
    expect(stdout).toContain(
      "the example declares one answer to requests of https://a.example/, and the tool made one",
    );
    expect(stdout).toContain("✓ tool3: {} (time)\n✓ tool4: {} (time)\n\n2 passed, 3 failed (time)\n");
  });

  test("sees the time of `now`, from its first line on, and others see the true one", async () => {
    const body = `const one = new Date(); await Bun.sleep(5);
  return [loaded, Date.now(), +new Date(), one instanceof Date, +new Date(0), +new one.constructor(), Date() === String(one),
    Date.UTC(2000, 0), new Intl.DateTimeFormat("en", { year: "numeric", timeZone: "UTC" }).format(new Date()), performance.now() > 1];
}
const loaded = new Date().toISOString();
function unused() {`;
    const now = Date.UTC(2001, 1, 3, 4, 5, 6);
    const seen = ["2001-02-03T04:05:06.000Z", now, now, true, 0, now, true, Date.UTC(2000, 0), "2001", true];
    const { stdout, exitCode } = await runExamples(
      { body, attributes: ' now="2001-02-03T04:05:06Z"', call: returning(seen) },
      {
        body: "return Date.now() > 1.7e12 && Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 60_000;",
        call: returning(true),
      },
    );
    expect(stdout).toEndWith("\n\n2 passed (time)\n");
    expect(exitCode).toBe(0);
  });
});
