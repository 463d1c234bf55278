import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { filesToRead } from "./scenarios.ts";

const ROOT = join(import.meta.dir, "..");
export const PROMPT = "Please go through the notes one by one, then say done.";

const AGENT = `---
name: Bench
permissions:
  bash: allow
---

# Agent: Bench

## Purpose

Answer briefly.
`;

/** A program under measurement. */
export interface Contestant {
  readonly name: string;
  readonly command: readonly string[];
  /** Its working folder, with the files to read. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Its tool that reads a file, if it is not `read_file` with `path`. */
  readonly readTool?: ReadTool;
  /** Deletes the data of earlier runs, so that nothing is resumed. */
  forget(): Promise<void>;
}

/** A tool that reads a file, and its parameter for the path. */
export interface ReadTool {
  readonly name: string;
  readonly parameter: string;
}

export interface ContestantOptions {
  readonly workshop: string;
  readonly modelUrl: string;
  /** Keeps the folders of different uses apart. */
  readonly place: "fresh" | "resumed" | "sandboxed" | "bare" | "compared";
}

/** The bare loop, run by this Bun from its source. */
export async function floor(options: ContestantOptions): Promise<Contestant> {
  const { folder, environment } = await prepare("floor", options);
  const session = join(folder, "session.jsonl");
  return {
    name: "floor",
    command: [process.execPath, join(ROOT, "bench/floor.ts"), PROMPT],
    folder,
    environment: { ...environment, SESSION_FILE: session },
    forget: () => rm(session, { force: true }),
  };
}

/** The executable of `npm run build`. */
export async function mdxAi(options: ContestantOptions): Promise<Contestant> {
  const { folder, environment } = await prepare("mdx-ai", options);
  await Bun.write(join(folder, "agent.mdx"), AGENT);
  const isBare = options.place === "bare";
  const sandbox = {
    ...{ sandboxed: ["--sandbox", "required"], bare: ["--sandbox", "off"], fresh: [], resumed: [], compared: [] },
  };
  const model = ["--model", "anthropic/claude-sonnet-4-5"];
  const flags = ["--trust", "--max-turns", "1000", ...model, ...sandbox[options.place]];
  return {
    name: isBare ? "mdx-ai without a sandbox" : "mdx-ai",
    command: [join(ROOT, "dist/mdx-ai"), "agent", folder, ...flags, "--prompt", PROMPT],
    folder,
    environment,
    forget: () => rm(join(folder, "sessions"), { recursive: true, force: true }),
  };
}

type Place = Pick<Contestant, "folder" | "environment">;

/** A clean environment that only uses loopback. */
export async function prepare(name: string, { workshop, modelUrl, place }: ContestantOptions): Promise<Place> {
  const folder = join(workshop, `${name}-${place}`, "project");
  const home = join(workshop, `${name}-${place}`, "home");
  await mkdir(home, { recursive: true });
  for (const [path, text] of filesToRead()) await Bun.write(join(folder, path), text);
  const environment = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    LANG: "C.UTF-8",
    ANTHROPIC_API_KEY: "not-a-key",
    ANTHROPIC_BASE_URL: modelUrl,
  };
  return { folder, environment };
}
