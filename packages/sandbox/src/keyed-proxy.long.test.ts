import { describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectSecurely, createServer, type TLSSocket } from "node:tls";
import { credentialFor, KEY, type KeyedHost, openKeyedHost } from "../../../test/support/keyed-host.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { KeyInjector } from "./credentials/key-injector.ts";
import type { SandboxCredential } from "./credentials/sandbox-credential.ts";
import { FilteringProxy } from "./network/proxy.ts";

const MASKED = "*".repeat(KEY.length);
const MASKED_IN_JSON = "*".repeat(JSON.stringify(KEY).length - 2);

interface KeyedProxy extends AsyncDisposable {
  readonly problems: readonly string[];
  /** A file with the certificates that programs in a sandbox trust. */
  readonly trusted: string;
  readonly port: number;
  /** A connection to the proxy, after these first bytes. */
  client(first: string): Socket;
  /** The TLS connection of a program to a host through a tunnel. */
  tunnel(
    authority: string,
    options?: { readonly servername?: string; readonly isTrusting?: boolean },
  ): Promise<TLSSocket>;
  /** The answer to a request in a tunnel, until the connection ends. */
  ask(authority: string, ...lines: readonly string[]): Promise<string>;
}

/** A proxy to hosts on this machine, which all names lead to. */
async function openKeyedProxy(
  credentials: readonly SandboxCredential[],
  { environment }: Pick<KeyedHost, "environment">,
  address = "127.0.0.1",
): Promise<KeyedProxy> {
  const folder = temporaryDirectory();
  const keys = new KeyInjector(credentials, environment, folder.path);
  const proxy = await FilteringProxy.open({ hosts: "all", keys, resolve: async () => [address] });
  const problems: string[] = [];
  proxy.watch({ onRefused: () => {}, onProblem: (problem) => void problems.push(problem) });
  const port = Number(proxy.address);
  const trusted = [...keys.mounts.values()][0] ?? "";
  const ca = await Bun.file(trusted).text();
  const client = (first: string): Socket => {
    const socket = connect({ host: "127.0.0.1", port }).on("error", () => {});
    socket.write(first);
    return socket;
  };
  const tunnel: KeyedProxy["tunnel"] = async (authority, { servername, isTrusting = true } = {}) => {
    const socket = client(`CONNECT ${authority} HTTP/1.1\r\n\r\n`);
    await once(socket, "readable");
    expect(String(socket.read())).toStartWith("HTTP/1.1 200 ");
    const host = authority.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
    const name = servername ?? (/^[\d.:]+$/.test(host) ? undefined : host);
    const secure = connectSecurely({ socket, host, ...(name && { servername: name }), ...(isTrusting && { ca }) });
    await once(secure, "secureConnect");
    return secure;
  };
  return {
    ...{ problems, trusted, port, client, tunnel },
    ask: async (authority, ...lines) => {
      const secure = await tunnel(authority);
      secure.write([...lines, "", ""].join("\r\n"));
      return textOf(secure);
    },
    [Symbol.asyncDispose]: async () => {
      proxy.close();
      keys.close();
      folder[Symbol.dispose]();
    },
  };
}

async function textOf(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(Buffer.from(part)));
  await once(socket, "close");
  return Buffer.concat(parts).toString();
}

const keyOf = (host: KeyedHost): readonly (string | undefined)[] =>
  host.requests.map(({ headers }) => headers["authorization"]);

