import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { McpConnectionOptions } from "@mdx-ai/mcp";
import { eventually } from "../support/eventually.ts";
import { type McpBench, mcpBench, textOf } from "../support/mcp-bench.ts";
import { mcpHttpServer } from "../support/mcp-http-server.ts";
import { oauthMcpServer } from "../support/oauth-mcp-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Opens an address as a browser does, and returns what the user reads at the end. */
const browse = async (url: string): Promise<string> => (await fetch(url)).text();

const benchOf = (url: string, options: Partial<McpConnectionOptions>): McpBench =>
  mcpBench({ transport: "http", url }, { limits: { backOff: 60_000 }, ...options });

const stored = (folder: string): string => {
  const [file = ""] = readdirSync(folder);
  return readFileSync(join(folder, file), "utf8");
};

describe("a server that requires a sign-in", () => {
  test("gets one in the browser, and the tokens are kept in a file of their owner alone", async () => {
    await using server = oauthMcpServer();
    using tokens = temporaryDirectory();
    const tokensDirectory = join(tokens.path, "mcp");
    const pages: Promise<string>[] = [];
    await using bench = benchOf(server.url, { tokensDirectory, onSignIn: (url) => pages.push(browse(url)) });
    expect(textOf(await bench.call("echo", { a: 1 }))).toBe('{"a":1}');
    expect(await Promise.all(pages)).toEqual([expect.stringContaining("You are signed in.")]);
    const [file = "", ...others] = readdirSync(tokensDirectory);
    expect(others).toEqual([]);
    expect(statSync(join(tokensDirectory, file)).mode & 0o777).toBe(0o600);
    expect(statSync(tokensDirectory).mode & 0o777).toBe(0o700);
    expect(stored(tokensDirectory)).toContain("access-1");

    await using again = benchOf(server.url, { tokensDirectory });
    expect(textOf(await again.call("echo"))).toBe("{}");
    expect(server.asked.filter((path) => path === "/authorize")).toHaveLength(1);
  });

  test("gets it from another server, which does not receive the headers for this one", async () => {
    await using other = oauthMcpServer();
    const { origin } = new URL(other.url);
    await using server = mcpHttpServer({
      kind: "both",
      intercept: ({ url, headers }) => {
        const { origin: own, pathname } = new URL(url);
        if (pathname !== "/mcp") return Response.json({ resource: `${own}/mcp`, authorization_servers: [origin] });
        if (headers.get("authorization") === "Bearer access-1") return undefined;
        const metadata = `Bearer resource_metadata="${own}/.well-known/oauth-protected-resource/mcp"`;
        return new Response(null, { status: 401, headers: { "www-authenticate": metadata } });
      },
    });
    await using bench = mcpBench(
      { transport: "http", url: server.url, headers: { "X-Api-Key": "a-key" } },
      { onSignIn: (url) => void browse(url) },
    );
    expect(textOf(await bench.call("echo", { a: 1 }))).toBe('{"a":1}');
    expect(new Set(server.requests.map(({ headers }) => headers.get("x-api-key")))).toEqual(new Set(["a-key"]));
    expect(other.asked).toContain("/token");
    expect(new Set(other.requests.map(({ headers }) => headers.get("x-api-key")))).toEqual(new Set([null]));
  });

  test("gets a new token for an old one without anybody's help", async () => {
    await using server = oauthMcpServer();
    using tokens = temporaryDirectory();
    let signIns = 0;
    await using bench = benchOf(server.url, {
      tokensDirectory: tokens.path,
      onSignIn: (url) => {
        signIns += 1;
        void browse(url);
      },
    });
    await bench.call("echo");
    server.expire();
    // A refresh token may be used once.
    await Promise.all([bench.call("echo"), bench.call("echo"), bench.call("echo")]);
    expect(signIns).toBe(1);
    expect(stored(tokens.path)).toContain("access-102");
    server.expire();
    server.revoke();
    await bench.call("echo");
    expect(signIns).toBe(2);
  });

  test("fails with a reason if there is no one to sign in, and is not retried automatically", async () => {
    await using server = oauthMcpServer();
    await using bench = benchOf(server.url, {});
    await bench.connection.connect();
    expect(bench.connection.state).toEqual({ type: "failed", reason: "the server requires a sign-in" });
    expect(server.asked).toEqual([]);
  });

  test("waits for the user without a time-out, while others are used; a forged answer does not count", async () => {
    await using server = oauthMcpServer();
    await using other = mcpHttpServer({ kind: "both" });
    let address = "";
    await using bench = benchOf(server.url, {
      limits: { connect: 1_000 },
      onSignIn: (url) => {
        address = url;
      },
    });
    const connected = bench.connection.connect();
    await eventually(() => expect(address).not.toBe(""));
    await using used = benchOf(other.url, {});
    expect(textOf(await used.call("echo"))).toBe("{}");
    await Bun.sleep(1_200);
    expect(bench.connection.state).toEqual({ type: "connecting" });
    const back = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
    back.search = "?code=forged&state=guessed";
    expect(await browse(back.href)).toContain("No sign-in is waiting for this.");
    await browse(address);
    await connected;
    expect(bench.connection.state).toEqual({ type: "connected" });
  });

  test("fails if the user refuses, and is not retried automatically", async () => {
    await using server = oauthMcpServer();
    await using bench = benchOf(server.url, {
      onSignIn: (url) => {
        const { searchParams } = new URL(url);
        const back = new URL(searchParams.get("redirect_uri") ?? "");
        back.search = `?error=access_denied&state=${searchParams.get("state")}`;
        void browse(back.href);
      },
    });
    await bench.connection.connect();
    expect(bench.connection.state).toEqual({ type: "failed", reason: "the sign-in failed: access_denied" });
  });

  test("is left alone when the connection closes", async () => {
    await using server = oauthMcpServer();
    let address = "";
    await using bench = benchOf(server.url, {
      onSignIn: (url) => {
        address = url;
      },
    });
    const connected = bench.connection.connect();
    await eventually(() => expect(address).not.toBe(""));
    await bench.connection.close();
    await connected;
    const back = new URL(address).searchParams.get("redirect_uri") ?? "";
    await expect(fetch(back)).rejects.toThrow();
  });
});
