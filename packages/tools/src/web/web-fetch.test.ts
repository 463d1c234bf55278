import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "@mdx-ai/base";
import { builtinTools, executeTool } from "@mdx-ai/tools";
import { textOf, toolContext } from "../../../../test/support/tool-context.ts";
import type { ToolNetwork } from "../entrypoints/network-address.ts";

let server: Bun.Server<undefined>;
/** The headers of the last request. */
let headers = new Headers();

beforeAll(() => {
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
});
afterAll(() => server.stop(true));

const PAGE = `<!doctype html><html><head><title>A  page</title><style>p{}</style></head><body>
<nav>menu</nav><h2>Part &amp; piece</h2><p hidden>secret</p><p>See <a href="../b?c=1">this</a>, <a href="javascript:x()">that</a>
and <img src="data:image/png;base64,AAAA" alt="a picture"> <img src="/p.png" alt="other"></p><script>1<2</script>
<pre><code class="language-js">let a = "&lt;b>";
</code></pre><ul><li>one<li><del>two</del></ul><table><tr><th>k<th>v<tr><td>a|b<td>1</table><footer>imprint</footer></body></html>`;

const MARKDOWN = `# A page

## Part & piece

See [this](http://HERE/b?c=1), that and a picture ![other](http://HERE/p.png)

\`\`\`js
let a = "<b>";
\`\`\`

- one
- ~~two~~

| k | v |
| --- | --- |
| a\\|b | 1 |`;

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const LONG = Array.from({ length: 9_000 }, (_, line) => `line ${line}\n`).join("");

/** Answers by path: the body and its content type. */
const ANSWERS: Readonly<Record<string, readonly [body: string | Uint8Array, type?: string]>> = {
  "/a/page": [PAGE, "text/html"],
  "/main": ["<title>T</title><p>around</p><main><h1>Only <em>this</em></h1><nav>contents</nav></main>", "text/html"],
  "/json": ['{"a": [1]}', "application/json"],
  "/problem": ['{"a": 1}', "application/problem+json; charset=utf-8"],
  "/text": ["a < b & c", "text/plain"],
  "/untyped": [bytes("<!DOCTYPE html><p>x</p>"), ""],
  "/header": [bytes("caf\xe9"), "text/plain; charset=iso-8859-1"],
  "/meta": [bytes('<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2'), "text/html"],
  "/jis": [bytes("<p>\x93\xfa\x96{"), 'text/html; charset="shift_jis"'],
  "/utf16": [bytes("\xff\xfea\0b\0"), "text/plain"],
  "/invalid": [bytes("a\xffb"), "text/plain"],
  "/odd": ["x", "text/plain; charset=nonsense"],
  "/empty": ["", "text/html"],
  "/pdf": ["%PDF", "application/pdf"],
  "/binary": [bytes("a\0b"), ""],
  "/deep": [`${"<div>".repeat(50_000)}x`, "text/html"],
  "/indented": [`${"<div>".repeat(500)}x`, "text/html"],
  "/long": [LONG, "text/plain"],
  "/marks": [
    "<p>x <b>y <i>z<wbr>w <b>v</b></i></b><span> </span><i></i><a href=/u> </a><foo>t</foo></p><table><tr><td colspan=2>a<tr><td>b<td></table>",
    "text/html",
  ],
  "/wide": ["<table><tr><td colspan=1000000000>a<td>b</table>", "text/html"],
  "/quotes": [`${"<blockquote>".repeat(100)}x`, "text/html"],
};

function answer(request: Request): Response {
  headers = request.headers;
  const { pathname } = new URL(request.url);
  const [, first = "", ...rest] = pathname.split("/");
  if (first === "to")
    return new Response(null, { status: 302, headers: { location: decodeURIComponent(rest.join("/")) } });
  if (first === "status")
    return new Response("<h1>No</h1><p>such page", { status: 404, headers: { "content-type": "text/html" } });
  if (first === "gzip") {
    const zipped = Bun.gzipSync(Buffer.from(rest[0] === "bomb" ? "a".repeat(50_000_000) : "unzipped"));
    return new Response(zipped, { headers: { "content-encoding": "gzip", "content-type": "text/plain" } });
  }
  const [body = "", type = ""] = ANSWERS[pathname] ?? [];
  const response = new Response(body, { headers: type === "" ? {} : { "content-type": type } });
  if (type === "") response.headers.delete("content-type");
  return response;
}

const here = (): string => `127.0.0.1:${server.port}`;

async function fetched(url: string, args: JsonObject = {}, network: ToolNetwork = { network: [here()] }) {
  const [tool] = builtinTools({ environment: {}, network }, ["web_fetch"]);
  if (tool === undefined) throw new Error("no tool");
  const result = await executeTool(tool, { url: url.replace("HERE", here()), ...args }, toolContext("/"));
  return { text: textOf(result).replaceAll(here(), "HERE"), isError: result.isError, details: result.details };
}

