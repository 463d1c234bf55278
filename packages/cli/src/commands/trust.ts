import { resolve } from "node:path";
import { visibleText } from "@mdx-ai/base";
import { isAgentDirectory } from "@mdx-ai/base/disk";
import {
  contentsLines,
  isAgentFile,
  keepRepositoryTrust,
  type RepositoryParts,
  readRepositoryParts,
  type TrustRecord,
  trustDirectory,
  trustedDirectories,
  withdrawTrust,
} from "@mdx-ai/directory";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";

/** `mdx-ai trust`: adds a directory to the user's list of trusted directories, removes it, or shows the list. */
export async function runTrust(args: ParsedArguments, context: CommandContext): Promise<number> {
  const wanted = readWanted(args, context);
  context.stdout.write(await ACTIONS[wanted.action](wanted, context));
  return EXIT_CODE.done;
}

interface Wanted {
  readonly action: "list" | "remove" | "add";
  /** Absolute. */
  readonly path: string;
  readonly withEdits: boolean;
  readonly isJson: boolean;
}

function readWanted(args: ParsedArguments, context: CommandContext): Wanted {
  const chosen = ["list", "remove", "edits"].filter((name) => args.switches.has(name));
  if (chosen.length > 1) throw new UsageError(`--${chosen[0]} and --${chosen[1]} exclude each other`);
  const action = chosen[0] === "list" || chosen[0] === "remove" ? chosen[0] : "add";
  const path = resolve(context.currentDirectory, args.positionals[0] ?? ".");
  return { action, path, withEdits: chosen[0] === "edits", isJson: args.switches.has("json") };
}

/** Each returns the text for standard output. */
const ACTIONS: Readonly<
  Record<Wanted["action"], (wanted: Wanted, context: CommandContext) => string | Promise<string>>
> = { list, remove, add };

function list({ isJson }: Wanted, context: CommandContext): string {
  const trusted = [...trustedDirectories(context)];
  if (isJson) {
    const records = trusted.map(([path, record]) => ({ path, ...record }));
    return `${jsonText(records, 2)}\n`;
  }
  if (trusted.length === 0) context.stderr.write("No directory is trusted.\n");
  return trusted.map(([path, record]) => `${plainLine(path)}  ${recordText(record)}\n`).join("");
}

function recordText({ since, hash, edits }: TrustRecord): string {
  return `since ${plainLine(since)}${edits ? ", with its edits" : `  sha256 ${plainLine(hash).slice(0, 12)}`}`;
}

async function add({ path, withEdits, isJson }: Wanted, context: CommandContext): Promise<string> {
  if (!isAgentFile(path, context) && !isAgentDirectory(path)) {
    const parts = await readRepositoryParts(path, context);
    if (parts !== undefined) return addRepository(parts, isJson, context);
  }
  const {
    path: real,
    record,
    manifest,
  } = await trustDirectory(path, { edits: withEdits ? "required" : "no" }, context);
  if (isJson) return `${jsonText({ path: real, ...record }, 2)}\n`;
  const lines = contentsLines(manifest).map((line) => `  ${line}\n`);
  return `${headLine(real, record)}\n${lines.join("")}`;
}

/** Agrees to what a repository holds for agents. */
async function addRepository(parts: RepositoryParts, isJson: boolean, context: CommandContext): Promise<string> {
  await keepRepositoryTrust(parts, "yes", context);
  const { root, entries } = parts;
  if (isJson) return `${jsonText({ path: root, entries }, 2)}\n`;
  const lines = entries.map(
    ({ kind, item = "", aspect, value }) =>
      `  ${plainLine(`${kind} ${item}${aspect === undefined ? "" : `: ${aspect} ${String(value)}`}`)}\n`,
  );
  return `Used in conversations, until it changes: what ${visibleText(root)} holds for agents\n${lines.join("")}`;
}

const headLine = (path: string, { edits, hash }: TrustRecord): string =>
  edits ? `Trusted with its edits: ${visibleText(path)}` : `Trusted: ${visibleText(path)}  sha256 ${hash}`;

async function remove({ path, isJson }: Wanted, context: CommandContext): Promise<string> {
  const real = await withdrawTrust(path, context);
  return isJson ? `${jsonText({ path: real })}\n` : `No longer trusted: ${plainLine(real)}\n`;
}