describe("the key", () => {
  test("gets to its host, and not back, whatever the program writes in its place", async () => {
    using host = openKeyedHost(undefined, { name: "api.example.com" });
    const authority = `api.example.com:${host.port}`;
    await using proxy = await openKeyedProxy([credentialFor(authority)], host);
    const placed = "mdx-ai-credential-EXAMPLE_KEY";
    const said = await proxy.ask(
      authority,
      `POST /?key=${placed} HTTP/1.1`,
      `Authorization: Bearer ${placed}`,
      "Content-Length: 29",
      "",
      placed,
    );
    expect(said).toContain(`"authorization":"Bearer ${MASKED_IN_JSON}"`);
    expect(said).not.toContain(KEY);
    expect(keyOf(host)).toStrictEqual([`Bearer ${KEY}`]);
    // The placeholder elsewhere stays what it is.
    expect(host.requests[0]).toMatchObject({ url: `https://${authority}/?key=${placed}`, body: placed });
    expect(proxy.problems).toStrictEqual([]);
  });

  test.each([
    ["another host", "other.example.com", undefined],
    ["another port", "api.example.com", 1],
    ["an address with the name of the host in its handshake", "127.0.0.1", undefined],
  ])("does not get to %s", async (_what, name, port) => {
    using host = openKeyedHost(undefined, { name: "api.example.com" });
    await using proxy = await openKeyedProxy([credentialFor(`api.example.com:${host.port + (port ?? 0)}`)], host);
    const socket = proxy.client(`CONNECT ${name}:${host.port} HTTP/1.1\r\n\r\n`);
    await once(socket, "readable");
    socket.read();
    const secure = connectSecurely({ socket, servername: "api.example.com", ca: host.authority.certificate });
    await once(secure, "secureConnect");
    // It is the host's own certificate: nothing in between reads what is said.
    secure.write("GET / HTTP/1.1\r\nHost: api.example.com\r\nAuthorization: own\r\nConnection: close\r\n\r\n");
    expect(await textOf(secure)).toContain('"authorization":"own"');
    expect(keyOf(host)).toStrictEqual(["own"]);
  });

  test("does not follow a redirect to another host", async () => {
    using other = openKeyedHost(undefined, { name: "other.example.com" });
    const location = `https://other.example.com:${other.port}/`;
    using host = openKeyedHost(() => new Response(null, { status: 302, headers: { location } }), {
      name: "api.example.com",
    });
    const authority = `api.example.com:${host.port}`;
    await using proxy = await openKeyedProxy([credentialFor(authority)], host);
    const said = await curl(proxy, [
      `https://${authority}/`,
      "-L",
      "-k",
      "-H",
      "Authorization: mdx-ai-credential-EXAMPLE_KEY",
    ]);
    expect(said).toContain(`"url":"${location}"`);
    expect([keyOf(host), keyOf(other)]).toStrictEqual([[`Bearer ${KEY}`], [undefined]]);
  });

  test("does not get to a host that another `Host` header names, or after the first request of a connection", async () => {
    using host = openKeyedHost(undefined, { name: "api.example.com" });
    const authority = `api.example.com:${host.port}`;
    await using proxy = await openKeyedProxy([credentialFor(authority)], host);
    expect(await proxy.ask(authority, "GET / HTTP/1.1", "Host: evil.example")).toContain(
      `mdx-ai: the key for ${authority} is not sent to evil.example\n`,
    );
    const said = await proxy.ask(
      authority,
      ...["GET /first HTTP/1.1", `Host: API.example.com.:${host.port}`, ""],
      ...["GET /second HTTP/1.1", "Host: evil.example"],
    );
    expect(said.match(/HTTP\/1\.1 \d+/g)).toStrictEqual(["HTTP/1.1 200"]);
    expect(keyOf(host)).toStrictEqual([`Bearer ${KEY}`]);
  });

  test("gets to the host of the tunnel though the handshake names another one, which the certificate does not", async () => {
    using host = openKeyedHost(undefined, { name: "api.example.com" });
    const authority = `api.example.com:${host.port}`;
    await using proxy = await openKeyedProxy([credentialFor(authority)], host);
    expect(proxy.tunnel(authority, { servername: "evil.example" })).rejects.toThrow();
  });

  test.each(["::1", "127.0.0.1"])("gets to the address %s", async (address) => {
    using host = openKeyedHost(undefined, { name: address, hostname: address });
    const authority = `${address === "::1" ? "[::1]" : address}:${host.port}`;
    await using proxy = await openKeyedProxy([credentialFor(authority)], host, address);
    expect(await proxy.ask(authority, "GET / HTTP/1.1")).toContain(MASKED);
    expect(keyOf(host)).toStrictEqual([`Bearer ${KEY}`]);
  });

  test("is not sent by plain HTTP, not even to this machine, where another program could listen", async () => {
    using host = openKeyedHost(undefined, { isPlain: true });
    for (const name of ["api.example.com", "localhost", "127.0.0.1"]) {
      const authority = `${name}:${host.port}`;
      await using proxy = await openKeyedProxy([credentialFor(authority)], host);
      const get = (first: string): Promise<string> => textOf(proxy.client(first));
      const problem = `the key for ${authority} is sent by https only`;
      expect(await get(`GET http://${authority}/ HTTP/1.1\r\n\r\n`)).toContain(`mdx-ai: ${problem}\n`);
      expect(await get(`CONNECT ${authority} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n`)).toContain(problem);
      expect(proxy.problems).toStrictEqual([problem, problem]);
    }
    expect(host.requests).toStrictEqual([]);
  });
});

