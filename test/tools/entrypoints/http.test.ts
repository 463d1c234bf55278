import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "@mdx-ai/base";
import { skillTool, type TestedTool } from "../../support/skill-tool.ts";

let server: Bun.Server<undefined>;
/** The requests that arrived: `GET host /path body`. */
let seen: string[] = [];

beforeAll(() => {
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
});
afterAll(() => server.stop(true));

async function answer(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  seen.push([request.method, request.headers.get("host"), `${pathname}${search}`, body].join(" ").trim());
  const [, first = "", ...rest] = pathname.split("/");
  const redirect = (status: number, location: string): Response =>
    new Response(null, { status, headers: { location } });
  if (first === "status") return new Response(rest[1] === "empty" ? "" : "the reason", { status: Number(rest[0]) });
  if (first === "to") return redirect(Number(rest[0]), decodeURIComponent(rest.slice(1).join("/")));
  if (first === "loop") return redirect(302, "/loop");
  if (first === "count") return redirect(302, Number(rest[0]) === 0 ? "/done" : `/count/${Number(rest[0]) - 1}`);
  if (first === "big") return new Response("line\n".repeat(1_000_000));
  if (first === "slow") return new Response(new ReadableStream({ start: (out) => out.enqueue(new Uint8Array([65])) }));
  if (first === "binary")
    return new Response(new Uint8Array([0xff, 0xfe, 0, 1]), { headers: { "content-type": "image/png" } });
  if (first === "latin")
    return new Response(new Uint8Array([0xe9]), { headers: { "content-type": "text/plain; charset=latin1" } });
  if (first === "odd") return new Response("x", { headers: { "content-type": "text/plain; charset=nonsense" } });
  return new Response(`done ${pathname}${search}`);
}

const here = (): string => `127.0.0.1:${server.port}`;

async function call(entrypoint: string, args: JsonObject = {}, tested: TestedTool = {}) {
  seen = [];
  const options = { network: [here()], ...tested.options };
  await using made = skillTool(entrypoint.replaceAll("HERE", here()), { properties: {}, ...tested, options });
  const { text, isError } = await made.run(args);
  return { text: text.replaceAll(here(), "HERE"), isError, seen: seen.map((line) => line.replaceAll(here(), "HERE")) };
}

