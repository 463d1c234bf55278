import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { isAgentDirectory } from "@mdx-ai/runtime/files";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/exit-code.ts";
import { UsageError } from "../failures/usage-error.ts";
import { readManifest } from "../manifest/read-manifest.ts";
import { readRunnable } from "../opening/read-directory.ts";
import { jsonText } from "../output/json-text.ts";
import { plainLine } from "../plain-text.ts";
import { contentsLines } from "../trust/directory-contents.ts";
import { usableTrustFile, warn } from "../trust/ensure-trust.ts";
import { keepTrust, trustRecordOf } from "../trust/keep-trust.ts";
import { requireOwnEdits } from "../trust/own-edits.ts";
import { changeTrustFile, readTrustFile, trustFile } from "../trust/trust-file.ts";
import type { TrustRecord } from "../trust/trust-record.ts";
import { visibleText } from "../visible-text.ts";

/** `mdx-ai trust`: puts a directory on the user's list, takes it off, or shows the list. */
export async function runTrust(args: ParsedArguments, context: CommandContext): Promise<number> {
  const wanted = readWanted(args, context);
  switch (wanted.action) {
    case "list":
      list(wanted, context);
      break;
    case "remove":
      await remove(wanted, context);
      break;
    case "add":
      await add(wanted, context);
      break;
    default:
      wanted.action satisfies never;
  }
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

function list({ isJson }: Wanted, context: CommandContext): void {
  const trusted = [...readTrustFile(requireTrustFile(context), warn(context))];
  if (isJson) {
    context.stdout.write(
      `${jsonText(
        trusted.map(([path, record]) => ({ path, ...record })),
        2,
      )}\n`,
    );
    return;
  }
  for (const [path, record] of trusted) context.stdout.write(`${plainLine(path)}  ${recordText(record)}\n`);
  if (trusted.length === 0) context.stderr.write("No directory is trusted.\n");
}

function recordText({ since, hash, edits }: TrustRecord): string {
  const bound = hash === undefined ? ", to be confirmed" : `  sha256 ${plainLine(hash).slice(0, 12)}`;
  return `since ${plainLine(since)}${edits ? ", with its edits" : bound}`;
}

async function add({ path, withEdits, isJson }: Wanted, context: CommandContext): Promise<void> {
  if (!isAgentDirectory(path)) {
    throw new UsageError(`${path} is no agent directory: there is no agent.mdx in it`);
  }
  const real = realpathSync.native(path);
  requireTrustFile(context);
  const file = usableTrustFile(real, context);
  if (file === undefined) {
    throw new UsageError(`${real} holds the list of trusted directories itself; allow single runs with --trust`);
  }
  const manifest = await readManifest(await readRunnable(path, context));
  if (withEdits) requireOwnEdits(real, manifest);
  const record = trustRecordOf(manifest, withEdits);
  await keepTrust({ file, path: real, record }, context);
  if (isJson) context.stdout.write(`${jsonText({ path: real, ...record }, 2)}\n`);
  else
    context.stdout.write(
      `${headLine(real, record)}\n${contentsLines(manifest)
        .map((line) => `  ${line}\n`)
        .join("")}`,
    );
}

const headLine = (path: string, { edits, hash }: TrustRecord): string =>
  edits ? `Trusted with its edits: ${visibleText(path)}` : `Trusted: ${visibleText(path)}  sha256 ${hash}`;

async function remove({ path, isJson }: Wanted, context: CommandContext): Promise<void> {
  const file = requireTrustFile(context);
  // A directory that is gone can still be taken off the list.
  const real = existsSync(path) ? realpathSync.native(path) : path;
  if (!readTrustFile(file, warn(context)).has(real)) {
    throw new UsageError(`${real} is not on the list of trusted directories; see mdx-ai trust --list`);
  }
  await changeTrustFile(file, (trusted) => trusted.delete(real), warn(context));
  context.stdout.write(isJson ? `${jsonText({ path: real })}\n` : `No longer trusted: ${plainLine(real)}\n`);
}

function requireTrustFile(context: CommandContext): string {
  const file = trustFile(context.environment);
  if (file !== undefined) return file;
  throw new UsageError("there is no folder for the trust list: set HOME, or XDG_STATE_HOME to an absolute path");
}
