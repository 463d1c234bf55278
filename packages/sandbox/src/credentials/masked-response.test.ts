import { describe, expect, test } from "bun:test";
import { KeyMask } from "./key-mask.ts";
import { maskedResponse } from "./masked-response.ts";

/** The answer that a client gets, when the server's arrives in pieces of this size. */
async function passed(answer: string, { method = "GET", size = 3 } = {}): Promise<string> {
  const bytes = Buffer.from(answer);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  const parts: Buffer[] = [];
  for await (const part of maskedResponse(pieces(), method, new KeyMask(["SECRET"]))) parts.push(part);
  return Buffer.concat(parts).toString();
}

const head = (...lines: readonly string[]): string => [...lines, "", ""].join("\r\n");

/** An answer, and what becomes of it. */
const ANSWERS: readonly (readonly [what: string, answer: string, passed: string])[] = [
  [
    "with a length",
    `${head("HTTP/1.1 200 OK", "X-Key: a SECRET", "Content-Length: 8", "Connection: keep-alive")}.SECRET.next`,
    `${head("HTTP/1.1 200 OK", "X-Key: a ******", "Content-Length: 8", "Connection: close")}.******.`,
  ],
  [
    "until the end",
    `${head("HTTP/1.0 200 OK")}SECRETSECRE`,
    `${head("HTTP/1.0 200 OK", "Connection: close")}******SECRE`,
  ],
  [
    "after early hints",
    head("HTTP/1.1 103 Early Hints", "Link: SECRET") + head("HTTP/1.1 204 No Content"),
    head("HTTP/1.1 103 Early Hints", "Link: ******") + head("HTTP/1.1 204 No Content", "Connection: close"),
  ],
  [
    "as a WebSocket",
    `${head("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket")}\x81\x06SECRET`,
    `${head("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade")}\x81\x06******`,
  ],
];

describe("an answer", () => {
  test.each(ANSWERS)("%s is passed on without the key", async (_what, answer, expected) => {
    for (const size of [1, 5, 1000]) expect(await passed(answer, { size })).toBe(expected);
  });

  test("in chunks is passed on without a key that spans them", async () => {
    const answer = head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked");
    const said = await passed(`${answer}4\r\naSEC\r\n4;x=y\r\nRETb\r\n0\r\nTrailer: SECRET\r\n\r\n`, { size: 2 });
    const [first = "", ...rest] = said.split("\r\n\r\n");
    expect(first).toBe("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close");
    const chunks = rest.join("\r\n\r\n").split("\r\n");
    expect(chunks.filter((_, index) => index % 2 === 1).join("")).toBe("a******b");
    expect(chunks.slice(-3)).toStrictEqual(["0", "", ""]);
  });

  test("to HEAD has no body, whatever its length", async () => {
    const answer = head("HTTP/1.1 200 OK", "Content-Length: 8", "Content-Encoding: gzip");
    expect(await passed(answer, { method: "HEAD" })).toContain("Content-Length: 8");
  });

  test.each([
    ["compressed", head("HTTP/1.1 200 OK", "Content-Encoding: gzip"), "it is compressed (gzip)"],
    [
      "encoded twice",
      head("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked"),
      "its transfer encoding is gzip, chunked",
    ],
    [
      "compressed, which a second header hides",
      head("HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Encoding: identity"),
      "it is compressed (gzip, identity)",
    ],
    ["in another protocol", head("SSH-2.0-x"), "it is not HTTP/1.1"],
  ])("%s is not passed on", async (_what, answer, problem) => {
    expect(passed(answer)).rejects.toThrow(problem);
  });

  test.each([
    ["within its head", "HTTP/1.1 200"],
    ["within its body", `${head("HTTP/1.1 200 OK", "Content-Length: 8")}abc`],
    ["within a chunk", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}4\r\nab`],
  ])("that ends %s does not look complete", async (_where, answer) => {
    expect(passed(answer)).rejects.toThrow("the connection ended");
  });
});