describe("an http entrypoint", () => {
  test("http:get sends the arguments as the query", async () => {
    const args = { q: "a b&c=d", n: 2, list: ["x", "y"], none: null, o: { a: 1 } };
    const { text, seen: requests } = await call("http:get http://HERE/find?kept=1", args);
    const query = "kept=1&q=a+b%26c%3Dd&n=2&list=x&list=y&o=%7B%22a%22%3A1%7D";
    expect([text, requests]).toStrictEqual([`done /find?${query}`, [`GET HERE /find?${query}`]]);
  });

  test("http:post sends the arguments as JSON", async () => {
    const { seen: requests } = await call("http:post http://HERE/make", { a: [1, { b: "é" }], none: null });
    expect(requests).toStrictEqual(['POST HERE /make {"a":[1,{"b":"é"}]}']);
  });

  test("arguments in the path are in neither", async () => {
    const properties = { id: { type: "string" }, q: { type: "string" } };
    const entrypoint = "http:get http://HERE/users/{id}/x?of={q}&b={{}}";
    expect((await call(entrypoint, { id: "a/../b?c#d%2e", q: "" }, { properties })).seen).toStrictEqual([
      "GET HERE /users/a%2F..%2Fb%3Fc%23d%252e/x?of=&b={}",
    ]);
    for (const id of ["..", ".", ""]) {
      const { text, isError, seen: requests } = await call(entrypoint, { id }, { properties });
      expect([text, isError, requests]).toStrictEqual([
        `the argument "id" is a part of the path and cannot be ${JSON.stringify(id)}`,
        true,
        [],
      ]);
    }
  });

  test.each([
    ["/status/404", "the server answered 404 Not Found:\nthe reason"],
    ["/status/500/empty", "the server answered 500 Internal Server Error"],
    ["/odd", "the answer has the unknown character set nonsense"],
    ["/loop", "the server redirected the request more than 5 times"],
    ["/to/302/ftp:%2F%2Fx", "the server redirected to ftp:, which is neither http: nor https:"],
    ["/to/302/http:%2F%2F", "the server redirected to http://, which is not an address"],
  ])("GET %s is an error: %j", async (path, text) => {
    const result = await call(`http:get http://HERE${path}`);
    expect([result.text, result.isError]).toStrictEqual([text, true]);
  });

  test.each([
    ["/count/4", "done /done"],
    ["/latin", "é"],
    ["/binary", "[not text: 4 bytes of image/png]"],
  ])("GET %s is %j", async (path, text) => {
    const result = await call(`http:get http://HERE${path}`);
    expect([result.text, result.isError]).toStrictEqual([text, false]);
  });

  test("reads no more than 1 MiB, and says so", async () => {
    const { text } = await call("http:get http://HERE/big");
    expect(text.slice(-100)).toEndWith("[cut: the body is longer than 1048576 bytes, and the rest was not read]");
    expect(text.length).toBeLessThanOrEqual(32_000);
  });

  test("ends when its time is over", async () => {
    const result = await call("http:get http://HERE/slow", {}, { timeout: 0.3 });
    expect([result.text, result.isError]).toStrictEqual(["no answer within 0.3 seconds", true]);
  });

  test.each([
    [
      301,
      "/done",
      "the server redirected a POST to http://HERE with the status 301, which leaves open whether it may be repeated",
      ["POST HERE /to/301/%2Fdone {}"],
    ],
    [303, "/done", "done /done", ["POST HERE /to/303/%2Fdone {}", "GET HERE /done"]],
    [307, "/done", "done /done", ["POST HERE /to/307/%2Fdone {}", "POST HERE /done {}"]],
    [
      308,
      "http://example.com/",
      "the server redirected a POST to http://example.com, another server, which is not sent the arguments",
      ["POST HERE /to/308/http%3A%2F%2Fexample.com%2F {}"],
    ],
  ])("a POST that is redirected with %d to %s: %j", async (status, location, text, requests) => {
    const result = await call(`http:post http://HERE/to/${status}/${encodeURIComponent(location)}`);
    expect([result.text, result.seen]).toStrictEqual([text, requests]);
  });
});