describe("a host", () => {
  test.each([
    ["of an authority that the user does not trust", "api.example.com", {}],
    ["whose certificate names another one", "other.example.com", undefined],
  ])("%s gets no key", async (_what, name, environment) => {
    using host = openKeyedHost(undefined, { name });
    const authority = `api.example.com:${host.port}`;
    await using proxy = await openKeyedProxy([credentialFor(authority)], {
      environment: environment ?? host.environment,
    });
    const said = await proxy.ask(authority, "GET / HTTP/1.1");
    expect(said).toContain("mdx-ai: the certificate of api.example.com is not trusted, so it gets no key: ");
    expect([host.requests, proxy.problems.length]).toStrictEqual([[], 1]);
  });

  test("whose key is missing gets no request, and the answer says why", async () => {
    using host = openKeyedHost(undefined, { name: "api.example.com" });
    const authority = `api.example.com:${host.port}`;
    const read = async (): Promise<never> => {
      throw new Error("the variable EXAMPLE_KEY is not set");
    };
    await using proxy = await openKeyedProxy([credentialFor(authority, { read })], host);
    const problem = `the key for ${authority} is missing: the variable EXAMPLE_KEY is not set`;
    expect(await proxy.ask(authority, "GET / HTTP/1.1")).toEndWith(`mdx-ai: ${problem}\n`);
    expect([host.requests, proxy.problems]).toStrictEqual([[], [problem]]);
  });

  test("that breaks off, or whose answer names the key where it is refused, does not show it", async () => {
    const answers = [
      "",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: ${KEY}\r\n\r\n`,
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
    ];
    const waiting = [...answers];
    using host = openKeyedHost();
    const server = createServer(host.authority.issue("localhost"), (socket) => {
      socket.on("error", () => {}).once("data", () => socket.end(waiting.shift() ?? ""));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const authority = `localhost:${typeof address === "object" ? address?.port : 0}`;
    await using proxy = await openKeyedProxy([credentialFor(authority)], host);
    const said = [];
    for (const _ of answers) said.push(await proxy.ask(authority, "GET / HTTP/1.1"));
    expect(said[0]).toContain("502 Bad Gateway");
    expect(said[0]).toContain("mdx-ai: the answer of localhost did not arrive: the connection ended");
    expect(said[1]).toContain(`its transfer encoding is ${MASKED}`);
    expect(said[2]).toEndWith("Content-Length: 9\r\nConnection: close\r\n\r\nabc");
    server.close();
  });

  test("has one certificate, however its name is written", async () => {
    using host = openKeyedHost(undefined, { name: "api.example.com" });
    await using proxy = await openKeyedProxy([credentialFor(`api.example.com:${host.port}`)], host);
    const certificates = [];
    for (const name of ["api.example.com", "API.example.com", "api.example.com."]) {
      const secure = await proxy.tunnel(`${name}:${host.port}`, { servername: "api.example.com" });
      certificates.push(secure.getPeerCertificate().fingerprint256);
      secure.destroy();
    }
    expect(new Set(certificates).size).toBe(1);
  });

  test("that compresses its answer nevertheless is not passed on", async () => {
    const zipped = Bun.gzipSync(Buffer.from(KEY));
    using host = openKeyedHost(() => new Response(zipped, { headers: { "content-encoding": "gzip" } }));
    await using proxy = await openKeyedProxy([credentialFor(`localhost:${host.port}`)], host);
    expect(await proxy.ask(`localhost:${host.port}`, "GET / HTTP/1.1")).toContain(
      "is not passed on, since a key in it would not be found: it is compressed (gzip)",
    );
  });
});

test("a program that does not trust the certificate is reported", async () => {
  using host = openKeyedHost(undefined, { name: "api.example.com" });
  const authority = `api.example.com:${host.port}`;
  await using proxy = await openKeyedProxy([credentialFor(authority)], host);
  expect(proxy.tunnel(authority, { isTrusting: false })).rejects.toThrow();
  await Bun.spawn(["curl", "-s", "-x", `http://127.0.0.1:${proxy.port}`, `https://${authority}/`]).exited;
  expect(proxy.problems.length).toBeGreaterThan(0);
  for (const problem of proxy.problems) expect(problem).toStartWith("a program did not accept the certificate");
  expect(host.requests).toStrictEqual([]);
});

test("events arrive one by one, without the key, and their end is seen", async () => {
  const events = Promise.withResolvers<ReadableStreamDefaultController<string>>();
  const body = new ReadableStream<string>({ start: (controller) => events.resolve(controller) });
  using host = openKeyedHost(() => new Response(body, { headers: { "content-type": "text/event-stream" } }));
  await using proxy = await openKeyedProxy([credentialFor(`localhost:${host.port}`)], host);
  const secure = await proxy.tunnel(`localhost:${host.port}`);
  secure.write("GET / HTTP/1.1\r\n\r\n");
  const stream = await events.promise;
  let seen = "";
  secure.on("data", (part) => {
    seen += String(part);
  });
  for (const text of ["data: one\n\n", `data: ${KEY}\n\n`]) {
    const before = seen.length;
    stream.enqueue(text);
    while (!seen.slice(before).includes("\n\n\r\n")) await once(secure, "data");
  }
  stream.close();
  await once(secure, "end");
  expect(seen).toEndWith(`data: ${MASKED}\n\n\r\n0\r\n\r\n`);
});

const BIG = 64_000_000;

test("a body that a program does not read waits at its host", async () => {
  let sent = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    sent += 65_536;
    controller.enqueue(new Uint8Array(65_536));
  };
  using host = openKeyedHost(() => new Response(new ReadableStream({ pull })));
  await using proxy = await openKeyedProxy([credentialFor(`localhost:${host.port}`)], host);
  const secure = await proxy.tunnel(`localhost:${host.port}`);
  secure.write("GET / HTTP/1.1\r\n\r\n");
  await once(secure, "readable");
  let before = -1;
  for (; sent !== before; await Bun.sleep(300)) before = sent;
  expect(sent).toBeLessThan(BIG);
  secure.destroy();
});

test("large bodies pass in both directions", async () => {
  using host = openKeyedHost();
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0, maxRequestBodySize: 2 * BIG, tls: host.authority.issue("localhost") },
    fetch: async (request) => {
      let count = 0;
      for await (const part of request.body ?? []) count += part.length;
      return new Response(new Uint8Array(count).fill(65));
    },
  });
  const local = `localhost:${server.port}`;
  await using proxy = await openKeyedProxy([credentialFor(local)], host);
  const response = await fetch(`https://${local}/`, {
    ...{ method: "POST", body: new Uint8Array(BIG), proxy: `http://127.0.0.1:${proxy.port}` },
    tls: { ca: await Bun.file(proxy.trusted).text() },
  });
  let count = 0;
  for await (const part of response.body ?? []) count += part.length;
  expect(count).toBe(BIG);
  await server.stop(true);
});

