import { existsSync, readFileSync } from "node:fs";
import { methods } from "@agentclientprotocol/sdk";
import { writeText } from "./agent-files.ts";
import type { Reply } from "./replies.ts";

/** The methods of a client for its files and terminals. */
export const fs: typeof methods.client.fs = methods.client.fs;
export const terminal: typeof methods.client.terminal = methods.client.terminal;

/** A reply that calls one tool. */
export const call = (id: string, name: string, args: Readonly<Record<string, string | object>>): Reply => ({
  calls: [{ id, name, arguments: JSON.parse(JSON.stringify(args)) }],
});

/** The capabilities of a client that reads and writes files. */
export const FILES: { readonly fs: { readTextFile: boolean; writeTextFile: boolean } } = {
  fs: { readTextFile: true, writeTextFile: true },
};

export interface Buffers {
  readonly open: Map<string, string>;
  readTextFile(path: string): string | undefined;
  writeTextFile(path: string, content: string): void;
}

/** An editor whose buffers are a map, saved to disk as they are written. */
export function buffers(texts: Readonly<Record<string, string>>): Buffers {
  const open = new Map(Object.entries(texts));
  return {
    open,
    readTextFile: (path: string) => open.get(path) ?? (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    writeTextFile: (path: string, content: string) => {
      open.set(path, content);
      writeText(path, content);
    },
  };
}