describe("an http entrypoint reaches no address that is not public", () => {
  const refusal = (way: string, listed: string): string =>
    `${way} is an address of this machine or of a private network; only the user can allow it, with "${listed}" in \`sandbox.network\` of the user's settings`;

  test.each([
    ["127.0.0.1:PORT", "127.0.0.1:PORT", "127.0.0.1"],
    ["2130706433:PORT", "127.0.0.1:PORT", "127.0.0.1"],
    ["0x7f.1:PORT", "127.0.0.1:PORT", "127.0.0.1"],
    ["0177.0.0.1:PORT", "127.0.0.1:PORT", "127.0.0.1"],
    ["0.0.0.0:PORT", "0.0.0.0:PORT", "0.0.0.0"],
    ["[::1]:PORT", "[::1]:PORT", "::1"],
    ["[::]:PORT", "[::]:PORT", "::"],
    ["[::ffff:127.0.0.1]:PORT", "[::ffff:7f00:1]:PORT", "::ffff:7f00:1"],
    ["[64:ff9b::7f00:1]:PORT", "[64:ff9b::7f00:1]:PORT", "64:ff9b::7f00:1"],
    ["169.254.169.254", "169.254.169.254", "169.254.169.254"],
    ["10.1.2.3", "10.1.2.3", "10.1.2.3"],
    ["192.168.1.1:8080", "192.168.1.1:8080", "192.168.1.1"],
    ["[fd00::1]", "[fd00::1]", "fd00::1"],
    ["[fe80::1]", "[fe80::1]", "fe80::1"],
  ])("%s", async (host, listed, way) => {
    const port = String(server.port);
    const result = await call(`http:get http://${host.replace("PORT", port)}/x`, {}, { options: { network: [] } });
    const text = refusal(way, listed.replace("PORT", port)).replaceAll(here(), "HERE");
    expect(result).toStrictEqual({ text, isError: true, seen: [] });
  });

  test("by a name that leads there, though the name is listed", async () => {
    const resolve = async (): Promise<readonly string[]> => ["127.0.0.1"];
    const network = [`inside.example:${server.port}`];
    const entrypoint = `http:get http://inside.example:${server.port}/x`;
    const result = await call(entrypoint, {}, { options: { network, resolve } });
    expect(result).toStrictEqual({
      text: refusal("inside.example leads to 127.0.0.1, which", "HERE"),
      isError: true,
      seen: [],
    });
    // The address itself was opened.
    const opened = await call(entrypoint, {}, { options: { resolve } });
    expect(opened.seen).toStrictEqual([`GET inside.example:${server.port} /x`]);
  });

  test("by a name that leads elsewhere the second time", async () => {
    const answers = ["203.0.114.1", "127.0.0.1"];
    let asked = 0;
    const resolve = async (): Promise<readonly string[]> => [answers[asked++] ?? "127.0.0.1"];
    const options = { network: [], resolve };
    const entrypoint = `http:get http://moving.example:${server.port}/x`;
    const result = await call(entrypoint, {}, { options, timeout: 0.5 });
    expect([asked, result.isError, result.seen]).toStrictEqual([1, true, []]);
  });

  test("by a name that has no address, which the error names", async () => {
    const { text, isError } = await call("http:get http://no-such-host.invalid/x", {});
    expect([text, isError]).toStrictEqual([
      expect.stringContaining("address of no-such-host.invalid was not found"),
      true,
    ]);
  });

  test("by a name that is not resolved in time", async () => {
    const resolve = (): Promise<readonly string[]> => new Promise(() => {});
    for (const entrypoint of ["http:get http://slow.example/x", "grpc:slow.example:1/a.B/C"]) {
      const result = await call(entrypoint, {}, { options: { resolve }, timeout: 0.3 });
      expect([result.text, result.isError]).toStrictEqual(["no answer within 0.3 seconds", true]);
    }
  });

  test("by a redirect", async () => {
    const target = encodeURIComponent("http://127.0.0.1:1/secret");
    const result = await call(`http:get http://HERE/to/302/${target}`);
    expect([result.isError, result.seen.length]).toStrictEqual([true, 1]);
    expect(result.text).toContain("is an address of this machine");
  });

  test("unless the user's settings list this machine, or every host", async () => {
    for (const network of [[`localhost:${server.port}`], "all"] as const) {
      const result = await call(`http:get http://localhost:${server.port}/x`, {}, { options: { network } });
      expect([result.text, result.isError]).toStrictEqual(["done /x", false]);
    }
  });

  test("and none at all in a test", async () => {
    const result = await call("http:get http://HERE/x", {}, { options: { toolNetwork: "none" } });
    expect(result).toStrictEqual({
      text: "127.0.0.1 is not reached: tools have no network in a test",
      isError: true,
      seen: [],
    });
  });
});

test.each([
  ["http:get https://api.example.com/a?x=1", {}, "api.example.com", true],
  ["http:post http://api.example.com:8080", {}, "api.example.com:8080", false],
  ["http:get http://[::1]:81/", {}, "[::1]:81", true],
])("the access of %s is its host", async (entrypoint, args, host, isReadOnly) => {
  await using made = skillTool(entrypoint);
  expect(await made.tool.access?.(args, { agentDir: "/", cwd: "/" })).toStrictEqual({ kind: "host", host });
  expect(made.tool.readOnly === true).toBe(isReadOnly);
});

test.each([
  ["http:get ftp://x/", "the address begins with ftp:, which is neither http: nor https:"],
  ["http:get /x", 'unexpected address "/x", expected one that begins with https:// or http://'],
  ["http:get http://user:secret@x/", "the address contains a user name or a password"],
  ["http:get http://{host}/x", "the placeholder {host} names no property"],
])("%s cannot work", async (entrypoint, text) => {
  await using made = skillTool(entrypoint);
  const result = await made.run();
  expect([result.isError, result.text]).toStrictEqual([true, expect.stringContaining(text)]);
});
