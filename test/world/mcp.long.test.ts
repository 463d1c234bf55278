import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { McpCallResult } from "@mdx-ai/mcp";
import type { McpServerDefinition } from "@mdx-ai/parser";
import { mcpBench, textOf } from "../support/mcp-bench.ts";
import { oddMcpServer } from "./odd-mcp-server.ts";
import { httpOddities, type McpOddity, mcpOddities, stdioOddities } from "./oddities/mcp.ts";

const PROCESS = fileURLToPath(new URL("scripted-mcp-process.ts", import.meta.url));

/** Longer than anything may take: a message that cannot be read fails at once, and not by a limit of time. */
const AT_ONCE = 10_000;

const called = (call: Promise<McpCallResult>): Promise<string> =>
  call.then(
    (result) => `${result.isError ? "error: " : ""}${textOf(result)}`,
    (error: unknown) => `error: ${error instanceof Error ? error.message : error}`,
  );

const ERROR = "error: ";

/** Whether a result has the words that are expected, and is an error if they are. */
const isMeant = (result: string, expected: string): boolean =>
  result.startsWith(ERROR) === expected.startsWith(ERROR) && result.includes(expected.replace(ERROR, ""));

/** What came of a row, of the fields that it expects. */
async function judged({ expected }: McpOddity, server: McpServerDefinition): Promise<object> {
  await using bench = mcpBench(server);
  const { connection, warnings } = bench;
  const start = performance.now();
  await connection.connect();
  const { state } = connection;
  const reason = state.type === "failed" ? state.reason : "";
  const names = async (list: Promise<readonly { readonly name: string }[]>): Promise<string[]> =>
    (await list).map(({ name }) => name);
  const result = connection.tools.length > 0 ? await called(bench.call("echo", { a: 1 })) : "not connected";
  const got: Required<McpOddity["expected"]> = {
    tools: connection.tools.map(({ name }) => name),
    called: isMeant(result, expected.called ?? "") ? (expected.called ?? "") : result,
    resources: expected.resources === undefined ? [] : await names(connection.resources()),
    prompts: expected.prompts === undefined ? [] : await names(connection.prompts()),
    warns: (expected.warns ?? []).filter((text) => warnings.some((warning) => warning.includes(text))),
    fails: (expected.fails ?? []).filter((text) => reason.includes(text)),
  };
  const slow = performance.now() - start > AT_ONCE ? { milliseconds: performance.now() - start } : {};
  const why = reason === "" || expected.fails?.length === got.fails.length ? {} : { reason };
  return { ...Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(got, key)])), ...slow, ...why };
}

const titled = (rows: readonly McpOddity[]): [string, McpOddity][] =>
  rows.map((row) => [`${row.name} (${row.seen})`, row]);

describe.concurrent("over stdio", () => {
  test.each(titled([...mcpOddities, ...stdioOddities]))("%s", async (_name, row) => {
    const args = [PROCESS, JSON.stringify(row.script), row.banner ?? ""];
    expect(await judged(row, { transport: "stdio", command: process.execPath, args })).toEqual(row.expected);
  });
});

describe.concurrent("over HTTP", () => {
  test.each(titled([...mcpOddities, ...httpOddities]))("%s", async (_name, row) => {
    using server = oddMcpServer(row.script, row.http);
    expect(await judged(row, { transport: "http", url: server.url })).toEqual(row.expected);
  });
});
