import { constants } from "node:os";
import { isAbsolute } from "node:path";
import type { Environment } from "@mdx-ai/base";
import { findProgram } from "@mdx-ai/base/disk";
import { httpRequest } from "./http-request.ts";

/** Git ended with an error; the message is the first line of its errors. */
export class GitError extends Error {
  override readonly name = "GitError";
}

export interface GitOptions {
  /** The repository. Absolute. */
  readonly folder: string;
  /** The address to fetch from, or its absolute path. */
  readonly url: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Settings that no file can change. A repository has no hooks and no settings of its own, since it is made empty. */
const SETTINGS: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.bigFileThreshold=16m",
  "http.followRedirects=false",
  "fetch.recurseSubmodules=false",
  "fetch.writeCommitGraph=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "http.lowSpeedLimit=1000",
  "http.lowSpeedTime=60",
  "pack.threads=1",
];

/** The protocols for an address. Others run programs that an address names, and no server may lead to a weaker one. */
function protocols(url: string): readonly string[] {
  const more = isAbsolute(url) ? ["file"] : url.startsWith("http:") ? ["http"] : [];
  return ["protocol.allow=never", ...["https", "ssh", ...more].map((name) => `protocol.${name}.allow=always`)];
}

/** Of what git downloads of one commit. */
const MAX_MEGABYTES = 512;
/** What a shell takes as a block. */
const BLOCKS_PER_MEGABYTE = 2048;
/** Of a processor, for one command. */
const MAX_SECONDS = 300;

/** Git on one repository that contains nothing but what was fetched. */
export class Git {
  readonly #options: GitOptions;
  #url: string;

  constructor(options: GitOptions) {
    this.#options = options;
    this.#url = options.url;
  }

  /** Fetches one commit without its history, and returns its full name. Rejects with `GitError`, or as `httpRequest` does. */
  async fetch(ref: string): Promise<string> {
    try {
      await this.#fetchFrom(this.#url, ref);
    } catch (error) {
      if (!(error instanceof GitError && REDIRECTED.test(error.message))) throw error;
      this.#url = await redirected(this.#url, this.#options.signal);
      await this.#fetchFrom(this.#url, ref);
    }
    return (await this.run(["rev-parse", "--verify", "--end-of-options", "FETCH_HEAD^{commit}"])).trim();
  }

  async #fetchFrom(url: string, ref: string): Promise<void> {
    await this.run(["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url, ref]);
  }

  /** The content of each object, in order. Rejects with `GitError`. */
  async contents(objects: readonly string[]): Promise<readonly Uint8Array[]> {
    if (objects.length === 0) return [];
    const output = await this.#output(["cat-file", "--batch", "--buffer"], `${objects.join("\n")}\n`);
    const contents: Uint8Array[] = [];
    for (let offset = 0; offset < output.length; ) {
      const end = output.indexOf(10, offset);
      const [, type, size = ""] = output.subarray(offset, end).toString("latin1").split(" ");
      if (type !== "blob") throw new GitError("an object is missing");
      contents.push(output.subarray(end + 1, end + 1 + Number(size)));
      offset = end + 1 + Number(size) + 1;
    }
    return contents;
  }

  /** The parts of the output that end with a zero byte. Rejects with `GitError`, also if there are more than `most`. */
  async lines(args: readonly string[], most: number): Promise<readonly string[]> {
    const child = this.#start(args, undefined);
    const lines: string[] = [];
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of child.stdout) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\0");
      rest = parts.pop() ?? "";
      for (const part of parts) lines.push(part);
      if (lines.length <= most) continue;
      child.kill();
      throw new GitError(`the repository has more than ${most} files`);
    }
    await this.#ended(child);
    return lines;
  }

  /** The output as text. Rejects with `GitError`. */
  async run(args: readonly string[]): Promise<string> {
    return (await this.#output(args)).toString();
  }

  async #output(args: readonly string[], input?: string): Promise<Buffer> {
    const child = this.#start(args, input);
    const output = await new Response(child.stdout).arrayBuffer();
    await this.#ended(child);
    return Buffer.from(output);
  }

  #start(args: readonly string[], input: string | undefined): Started {
    const { folder, environment, signal } = this.#options;
    signal.throwIfAborted();
    const program = findProgram("git", { environment, outside: [] });
    if (program === undefined) throw new GitError("git is not installed");
    const flags = [...SETTINGS, ...protocols(this.#url)].flatMap((setting) => ["-c", setting]);
    // The shell limits files and time: git has no limit for what it downloads and unpacks.
    const limited = `ulimit -f ${MAX_MEGABYTES * BLOCKS_PER_MEGABYTE} && ulimit -t ${MAX_SECONDS} && exec "$0" "$@"`;
    const child = Bun.spawn(["/bin/sh", "-c", limited, program, ...flags, ...args], {
      cwd: "/",
      env: { ...gitEnvironment(environment), GIT_DIR: folder },
      stdin: input === undefined ? "ignore" : new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe",
      signal,
    });
    // Read at once: a full pipe would stop git.
    return {
      stdout: child.stdout,
      exited: child.exited,
      errors: startOf(child.stderr),
      kill: () => child.kill("SIGKILL"),
    };
  }

  async #ended(child: Started): Promise<void> {
    const [code, errors] = await Promise.all([child.exited, child.errors]);
    this.#options.signal.throwIfAborted();
    if (code === 0) return;
    throw new GitError(limitText(code, errors) ?? errorLine(errors) ?? `git ended with ${code}`);
  }
}

