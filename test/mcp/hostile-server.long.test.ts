import { describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { hostileServer, mcpBench, textOf } from "../support/mcp-bench.ts";

describe("what a server writes", () => {
  test.each([["banner"], ["garbage"], ["noisy"]])("%s does not keep it from being used", async (way) => {
    await using bench = mcpBench(hostileServer(way));
    await bench.connection.connect();
    expect(bench.connection.state).toEqual({ type: "connected" });
    expect(textOf(await bench.call("echo", { a: "b" }))).toBe('{"a":"b"}');
    expect(bench.warnings).toEqual(
      way === "garbage" ? ["the MCP server tested prints lines that are not messages, such as: hello"] : [],
    );
  });

  test("messages in pieces that cut through characters are whole", async () => {
    await using bench = mcpBench(hostileServer());
    expect(textOf(await bench.call("bits"))).toBe("grüße");
  });

  test("an answer of 10 MB is cut and says so", async () => {
    await using bench = mcpBench(hostileServer());
    const result = textOf(await bench.call("big"));
    expect(result.length).toBeLessThan(1_000_100);
    expect(result.slice(-50)).toEndWith("\n[9,000,000 more characters were left out]");
  });

  test("a line of 40 MB fails its call alone, and is not kept", async () => {
    await using bench = mcpBench(hostileServer());
    await expect(bench.call("huge")).rejects.toThrow("The answer is too long to be read.");
    expect(textOf(await bench.call("echo"))).toBe("{}");
    expect(bench.warnings).toEqual(["the MCP server tested wrote a message that is too long, which was left out"]);
  });

  test("errors of its log are warnings of visible text; the rest of its log is not", async () => {
    await using bench = mcpBench(hostileServer());
    await bench.call("log");
    expect(bench.warnings).toEqual(["the MCP server tested reports: a error\\u{1b}[2J"]);
  });
});

describe("tools", () => {
  test("with broken schemas are usable, schemas and unknown keywords unchanged, and others beside them", async () => {
    await using bench = mcpBench(hostileServer("lies"));
    await bench.connection.connect();
    const tool = (name: string) => bench.connection.tools.find((each) => each.name === name);
    expect(tool("no-schema")?.inputSchema).toEqual({ type: "object" });
    expect(tool("a-text")?.inputSchema).toEqual({ type: "object" });
    expect(tool("a-list")?.inputSchema).toEqual({ type: "object", items: {} });
    expect(tool("odd-parts")).toEqual({
      name: "odd-parts",
      description: "",
      inputSchema: {
        type: "object",
        "x-own": { deep: [1] },
        properties: { p: { type: "string", "x-more": true } },
      },
    });
    expect(tool("bad-output")?.outputSchema).toEqual({
      type: "object",
      properties: { a: { type: "nonsense", pattern: "(" } },
    });
    for (const name of ["bad-output", "other-output", "no-schema"]) {
      expect(textOf(await bench.call(name, { x: 1 }))).toBe('{"x":1}');
    }
    expect(bench.warnings).toContain("the MCP server tested lists a tool without a name, which is left out");
  });

  test.each([
    ["many", 1_000, "lists 50,000 tools at once; the first 1,000 are used"],
    ["large", 19, "lists the tool large, which is too large or too deep, so it is left out"],
  ])("%s of them are bounded, and the others are used", async (way, count, warning) => {
    await using bench = mcpBench(hostileServer(way));
    await bench.connection.connect();
    expect(bench.connection.state).toEqual({ type: "connected" });
    expect(bench.connection.tools).toHaveLength(count);
    expect(bench.connection.tools.map(({ name }) => name)).not.toContain("deep");
    expect(bench.warnings[0]).toBe(`the MCP server tested ${warning}`);
  });

  test("are listed from all pages", async () => {
    await using bench = mcpBench(hostileServer("pages"));
    await bench.connection.connect();
    expect(bench.connection.tools.map(({ name }) => name)).toEqual(["tool-0", "tool-1", "tool-2", "tool-3", "tool-4"]);
  });

  test("of one name are one: the first, with a warning", async () => {
    await using bench = mcpBench(hostileServer("twins"));
    await bench.connection.connect();
    const twins = bench.connection.tools.filter(({ name }) => name === "twin");
    expect(twins).toMatchObject([{ description: "first", outputSchema: { title: "0" } }]);
    await bench.call("storm");
    await eventually(() => (bench.recorded().match(/read .*tools\/list"/g)?.length ?? 0) >= 4);
    expect(bench.warnings).toStrictEqual(["the MCP server tested lists 3 tools named twin; the first is used"]);
  });

  test("are listed again when they changed, once for a storm of notices", async () => {
    let changes = 0;
    await using bench = mcpBench(hostileServer(), {
      onChange: () => {
        changes += 1;
      },
    });
    await bench.call("storm");
    await eventually(() => expect(bench.connection.tools[0]?.name).toBe("after-1"));
    // Connecting, connected, and the lists that changed.
    expect(changes).toBeLessThan(8);
    expect(bench.recorded().match(/read .*tools\/list"/g)?.length).toBeLessThan(6);
  });

  test("with a result of structured content alone give it as text, too", async () => {
    await using bench = mcpBench(hostileServer());
    const result = await bench.call("odd");
    expect(result.structuredContent).toEqual({ a: [1, { b: null }] });
    expect(textOf(result)).toBe('{"a":[1,{"b":null}]}');
  });

  test("with structured content that is nested 100,000 levels deep leave it out, at once", async () => {
    await using bench = mcpBench(hostileServer());
    const result = await bench.call("nested");
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toBe("[Structured content of more than 200 levels was left out]");
  });
});

describe("a call", () => {
  test("of a server that hangs ends after its time, and the server is notified", async () => {
    await using bench = mcpBench(hostileServer(), { limits: { call: 400, end: 300 } });
    await bench.connection.connect();
    await expect(bench.call("hang")).rejects.toThrow("the server did not answer within 0.4 s");
    await eventually(() => expect(bench.recorded()).toContain("notifications/cancelled"));
    expect(textOf(await bench.call("echo"))).toBe("{}");
    expect(bench.connection.state).toEqual({ type: "connected" });
  });

  test("that is aborted rejects, and the server is notified", async () => {
    await using bench = mcpBench(hostileServer());
    await bench.connection.connect();
    const abort = new AbortController();
    const called = bench.connection.call("hang", {}, { signal: abort.signal });
    await eventually(() => expect(bench.recorded()).toContain("called"));
    abort.abort();
    await expect(called).rejects.toThrow("it was aborted");
    await eventually(() => expect(bench.recorded()).toContain("notifications/cancelled"));
  });

  test("that reports progress may take longer than its time, and hands the progress on", async () => {
    await using bench = mcpBench(hostileServer(), { limits: { call: 600, end: 300 } });
    const progress: unknown[] = [];
    const { signal } = new AbortController();
    const result = await bench.connection.call("slow", {}, { signal, onProgress: (each) => progress.push(each) });
    expect(textOf(result)).toBe("done");
    expect(progress).toHaveLength(6);
    expect(progress[0]).toEqual({ progress: 1, total: 6, message: "step 1" });
  });

  test("during which the server ends rejects with its last words, and the next call has a new server", async () => {
    await using bench = mcpBench(hostileServer(), { limits: { backOff: 60_000, end: 300 } });
    await bench.connection.connect();
    await expect(bench.call("crash")).rejects.toThrow();
    await eventually(() => expect(bench.connection.state.type).toBe("failed"));
    expect(bench.connection.state).toEqual({
      type: "failed",
      reason: "the server ended with exit code 7: about to crash\\u{1b}[31m",
      retryAt: expect.any(Number),
    });
    expect(textOf(await bench.call("echo"))).toBe("{}");
    expect(bench.connection.state).toEqual({ type: "connected" });
  });
});

test("a server that floods its client leaves time for everything else", async () => {
  await using bench = mcpBench(hostileServer());
  await bench.call("echo");
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  expect(textOf(await bench.call("flood"))).toBe("flooded");
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});

describe("a connection that failed", () => {
  test("is reopened automatically after a crash", async () => {
    await using bench = mcpBench(hostileServer(), { limits: { backOff: 50, end: 300 } });
    await bench.call("crash").catch(() => {});
    await eventually(() => expect(bench.connection.state.type).toBe("connected"));
    expect(bench.recorded().match(/"initialize"/g)).toHaveLength(2);
  });

  test("is not opened again before its time, unless something is called", async () => {
    await using bench = mcpBench(hostileServer("fails"), { limits: { backOff: 60_000, end: 300 } });
    await bench.connection.connect();
    const { state } = bench.connection;
    expect(state).toMatchObject({ type: "failed", reason: "the server ended with exit code 9: no such configuration" });
    await bench.connection.connect();
    expect(bench.connection.state).toBe(state);
    await expect(bench.call("echo")).rejects.toThrow("the server ended with exit code 9: no such configuration");
  });

  test("gives up after some tries", async () => {
    await using bench = mcpBench(hostileServer("fails"), { limits: { backOff: 1, end: 300 } });
    await bench.connection.connect();
    await eventually(() => bench.connection.state.type === "failed" && !("retryAt" in bench.connection.state));
  });

  test("because its server is mute says so in time, and leaves nothing running", async () => {
    const server = { ...hostileServer("mute", "stubborn", "parent"), connect_timeout: 0.3 };
    await using bench = mcpBench(server, { limits: { end: 100 } });
    await bench.connection.connect();
    expect(bench.connection.state).toMatchObject({
      type: "failed",
      reason: "the server did not connect within 0.3 s; raise connect_timeout to allow more time",
    });
  });
});
