import { describe, expect, test } from "bun:test";
import { requireProgram } from "../../../test/support/require-program.ts";
import { openSandboxBench } from "../../../test/support/sandbox-bench.ts";
import { allowanceOf, destinationOf, PublicAddresses } from "./network/allowed-hosts.ts";
import { proxyRequest } from "./network/proxy.ts";

/** A listed host, a destination, and what it is allowed as. */
const LISTED: readonly (readonly [listed: string, authority: string, allowance: "public" | "literal" | undefined])[] = [
  ["api.example.com", "api.example.com:443", "public"],
  ["api.example.com", "API.Example.COM.:80", "public"],
  ["api.example.com", "api.example.com:8080", undefined],
  ["api.example.com:8080", "api.example.com:8080", "public"],
  ["api.example.com:8080", "api.example.com:443", undefined],
  ["api.example.com", "evil-api.example.com:443", undefined],
  ["api.example.com", "api.example.com.evil.com:443", undefined],
  ["*.example.com", "a.b.example.com:443", "public"],
  ["*.example.com", "example.com:443", undefined],
  ["*.example.com", "evilexample.com:443", undefined],
  ["*.localhost", "a.localhost:80", undefined],
  ["*.0.0.1", "127.0.0.1:80", undefined],
  ["localhost:8080", "localhost:8080", "literal"],
  ["localhost:8080", "127.0.0.1:8080", undefined],
  ["127.0.0.1:8080", "127.0.0.1:8080", "literal"],
  ["[::1]:8080", "[::1]:8080", "literal"],
  ["", "example.com:443", undefined],
  ["*", "example.com:443", undefined],
];

describe("a list of hosts", () => {
  test.each(LISTED)("of %j leads to %s: %p", (listed, authority, allowance) => {
    const destination = destinationOf(authority);
    expect(destination && allowanceOf(destination, [listed])).toBe(allowance);
  });
});

