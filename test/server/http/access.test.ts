import { expect, test } from "bun:test";
import { connect } from "node:net";
import { bodyOf, sentEvents, serveAgent, TOKEN } from "../../support/served-agent.ts";

const OWN = { authorization: `Bearer ${TOKEN}` };

/** The status of a request with exactly these lines, which `fetch` would change. */
function rawStatus(port: number, lines: readonly string[], body = ""): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`));
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("latin1");
      const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
      if (status === undefined) return;
      socket.destroy();
      resolve(Number(status));
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(0));
  });
}

test("a request without the token, or from elsewhere, gets nothing", async () => {
  await using agent = await serveAgent({ origins: ["https://chat.example"], hosts: ["agents.example"] });
  const { port } = agent.server;
  const get = (...headers: readonly string[]): Promise<number> =>
    rawStatus(port, ["GET /api/agents HTTP/1.1", "Connection: close", ...headers]);
  const own = `Authorization: Bearer ${TOKEN}`;
  const here = `Host: 127.0.0.1:${port}`;
  const cases: readonly (readonly [status: number, ...headers: readonly string[]])[] = [
    [200, here, own],
    [200, `Host: localhost:${port}`, own],
    [200, `Host: [::1]:${port}`, own],
    [200, "Host: agents.example", own],
    [200, here, own, `Origin: http://127.0.0.1:${port}`, "Sec-Fetch-Site: same-origin"],
    [200, here, own, "Origin: https://chat.example", "Sec-Fetch-Site: cross-site"],
    [401, here],
    [401, here, "Authorization: Bearer "],
    [401, here, `Authorization: Bearer ${TOKEN}x`],
    [401, here, `Authorization: Bearer ${TOKEN.slice(1)}`],
    [401, here, `Authorization: Basic ${btoa(`x:${TOKEN}`)}`],
    [401, here, `Cookie: token=${TOKEN}`],
    [421, `Host: evil.example:${port}`, own],
    [421, "Host: 127.0.0.1.evil.example", own],
    [421, "Host: 192.168.1.5", own],
    [421, "Host: localhost:80:80", own],
    [403, here, own, "Origin: https://evil.example"],
    [403, here, own, "Origin: null"],
    [403, here, own, `Origin: http://localhost:${port}`],
    [403, here, own, "Origin: https://chat.example.evil.example"],
    [403, here, own, "Sec-Fetch-Site: cross-site"],
    [403, here, own, "Sec-Fetch-Site: same-site"],
  ];
  for (const [status, ...headers] of cases) expect([await get(...headers), ...headers]).toEqual([status, ...headers]);
  expect(await rawStatus(port, [`GET /api/agents?token=${TOKEN} HTTP/1.1`, here, "Connection: close"])).toBe(401);
  // Nobody without a token learns which paths exist.
  for (const path of ["/api/agents/none", "/api/agents/agent/sessions/none", "/none", "/openapi.json"]) {
    expect((await fetch(`${agent.server.url}${path}`)).status).toBe(401);
  }
});

