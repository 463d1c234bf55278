import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/exit-code.ts";
import { UsageError } from "../failures/usage-error.ts";
import { plainLine } from "../plain-text.ts";
import { trustFromNowOn, usableTrustFile, warn } from "../trust/ensure-trust.ts";
import { changeTrustFile, readTrustFile } from "../trust/trust-file.ts";
import { trustFile } from "../trust/trust-place.ts";

/** `mdx-ai trust`: puts a directory on the user's list, takes it off, or shows the list. */
export async function runTrust(args: ParsedArguments, context: CommandContext): Promise<number> {
  const isList = args.switches.has("list");
  const isRemoval = args.switches.has("remove");
  if (isList && isRemoval) throw new UsageError("--list and --remove exclude each other");
  const path = resolve(context.currentDirectory, args.positionals[0] ?? ".");
  if (isList) list(context);
  else if (isRemoval) await remove(path, context);
  else await add(path, context);
  return EXIT_CODE.done;
}

function list(context: CommandContext): void {
  const trusted = readTrustFile(requireTrustFile(context), warn(context));
  for (const [path, since] of trusted) context.stdout.write(`${plainLine(path)}  since ${plainLine(since)}\n`);
  if (trusted.size === 0) context.stderr.write("No directory is trusted.\n");
}

async function add(path: string, context: CommandContext): Promise<void> {
  if (!existsSync(join(path, "agent.mdx"))) {
    throw new UsageError(`${path} is no agent directory: there is no agent.mdx in it`);
  }
  const real = realpathSync.native(path);
  requireTrustFile(context);
  const file = usableTrustFile(real, context);
  if (file === undefined) {
    throw new UsageError(`${real} holds the list of trusted directories itself; allow single runs with --trust`);
  }
  await trustFromNowOn(file, real, context);
  context.stdout.write(`Trusted: ${plainLine(real)}\n`);
}

async function remove(path: string, context: CommandContext): Promise<void> {
  const file = requireTrustFile(context);
  // A directory that is gone can still be taken off the list.
  const real = existsSync(path) ? realpathSync.native(path) : path;
  if (!readTrustFile(file, warn(context)).has(real)) {
    throw new UsageError(`${real} is not on the list of trusted directories; see mdx-ai trust --list`);
  }
  await changeTrustFile(file, (trusted) => trusted.delete(real), warn(context));
  context.stdout.write(`No longer trusted: ${plainLine(real)}\n`);
}

function requireTrustFile(context: CommandContext): string {
  const file = trustFile(context.environment);
  if (file !== undefined) return file;
  throw new UsageError("there is no place to keep trust: set HOME, or XDG_STATE_HOME to an absolute path");
}
