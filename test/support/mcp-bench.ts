import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type McpCallResult, type McpConnection, type McpConnectionOptions, openMcpConnection } from "@mdx-ai/mcp";
import type { McpServerDefinition } from "@mdx-ai/parser";
import { noProcessesOf } from "./remaining-processes.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export interface McpBench extends AsyncDisposable {
  readonly connection: McpConnection;
  /** Empty, absolute; the server's own if it has none. Its processes must end before the test does. */
  readonly folder: string;
  readonly warnings: readonly string[];
  /** What the hostile server noted. */
  recorded(): string;
  call(tool: string, args?: Record<string, string | number>): Promise<McpCallResult>;
}

const HOSTILE = fileURLToPath(new URL("hostile-mcp-server-process.ts", import.meta.url));

/** A server for a test that does what it should not, in these ways. */
export const hostileServer = (...ways: readonly string[]): McpServerDefinition => ({
  transport: "stdio",
  command: process.execPath,
  args: [HOSTILE, ...ways],
  env: { RECORD: "${FOLDER}/record" },
});

/** A connection with a folder of its own. After it nothing of the server may run. */
export function mcpBench(
  server: McpServerDefinition | ((folder: string) => McpServerDefinition),
  options: Partial<McpConnectionOptions> = {},
): McpBench {
  const directory = temporaryDirectory();
  const folder = directory.path;
  const warnings: string[] = [];
  const connection = openMcpConnection({
    name: "tested",
    server: typeof server === "function" ? server(folder) : server,
    baseDir: folder,
    environment: { ...process.env, FOLDER: folder },
    limits: { end: 300 },
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  return {
    connection,
    folder,
    warnings,
    recorded: () => readFileSync(join(folder, "record"), { encoding: "utf8", flag: "a+" }),
    call: (tool, args = {}) => connection.call(tool, args, { signal: new AbortController().signal }),
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await noProcessesOf(folder);
      directory[Symbol.dispose]();
    },
  };
}

/** The texts of a result. */
export const textOf = ({ content }: McpCallResult): string =>
  content.map((part) => (part.type === "text" ? part.text : `<${part.mimeType}>`)).join("\n");