test("a WebSocket gets the key, and its messages pass without it", async () => {
  const headers: (string | null)[] = [];
  const authority = openKeyedHost();
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0, tls: authority.authority.issue("localhost") },
    fetch: (request, listening) => {
      headers.push(request.headers.get("authorization"));
      return listening.upgrade(request) ? undefined : new Response("no");
    },
    websocket: { perMessageDeflate: true, message: (socket, message) => void socket.send(`${message} ${KEY}`) },
  });
  await using proxy = await openKeyedProxy([credentialFor(`localhost:${server.port}`)], authority);
  const secure = await proxy.tunnel(`localhost:${server.port}`);
  const key = btoa("0123456789abcdef");
  secure.write(
    `GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n`,
  );
  expect(String((await once(secure, "data"))[0])).toStartWith("HTTP/1.1 101 ");
  // A masked frame with the text "hi", by the mask 0.
  secure.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
  expect(String((await once(secure, "data"))[0]).slice(2)).toBe(`hi ${MASKED}`);
  expect(headers).toStrictEqual([`Bearer ${KEY}`]);
  secure.destroy();
  await server.stop(true);
  authority[Symbol.dispose]();
});

test("a body that would become a second request for another server is cut off with its connection", async () => {
  const heads: string[] = [];
  const host = openKeyedHost();
  const server = createServer(host.authority.issue("localhost"), (socket) => {
    socket.on("error", () => {});
    socket.on("data", (part) => heads.push(String(part)));
    socket.once("data", () => setTimeout(() => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), 50));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const authority = `localhost:${typeof address === "object" ? address?.port : 0}`;
  await using proxy = await openKeyedProxy([credentialFor(authority)], host);
  const said = await proxy.ask(authority, "GET /a HTTP/1.1", "", "GET /b HTTP/1.1", "Authorization: own");
  expect(said).toContain("ok");
  // The second request is bytes behind the first one, and gets no key.
  expect(heads.join("").split(KEY).length - 1).toBe(1);
  expect(heads.join("").indexOf(KEY)).toBeLessThan(heads.join("").indexOf("GET /b"));
  server.close();
  host[Symbol.dispose]();
});

test("a proxy with a password serves those who know it", async () => {
  using host = openKeyedHost(undefined, { isPlain: true });
  const proxy = await FilteringProxy.open({ hosts: "all", password: "of-this-run" });
  const url = (user: string): string => `http://${user}127.0.0.1:${proxy.address}`;
  const get = async (user: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${host.port}/`, { proxy: url(user) })).status;
  expect([await get("mdx-ai:of-this-run@"), await get("mdx-ai:other@"), await get("")]).toStrictEqual([200, 407, 407]);
  expect(host.requests.length).toBe(1);
  proxy.close();
});

test("the certificates of a run are a file that only its programs are shown, and that goes with it", async () => {
  const folder = temporaryDirectory();
  using host = openKeyedHost();
  const keys = new KeyInjector([credentialFor("api.example.com")], host.environment, folder.path);
  const [file = ""] = keys.mounts.values();
  const text = await Bun.file(join(file)).text();
  expect(text).toContain(host.authority.certificate.trim());
  expect(text).not.toContain("PRIVATE KEY");
  expect(JSON.stringify(keys.environment)).not.toContain(KEY);
  keys.close();
  expect(await Bun.file(file).exists()).toBe(false);
  folder[Symbol.dispose]();
});

/** What curl prints that uses the proxy and trusts its certificates. */
async function curl({ port, trusted }: KeyedProxy, args: readonly string[]): Promise<string> {
  const words = ["curl", "-sS", "-m", "20", "-x", `http://127.0.0.1:${port}`, "--cacert", trusted, ...args];
  return new Response(Bun.spawn(words, { env: {}, stderr: "inherit" }).stdout).text();
}