test("a link of another page leads to the page, and nothing else of another page does", async () => {
  await using agent = await serveAgent();
  const { port } = agent.server;
  const link = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"];
  const cases: readonly (readonly [status: number, request: string, ...headers: readonly string[]])[] = [
    [200, "GET /", ...link],
    [403, "GET /", ...link, "Origin: https://evil.example"],
    [403, "GET /", ...link, "Origin: null"],
    [403, "POST /", ...link],
    [403, "GET /api/agents", ...link, `Authorization: Bearer ${TOKEN}`],
    [403, "GET /healthz", ...link],
    [403, "GET /", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"],
    [403, "GET /", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"],
    [403, "GET /", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"],
  ];
  for (const [status, request, ...headers] of cases) {
    const lines = [
      `${request} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      "Connection: close",
      "Content-Length: 0",
      ...headers,
    ];
    expect([await rawStatus(port, lines), request, ...headers]).toEqual([status, request, ...headers]);
  }
  const page = await fetch(`${agent.server.url}/`);
  expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
});

test("a page of a named origin may ask first, and others may not", async () => {
  await using agent = await serveAgent({ origins: ["https://chat.example"] });
  const ask = (origin: string): Promise<Response> =>
    fetch(`${agent.server.url}/api/agents`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization" },
    });
  const allowed = await ask("https://chat.example");
  expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([204, "https://chat.example"]);
  expect(allowed.headers.get("access-control-allow-credentials")).toBeNull();
  const refused = await ask("https://evil.example");
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, null]);
});

test("a form of another page, or any body that is not JSON, does nothing", async () => {
  await using agent = await serveAgent();
  const url = `${agent.server.url}/api/agents/agent/sessions`;
  for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""]) {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...OWN, "content-type": type },
      body: '{"id":"x"}',
    });
    expect([type, response.status]).toEqual([type, 415]);
  }
  const wrong = await agent.send("POST", "sessions", '{"id":');
  expect([wrong.status, (await bodyOf(wrong)).code]).toEqual([400, "no_json"]);
  expect((await agent.json("GET", "sessions")).sessions).toEqual([]);
});

test("ids that name no session are unknown, and make nothing", async () => {
  await using agent = await serveAgent();
  const ids = [
    "none",
    "..",
    "%2e%2e",
    "..%2f..%2fetc",
    "%00",
    "a%2fb",
    ".ids",
    "con",
    "x".repeat(300),
    "%zz",
    "a%0d%0ab",
  ];
  for (const id of ids) {
    for (const [method, path, body] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/events"],
      ["GET", "/messages"],
      ["GET", "/trace"],
      ["GET", "/export"],
      ["GET", "/questions"],
      ["POST", "/prompts", { text: "x" }],
      ["POST", "/steer", { text: "x" }],
      ["POST", "/cancel", {}],
      ["POST", "/resume", {}],
      ["POST", "/fork", {}],
      ["POST", "/rewind", { prompt: 1 }],
      ["POST", "/compact", {}],
      ["POST", "/clear", {}],
      ["POST", "/questions/1.1.1", { answer: "yes" }],
      ["PATCH", "", { title: "x" }],
    ] as const) {
      const response = await agent.send(method, `sessions/${id}${path}`, body);
      // `..` leaves the path before it is sent.
      const isOther = [404, 405].includes(response.status);
      expect(`${method} ${id}${path}: ${isOther}`).toBe(`${method} ${id}${path}: true`);
    }
  }
  expect((await agent.json("GET", "sessions")).sessions).toEqual([]);
  expect([...new Bun.Glob("sessions/*").scanSync({ cwd: agent.directory, onlyFiles: false })]).toEqual([]);
  expect((await agent.send("GET", "/api/agents/other/sessions")).status).toBe(404);
});

test("a body without end and a large one are refused, and the server goes on", async () => {
  await using agent = await serveAgent();
  const { port } = agent.server;
  const head = [
    "POST /api/agents/agent/sessions HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${TOKEN}`,
  ];
  const typed = [...head, "Content-Type: application/json"];
  expect(await rawStatus(port, [...typed, "Content-Length: 99999999999"])).toBe(413);
  expect(await rawStatus(port, [...typed, "Content-Length: 2000000"])).toBe(413);
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  expect(await rawStatus(port, [...typed, "Transfer-Encoding: chunked"], chunk.repeat(20))).toBe(413);
  expect((await agent.send("GET", "sessions")).status).toBe(200);
});

test("problems are described as RFC 9457 says, and answers cannot be cached, framed or sniffed", async () => {
  await using agent = await serveAgent();
  const response = await agent.send("GET", "sessions/none");
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.json()).toEqual({
    ...{ type: "about:blank", title: "Not Found", status: 404, code: "unknown_session" },
    detail: 'there is no session "none"; mdx-ai sessions DIR lists the existing ones',
  });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  });
  const wrong = await agent.json("POST", "sessions", { name: "x", title: 3 });
  expect(wrong).toMatchObject({ status: 422, code: "wrong_body" });
  expect(wrong.errors).toHaveLength(2);
  expect(await agent.json("PUT", "sessions", {})).toMatchObject({ status: 405, code: "wrong_method" });
});

test("each user has separate sessions, by a token or by the header of a proxy", async () => {
  const users = [
    { name: "ann", token: "the-token-of-ann-" },
    { name: "bob", token: "the-token-of-bob-" },
  ];
  await using byToken = await serveAgent({ access: { type: "users", users } });
  await byToken.opening;
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  await byToken.send("POST", "sessions", { id: "diary" }, as("the-token-of-ann-"));
  expect((await byToken.send("GET", "sessions/diary", undefined, as("the-token-of-ann-"))).status).toBe(200);
  expect((await byToken.send("GET", "sessions/diary", undefined, as("the-token-of-bob-"))).status).toBe(404);
  expect((await byToken.send("GET", "sessions", undefined)).status).toBe(401);

  await using byHeader = await serveAgent({ access: { type: "header", token: TOKEN, header: "x-user" } });
  await byHeader.send("POST", "sessions", { id: "diary" }, { "x-user": "ann" });
  expect((await byHeader.json("GET", "sessions", undefined, { "x-user": "ann" })).sessions).toHaveLength(1);
  expect((await byHeader.json("GET", "sessions", undefined, { "x-user": "bob" })).sessions).toEqual([]);
  expect((await byHeader.send("GET", "sessions", undefined)).status).toBe(401);
  for (const user of ["../ann", "a/b", ".", "con"]) {
    expect((await byHeader.send("GET", "sessions", undefined, { "x-user": user })).status).toBe(401);
  }
});

test("what one user always allows is asked of another one", async () => {
  const call = { calls: [{ id: "c1", name: "bash", arguments: { command: "touch made" } }] };
  const replies = [call, { text: "one" }, call, { text: "two" }];
  await using agent = await serveAgent({ access: { type: "header", token: TOKEN, header: "x-user" }, replies });
  /** The events of a prompt, which a user always allows what it asks. */
  const prompt = async (user: string): Promise<readonly string[]> => {
    const as = { "x-user": user };
    const { id } = await agent.json("POST", "sessions", {}, as);
    await agent.send("POST", `sessions/${id}/prompts`, { text: "go" }, as);
    const types: string[] = [];
    const events = await agent.send("GET", `sessions/${id}/events`, undefined, { ...as, accept: "text/event-stream" });
    for await (const { data } of sentEvents(events)) {
      types.push(data.type);
      if (data.type === "question_answered") expect(data.answer).toMatchObject({ by: "server", user });
      if (data.type === "question_asked") {
        await agent.send("POST", `sessions/${id}/questions/${data.question.id}`, { answer: "always" }, as);
      }
      if (data.type === "agent_end") return types;
    }
    throw new Error("the prompt did not end");
  };
  expect(await prompt("ann")).toContain("question_asked");
  expect(await prompt("ann")).not.toContain("question_asked");
  expect(await prompt("bob")).toContain("question_asked");
});