test.each([
  ...["127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.1.1", "172.31.0.1", "100.64.0.1", "0.0.0.0", "224.0.0.1"],
  ...["::1", "::", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"],
])("the address %s is not of the internet", (address) => {
  expect(new PublicAddresses().has(address)).toBe(false);
});

test.each(["1.1.1.1", "93.184.216.34", "2606:4700::1111"])("the address %s is of the internet", (address) => {
  expect(new PublicAddresses().has(address)).toBe(true);
});

test("an address of this machine counts as private, though it is one of the internet", () => {
  const addresses = new PublicAddresses(() => ["8.8.8.8", "2606:4700::1111"]);
  expect(["8.8.8.8", "2606:4700::1111", "8.8.4.4"].map((address) => addresses.has(address))).toStrictEqual([
    ...[false, false, true],
  ]);
});

describe("the head of a request to the proxy", () => {
  test("is sent on in the form for its destination, which is named by its first line alone", () => {
    const head =
      "GET http://a.example:81/path?q=1#x HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: x\r\nAccept: */*";
    expect(proxyRequest(head)).toEqual({
      destination: { host: "a.example", port: 81 },
      head: "GET /path?q=1 HTTP/1.1\r\nHost: a.example:81\r\nConnection: close\r\nAccept: */*\r\n\r\n",
      authorization: "x",
    });
  });

  test.each([
    "GET / HTTP/1.1",
    "GET http://user:password@a.example/ HTTP/1.1",
    "GET ftp://a.example/ HTTP/1.1",
    "CONNECT a.example HTTP/1.1",
    "CONNECT a.example:99999 HTTP/1.1",
    "CONNECT a.example:443 HTTP/2",
    "\u0016\u0003\u0001",
    "",
  ])("%j is none", (head) => {
    expect(proxyRequest(head)).toBeUndefined();
  });
});

describe.skipIf(requireProgram("bwrap"))("in the sandbox", () => {
  const answering = (text: string): Bun.Server<undefined> =>
    Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => new Response(text + new URL(request.url).pathname),
    });
  const fetching = (url: string): string =>
    `try { return await (await fetch("${url}")).text(); } catch (error) { return "unreachable"; }`;

  test("a shell reaches the hosts of its list, by HTTP and by a tunnel, and no other", async () => {
    using listed = answering("listed ");
    using other = answering("other ");
    await using bench = openSandboxBench({ network: [`127.0.0.1:${listed.port}`] });
    const commands = [
      `curl -s ${listed.url}plain`,
      `curl -s -p ${listed.url}tunnel`,
      `curl -s ${other.url}`,
      `curl -s -p ${other.url} || echo refused`,
      `curl -s --noproxy '*' ${other.url} || echo unreachable`,
    ];
    const { text } = await bench.bash(commands.join("; echo; "));
    const lines = text.split("\n");
    expect(lines.slice(0, 2)).toStrictEqual(["listed /plain", "listed /tunnel"]);
    expect(lines[2]).toContain(`127.0.0.1:${other.port} is not among the hosts that may be reached`);
    expect(lines.filter((line) => line !== "").slice(-3)).toStrictEqual([
      ...["refused", "unreachable"],
      expect.stringMatching(new RegExp(`^\\[the sandbox prevented reaching 127\\.0\\.0\\.1:${other.port}: `)),
    ]);
  });

  test("a program without a proxy reaches the listed ports of this machine, whoever speaks first, and no other", async () => {
    const greet = (socket: Bun.Socket): void => void socket.write("220 ready\n");
    const listen = () =>
      Bun.listen({
        hostname: "127.0.0.1",
        port: 0,
        socket: { open: greet, data: (socket, bytes) => void socket.end(`+${bytes.toString().toUpperCase()}`) },
      });
    using named = listen();
    using listed = listen();
    using other = listen();
    const ask = (host: string, { port }: { readonly port: number }): string =>
      `(exec 3<>/dev/tcp/${host}/${port} && echo ping >&3 && cat <&3) 2>&1 | tr '\\n' ' '; echo`;
    const network = [`localhost:${named.port}`, `127.0.0.1:${listed.port}`, "localhost:9"];
    await using bench = openSandboxBench({ network });
    const asked = [ask("localhost", named), ask("127.0.0.1", named), ask("127.0.0.1", listed), ask("127.0.0.1", other)];
    const [first, second, third, fourth] = (await bench.bash(asked.join("; "))).text.split("\n");
    expect([first, second, third]).toStrictEqual(Array.from({ length: 3 }, () => "220 ready +PING "));
    expect(fourth).toContain("Connection refused");
    // Nothing listens there.
    expect((await bench.bash(ask("localhost", { port: 9 }))).text).not.toContain("220");
  });

  test("a shell that reaches some hosts ends as it would without: with its exit code", async () => {
    await using bench = openSandboxBench({ network: ["example.com"] });
    expect(await bench.bash("echo said; exit 7")).toEqual({ text: "said\n[exit code 7]", isError: true });
  });

  test("a tool reaches what the host reaches, where it does not narrow it", async () => {
    using server = answering("the world ");
    await using bench = openSandboxBench();
    expect(await bench.tool(fetching(server.url.href))).toMatchObject({ text: "the world /" });
  });

  test("a tool that names no host reaches none, this machine included", async () => {
    using server = answering("the world ");
    await using bench = openSandboxBench();
    expect(await bench.tool(fetching(server.url.href), { network: [] })).toMatchObject({ text: "unreachable" });
  });

  test("a tool that names hosts reaches those and no others, each tool its own", async () => {
    using one = answering("one ");
    using other = answering("other ");
    await using bench = openSandboxBench();
    const [toOne, toOther] = [[`127.0.0.1:${one.port}`], [`127.0.0.1:${other.port}`]];
    expect(await bench.tool(fetching(one.url.href), { network: toOne })).toMatchObject({ text: "one /" });
    expect((await bench.tool(fetching(one.url.href), { network: toOther })).text).toContain("is not among the hosts");
    expect((await bench.tool(fetching("http://169.254.169.254/"), { network: toOne })).text).toContain("is not among");
  });

  test("a name that is listed, but leads to this machine, is not reached", async () => {
    await using bench = openSandboxBench();
    const tool = await bench.tool(fetching("http://localtest.me/"), { network: ["localtest.me"] });
    expect(tool.text).toMatch(/has no public address|cannot be reached/);
  });
});