/** What git says of a server that redirects. */
const REDIRECTED = /returned error: 30[12378]\b/;

/** What git asks a server for first. */
const FIRST_REQUEST = "/info/refs?service=git-upload-pack";
const MAX_REFERENCES = 64 * 1024 * 1024;

/** The address to which a server redirects; git itself would follow it to any host. Rejects as `httpRequest` does. */
async function redirected(url: string, signal: AbortSignal): Promise<string> {
  const first = new URL(`${url.replace(/\/$/, "")}${FIRST_REQUEST}`);
  const { href } = (await httpRequest({ url: first, signal, maxBytes: MAX_REFERENCES })).url;
  if (href.endsWith(FIRST_REQUEST)) return href.slice(0, -FIRST_REQUEST.length);
  throw new GitError("its server redirects to what is no repository");
}

interface Started {
  readonly stdout: ReadableStream<Uint8Array>;
  readonly exited: Promise<number>;
  /** The start of its error messages. */
  readonly errors: Promise<string>;
  kill(): void;
}

/** The start of a text, which is read to its end. */
async function startOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) if (text.length < 10_000) text += Buffer.from(chunk).toString();
  return text;
}

/** Which limit was reached, by git or by a program that it started. */
function limitText(code: number, errors: string): string | undefined {
  const signal = Number(/died of signal (\d+)/.exec(errors)?.[1] ?? code - 128);
  if (signal === constants.signals.SIGXFSZ) return `it is larger than ${MAX_MEGABYTES} MB`;
  return signal === constants.signals.SIGXCPU ? `it takes more than ${MAX_SECONDS} seconds` : undefined;
}

/** What git says; else the first line of all, which may be of the server. */
const errorLine = (text: string): string | undefined =>
  /^(?:fatal|error): (.+)$/m.exec(text)?.[1] ?? (text.trim().split("\n", 1).join("") || undefined);

/** Variables of git that say how it reaches servers; the others say which repository and settings it uses. */
const KEPT: ReadonlySet<string> = new Set(
  "GIT_SSH GIT_SSH_COMMAND GIT_SSH_VARIANT GIT_ASKPASS GIT_PROXY_COMMAND GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM GIT_SSL_NO_VERIFY GIT_SSL_CAINFO GIT_SSL_CAPATH GIT_SSL_CERT GIT_SSL_KEY".split(
    " ",
  ),
);

/** Settings in the environment, often the credentials of a job. Those on the command line win. */
const SETTING = /^GIT_CONFIG_(?:COUNT|(?:KEY|VALUE)_\d+)$/;

function gitEnvironment(environment: Environment): Record<string, string> {
  const kept = Object.entries(environment).flatMap(([name, value]): readonly (readonly [string, string])[] =>
    value !== undefined && (!name.startsWith("GIT_") || KEPT.has(name) || SETTING.test(name)) ? [[name, value]] : [],
  );
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_ATTR_NOSYSTEM: "1",
    LC_ALL: "C",
  };
}
