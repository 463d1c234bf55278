import { describe, expect, test } from "bun:test";
import { keyedRequest } from "./request-head.ts";

const change = {
  ...{ authority: "api.example.com", header: "Authorization", value: "Bearer KEY" },
  isHost: (text: string) => text === "api.example.com",
};

const of = (...lines: readonly string[]) => keyedRequest(lines.join("\r\n"), change);

test("the key replaces the header of its name, and headers of the connection are the proxy's", () => {
  const request = of(
    "POST /a?b=mdx-ai-credential-EXAMPLE_KEY HTTP/1.1",
    "host: api.example.com",
    "AUTHORIZATION: Bearer mdx-ai-credential-EXAMPLE_KEY",
    "authorization: other",
    "X-Trace: a  b\t",
    "Connection: keep-alive, Authorization",
    "Proxy-Authorization: Basic x",
    "Accept-Encoding: gzip",
    "Upgrade: h2c",
    "Transfer-Encoding: chunked",
  );
  expect(request).toEqual({
    method: "POST",
    head: [
      "POST /a?b=mdx-ai-credential-EXAMPLE_KEY HTTP/1.1",
      "Host: api.example.com",
      "Connection: close",
      "Accept-Encoding: identity",
      "Authorization: Bearer KEY",
      "X-Trace: a  b\t",
      "Transfer-Encoding: chunked",
      "",
      "",
    ].join("\r\n"),
  });
});

test("a WebSocket is upgraded, without a compression of its messages", () => {
  const request = of("GET / HTTP/1.1", "Upgrade: websocket", "Sec-WebSocket-Extensions: permessage-deflate");
  expect(request).toEqual({
    method: "GET",
    head: "GET / HTTP/1.1\r\nHost: api.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAccept-Encoding: identity\r\nAuthorization: Bearer KEY\r\n\r\n",
  });
});

describe("a request that two servers may read differently gets no key", () => {
  test.each<[string, string, readonly string[]]>([
    ["another host", "421", ["GET / HTTP/1.1", "Host: evil.example"]],
    ["two hosts", "421", ["GET / HTTP/1.1", "Host: api.example.com", "Host: evil.example"]],
    ["a URL as its target", "400", ["GET https://evil.example/ HTTP/1.1"]],
    ["a target with a blank", "400", ["GET / HTTP/1.1 HTTP/1.1"]],
    ["a connection as its target", "400", ["CONNECT evil.example:443 HTTP/1.1"]],
    ["HTTP/2", "400", ["PRI * HTTP/2.0"]],
    ["HTTP/0.9", "400", ["GET /"]],
    ["two lengths", "400", ["POST / HTTP/1.1", "Content-Length: 1", "Content-Length: 2"]],
    ["a length and chunks", "400", ["POST / HTTP/1.1", "Content-Length: 1", "Transfer-Encoding: chunked"]],
    ["a length that is no number", "400", ["POST / HTTP/1.1", "Content-Length: +1"]],
    ["another encoding", "400", ["POST / HTTP/1.1", "Transfer-Encoding: xchunked"]],
    ["a header with a blank before the colon", "400", ["GET / HTTP/1.1", "Content-Length : 1"]],
    ["a folded header", "400", ["GET / HTTP/1.1", "X-A: 1", " Content-Length: 1"]],
    ["a lone line feed", "400", ["GET / HTTP/1.1", "X-A: 1\nAuthorization: x"]],
    ["a lone carriage return", "400", ["GET / HTTP/1.1", "X-A: 1\rAuthorization: x"]],
    ["a null character", "400", ["GET / HTTP/1.1", "X-A: \0"]],
    ["a header without a colon", "400", ["GET / HTTP/1.1", "Authorization"]],
  ])("%s", (_what, status, lines) => {
    const request = of(...lines);
    expect("refusal" in request && request.status.slice(0, 3)).toBe(status);
  });
});

test("a header that servers may read as that of the key is replaced, too", () => {
  const request = keyedRequest("GET / HTTP/1.1\r\nX_Api_Key: own", { ...change, header: "X-Api-Key", value: "KEY" });
  expect("head" in request && request.head).not.toContain("own");
});
