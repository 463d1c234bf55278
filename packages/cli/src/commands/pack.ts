import { basename, dirname, join, resolve } from "node:path";
import { isRecord, isWithin } from "@mdx-ai/base";
import { readRunnable } from "@mdx-ai/directory";
import {
  type AgentPackage,
  keysIn,
  PACK_FORMATS,
  type PackageName,
  type PackFormat,
  packAgent,
  readAgentPackage,
  writePackage,
} from "@mdx-ai/directory/packing";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { requireFolder } from "../arguments/require-folder.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError, UsageError } from "../failures/program-error.ts";

/** `mdx-ai pack`: writes an agent as one file or folder that others can add. Runs no code of it. */
export async function runPack(args: ParsedArguments, context: CommandContext): Promise<number> {
  const format = formatOf(args.values.get("format") ?? "tgz");
  const agent = await readPackable(args, context);
  const output = outputOf(args, context, { folder: agent.path, format });
  const packed = await packAgent(agent, format, { named: nameOf(args.values.get("as")), program: await version() });
  await writePackage(output, packed);
  const { hash, files } = agent;
  const bytes = packed.type === "file" ? packed.bytes.length : undefined;
  if (args.switches.has("json")) {
    context.stdout.write(`${jsonText({ path: output, format, hash, files: files.length, bytes }, 2)}\n`);
  } else {
    context.stdout.write(
      `Written: ${plainLine(output)} (${files.length === 1 ? "1 file" : `${files.length} files`} of the agent)\n${hash}\n`,
    );
  }
  return EXIT_CODE.done;
}

function formatOf(text: string): PackFormat {
  const format = PACK_FORMATS.find((one) => one === text);
  if (format === undefined) throw new UsageError(`--format is one of ${PACK_FORMATS.join(", ")}`);
  return format;
}

const ENDINGS: Readonly<Record<PackFormat, string>> = { tgz: ".tgz", npm: ".tgz", oci: ".oci.tar", plugin: "-plugin" };

interface PackPaths {
  /** The agent directory. Absolute. */
  readonly folder: string;
  readonly format: PackFormat;
}

/** Where the package is written; by default in the current folder, or beside the agent directory if that is the current one. */
function outputOf(
  { values }: ParsedArguments,
  { currentDirectory }: CommandContext,
  { folder, format }: PackPaths,
): string {
  const parent = isWithin(folder, currentDirectory) ? dirname(folder) : currentDirectory;
  const output = resolve(
    currentDirectory,
    values.get("output") ?? join(parent, `${basename(folder)}${ENDINGS[format]}`),
  );
  if (!isWithin(folder, output)) return output;
  throw new UsageError(
    `${output} is in the agent directory and would be part of the next package; choose another --output`,
  );
}

/**
 * Reads what a command packs. Rejects with `DirectoryError` if the agent has errors, and with `ProgramError` if its files contain what looks
 * like a key, unless the user allows that.
 */
export async function readPackable(args: ParsedArguments, context: CommandContext): Promise<AgentPackage> {
  const directory = await readRunnable(args.positionals[0] ?? ".", context);
  requireFolder(directory, "a package");
  const agent = await readAgentPackage(directory);
  warnOfPackages(agent, context);
  const keys = keysIn(agent);
  if (keys.length > 0 && !args.switches.has("allow-keys")) {
    const list = keys.slice(0, 5).map(plainLine).join(", ");
    throw new ProgramError(
      `these files contain what looks like a key; remove it, or pack it with --allow-keys: ${list}`,
      EXIT_CODE.failed,
    );
  }
  return agent;
}

function warnOfPackages({ packages, manifest }: AgentPackage, { onNotice }: CommandContext): void {
  if (packages.length === 0 || isRecord(manifest["dependencies"])) return;
  const names = packages.slice(0, 5).map(plainLine).join(", ");
  const text = `the code imports packages (${names}), but no package.json names them: others will miss them`;
  onNotice({ type: "warning", text });
}

/** Reads `NAME@VERSION`, `NAME` or `@VERSION`. */
export function nameOf(text: string | undefined): Partial<PackageName> {
  if (text === undefined) return {};
  const [, name, version] = /^(@[^@/]+\/[^@]+|[^@]+)?(?:@(.+))?$/.exec(text) ?? [];
  if (name === undefined && version === undefined)
    throw new UsageError("--as takes NAME@VERSION, such as @acme/weather@1.0.0");
  return { ...(name !== undefined && { name }), ...(version !== undefined && { version }) };
}

/** The version of this program. */
export async function version(): Promise<string> {
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  return manifest.version;
}
