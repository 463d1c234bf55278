import { expect, test } from "bun:test";
import { adminAddress, findServer, RestateClient } from "./restate-client.ts";

test.each([
  ["restate://127.0.0.1:9070", "http://127.0.0.1:9070"],
  ["restate://engine", "http://engine:9070"],
  ["restates://engine.example:443/", "https://engine.example:443"],
  ["restate://[::1]:9070", "http://[::1]:9070"],
])("%s is the admin address %s", (text, address) => {
  expect(adminAddress(text)).toBe(address);
});

test.each(["http://127.0.0.1:9070", "restate://", "restate://a:b", "restate://user@host:1", "127.0.0.1:9070"])(
  "%s is no engine",
  (text) => {
    expect(() => adminAddress(text)).toThrow("expected restate://HOST:PORT");
  },
);

/** A server that answers every request like this. */
const serverOf = (answer: string) => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(answer) });

test.each([
  ["is no server of this kind", "<html>", "is no admin address of a Restate server"],
  ["is older", '{"version":"1.6.2","ingress_endpoint":"http://a:1/"}', "has version 1.6.2; mdx-ai needs 1.7 or later"],
  ["reports no ingress", '{"version":"1.7.0"}', "set RESTATE_INGRESS__ADVERTISED_ADDRESS"],
])("a server that %s is refused", async (_name, answer, text) => {
  await using server = serverOf(answer);
  await expect(findServer(server.url.origin)).rejects.toThrow(text);
});

test("where no server answers, the message says how to start one", async () => {
  const server = serverOf("");
  const { origin } = server.url;
  await server.stop(true);
  await expect(findServer(origin)).rejects.toThrow("start one with restate-server, or correct --engine");
});

test("a server that takes calls and gives no answer, as one with a full disk does, says what to do", async () => {
  await using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise<Response>(() => {}) });
  const { origin } = server.url;
  const client = new RestateClient({ admin: origin, ingress: origin, version: "1.7.0" }, { maxCall: 100 });
  await expect(client.call("service", "key", "handler")).rejects.toThrow(
    `the Restate server at ${origin} gives no answer in 0.1 s; read its log: a full disk stops it; make room, and restart it`,
  );
});