describe("web_fetch", () => {
  test.each([
    ["/a/page", MARKDOWN],
    ["/main", "# Only *this*\n\ncontents"],
    ["/json", '{"a": [1]}'],
    ["/problem", '{"a": 1}'],
    ["/text", "a < b & c"],
    ["/untyped", "x"],
    ["/header", "café"],
    ["/meta", "Привет"],
    ["/jis", "日本"],
    ["/utf16", "ab"],
    ["/invalid", "a\ufffdb"],
    ["/odd", "x"],
    ["/empty", "[the page has no text]"],
    ["/gzip/small", "unzipped"],
    ["/marks", "x **y _zw v_** t\n\n|  |  |\n| --- | --- |\n| a |  |\n| b |  |"],
    ["/wide", "|  |  |\n| --- | --- |\n| a | b |"],
    ["/quotes", `${"> ".repeat(12)}x`],
    ["/indented", "[the page has no text]\n[cut: parts of the page are missing]"],
    ["/to/%2Ftext", "a < b & c"],
    [
      "/to/http:%2F%2Fexample.com%2Fx",
      "[redirected to another host: http://example.com/x; fetch that address to follow]",
    ],
    [
      "/to/http:%2F%2F169.254.169.254%2F",
      "[redirected to another host: http://169.254.169.254/; fetch that address to follow]",
    ],
  ])("returns %s as %j", async (path, text) => {
    const result = await fetched(`http://HERE${path}`);
    expect([result.text, result.isError]).toStrictEqual([text, false]);
  });

  test.each([
    ["http://HERE/status", "the server answered 404 Not Found:\n# No\n\nsuch page"],
    [
      "http://HERE/pdf",
      "the server answered 200 OK with application/pdf, which is not shown: download it with a command",
    ],
    [
      "http://HERE/binary",
      "the server answered 200 OK with bytes that are not text, which is not shown: download it with a command",
    ],
    ["http://HERE/deep", "the elements of the page are nested too deeply to be read"],
    ["http://HERE/to/http:%2F%2F", "the server redirected to http://, which is not an address"],
    ["ftp://HERE/", "only pages of http: and https: are fetched, not of ftp:"],
    ["file:///etc/passwd", "only pages of http: and https: are fetched, not of file:"],
    ["https://a:b@example.com/", "an address with a user name or a password is not fetched"],
    ["http://", '"http://" is no address of a page'],
  ])("fails for %s: %s", async (url, text) => {
    const result = await fetched(url);
    expect([result.text, result.isError]).toStrictEqual([text, true]);
  });

  test.each([
    ["http://HERE/text", "127.0.0.1"],
    ["http://127.1:1/", "127.0.0.1"],
    ["http://[::1]:1/", "::1"],
    ["http://169.254.169.254/latest", "169.254.169.254"],
    ["http://inside.example/", "inside.example leads to 10.0.0.1, which"],
  ])("does not reach %s", async (url, way) => {
    const { text, isError } = await fetched(url, {}, { resolve: async () => ["10.0.0.1"] });
    expect([isError, text]).toStrictEqual([
      true,
      expect.stringContaining(
        `${way} is an address of this machine or of a private network; only the user can allow it`,
      ),
    ]);
  });

  test("reads a long page in parts", async () => {
    let [whole, offset, parts] = ["", 0, 0];
    for (; offset < LONG.length && parts < 10; parts++) {
      const { text } = await fetched("http://HERE/long", { offset });
      expect(text.length).toBeLessThanOrEqual(32_000);
      const [notice, next] = /\n\[\d+ more characters: continue with offset (\d+)\]$/.exec(text) ?? ["", LONG.length];
      whole += text.slice(0, text.length - notice.length);
      offset = Number(next);
    }
    expect([whole.replace(/\s/g, ""), parts]).toStrictEqual([LONG.replace(/\s/g, ""), 3]);
    expect((await fetched("http://HERE/long", { offset: LONG.length })).text).toBe(
      `the page has ${LONG.length} characters, so nothing follows ${LONG.length}`,
    );
  });

  test("reads 1 MiB of what is unzipped, and says at the end that more follows", async () => {
    const { text, details } = await fetched("http://HERE/gzip/bomb", { offset: 1024 ** 2 - 10 });
    expect(text).toBe(`${"a".repeat(10)}\n[cut: the page is longer than 1048576 bytes, and the rest was not read]`);
    expect(details).toStrictEqual({ status: 200, bytes: 1024 ** 2, truncated: true });
  });

  test("names itself and prefers Markdown", async () => {
    await fetched("http://HERE/text");
    expect([headers.get("user-agent"), headers.get("accept")]).toStrictEqual([
      expect.stringContaining("mdx-ai"),
      expect.stringMatching(/^text\/markdown, /),
    ]);
  });

  test.each([
    ["https://Example.com/a", "example.com"],
    ["example.com:8080/a", "example.com:8080"],
    ["http://[::1]/", "[::1]"],
  ])("accesses the host of %s", async (url, host) => {
    const [tool] = builtinTools({ environment: {} }, ["web_fetch"]);
    expect(await tool?.access?.({ url }, { agentDir: "/", cwd: "/" })).toStrictEqual({ kind: "host", host });
  });
});
