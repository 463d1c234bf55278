import { expect } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchSource, type Origin, parseSource } from "@mdx-ai/directory/sources";
import { temporaryDirectory } from "./temporary-directory.ts";

/** The shortest agent.mdx of a stranger. */
export const STRANGER = "# Agent: Stranger\n";

const signal = new AbortController().signal;

/** A user who fetches agents of strangers. */
export interface Victim extends Disposable {
  /** The user's home, in which everything is. Absolute. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A program that makes a file at `trace`. Absolute. */
  readonly program: string;
  readonly trace: string;
  /** Every path in the home. */
  everything(): readonly string[];
  /** Fetches into a folder of the home; returns the message of the failure, or the paths in the fetched agent. */
  fetchFrom(text: string, pinned?: Origin): Promise<string | readonly string[]>;
}

/** A new user with an empty home. */
export function victim(): Victim {
  const folder = temporaryDirectory();
  const home = folder.path;
  const trace = join(home, "it-ran");
  const program = join(home, "evil.sh");
  writeFileSync(program, `#!/bin/sh\ntouch ${trace}\ncat\n`, { mode: 0o755 });
  const environment = { PATH: process.env["PATH"], HOME: home, TMPDIR: process.env["TMPDIR"] };
  const everything = (): readonly string[] => readdirSync(home, { recursive: true, encoding: "utf8" }).sort();
  const fetchFrom = async (text: string, pinned?: Origin): Promise<string | readonly string[]> => {
    const into = join(home, "agents", "added");
    try {
      await fetchSource(parseSource(text, home), { into, environment, signal, ...(pinned && { pinned }) });
      return readdirSync(into, { recursive: true, encoding: "utf8" }).sort();
    } catch (error) {
      expect(error).toMatchObject({ name: "DirectoryError", problem: "source" });
      return error instanceof Error ? error.message : "";
    }
  };
  return {
    ...{ home, trace, program, environment, everything, fetchFrom },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
