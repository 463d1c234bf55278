import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { proxyFor } from "@mdx-ai/models/proxy";

const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("server") });
const proxy = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("proxy") });
afterAll(() => Promise.all([server.stop(true), proxy.stop(true)]));

const at = proxy.url.href;
const here = server.url.href;
const named = here.replace("127.0.0.1", "localhost");
const below = here.replace("127.0.0.1", "a.localhost");

const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [here, {}],
  [here, { HTTP_PROXY: at }],
  [here, { http_proxy: at }],
  [here, { HTTPS_PROXY: at }],
  [here, { ALL_PROXY: at }],
  [here, { all_proxy: at }],
  [here, { HTTP_PROXY: `127.0.0.1:${proxy.port}` }],
  [here, { HTTP_PROXY: " " }],
  [here, { HTTP_PROXY: at, NO_PROXY: "127.0.0.1" }],
  [here, { HTTP_PROXY: at, NO_PROXY: "127.*" }],
  [here, { HTTP_PROXY: at, NO_PROXY: "127.0.0.*" }],
  [here, { HTTP_PROXY: at, NO_PROXY: "127.0.0.0/8" }],
  [here, { HTTP_PROXY: at, NO_PROXY: "128.0.0.0/8" }],
  [here, { HTTP_PROXY: at, NO_PROXY: "*" }],
  [here, { HTTP_PROXY: at, NO_PROXY: `127.0.0.1:${server.port}` }],
  [here, { HTTP_PROXY: at, NO_PROXY: "127.0.0.1:1" }],
  [here, { HTTP_PROXY: at, NO_PROXY: "0.0.1" }],
  [here, { HTTP_PROXY: at, NO_PROXY: ".0.0.1" }],
  [here, { HTTP_PROXY: at, NO_PROXY: "example.com, 127.0.0.1" }],
  [here, { HTTP_PROXY: at, NO_PROXY: "example.com 127.0.0.1" }],
  [here, { HTTP_PROXY: at, no_proxy: "127.0.0.1", NO_PROXY: "example.com" }],
  [here, { HTTP_PROXY: at, no_proxy: "example.com", NO_PROXY: "127.0.0.1" }],
  [named, { HTTP_PROXY: at, NO_PROXY: "LOCALHOST" }],
  [named, { HTTP_PROXY: at, NO_PROXY: "ocalhost" }],
  [below, { HTTP_PROXY: at, NO_PROXY: "localhost" }],
  [below, { HTTP_PROXY: at, NO_PROXY: ".localhost" }],
  [below, { HTTP_PROXY: at, NO_PROXY: "*.localhost" }],
  [below, { HTTP_PROXY: at, NO_PROXY: "b.localhost" }],
];

const run = async (
  program: string,
  argument: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const command = [process.execPath, join(import.meta.dir, `../../support/${program}`), argument];
  const child = Bun.spawn(command, {
    env: { PATH: process.env["PATH"], ...environment },
    stdout: "pipe",
    stderr: "inherit",
  });
  return new Response(child.stdout).text();
};

test("a proxy is named for just the requests that go through it", async () => {
  const proxied = JSON.parse(await run("fetch-by-proxy-process.ts", JSON.stringify(cases)));
  expect(
    cases.map(([address, variables]) => [variables, proxyFor(address, variables)?.host === proxy.url.host]),
  ).toEqual(cases.map(([, variables], index) => [variables, proxied[index]]));
});

test.each([
  ["127.*", ["127.*"]],
  ["example.*, 127.0.*.1", ["127.0.*.1"]],
  ["*.example.com", []],
])("of NO_PROXY=%s what seems to mean the host is known", (patterns, ignored) => {
  expect(proxyFor(here, { HTTP_PROXY: at, NO_PROXY: patterns })?.ignored).toEqual([...ignored]);
});

/** Why a model at the server cannot be asked with these variables. */
async function problemWith(environment: Readonly<Record<string, string>>): Promise<string> {
  const asked = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${here}v1`, ...environment };
  return JSON.parse(await run("open-model-process.ts", "openai/m", asked)).errorMessage;
}

test("a proxy that is not there is named, with a pattern that does not count", async () => {
  const host = server.url.host;
  expect(await problemWith({ HTTP_PROXY: "http://user:secret@127.0.0.1:9", NO_PROXY: "127.*" })).toBe(
    `could not reach ${host} through the proxy 127.0.0.1:9 of HTTP_PROXY: ECONNREFUSED. NO_PROXY has 127.*, a pattern that has no effect: write 127.0.0.1, or a network such as 127.0.0.0/8.`,
  );
});

test("a proxy that refuses is named", async () => {
  using refusing = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("<html><title>Bad Gateway</title></html>", { status: 502 }),
  });
  const problem = await problemWith({ ALL_PROXY: refusing.url.href });
  expect(problem).toContain('openai answered 502: a web page, "Bad Gateway"');
  expect(problem).toContain(`It was asked through the proxy ${refusing.url.host} of ALL_PROXY. Is the proxy right?`);
});
