import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import { lastingPath, readRunnable } from "@mdx-ai/directory";
import { agentsText, documentation, mcpConfiguration } from "@mdx-ai/directory/exporting";
import { jsonText, plainLine, plainText } from "@mdx-ai/directory/text";
import type { AgentDirectory } from "@mdx-ai/parser";
import { agentCard } from "@mdx-ai/server/a2a";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { textOption, wordOption } from "../arguments/option-values.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { writeNewFile } from "../output/write-output.ts";

const FORMATS = ["mcp", "a2a", "agents-md", "docs"] as const;

type Format = (typeof FORMATS)[number];

/** The names of the files of a folder with all formats. */
const FILES: Readonly<Record<Format, string>> = {
  mcp: ".mcp.json",
  a2a: "agent-card.json",
  "agents-md": "AGENTS.md",
  docs: "DOCUMENTATION.md",
};

/**
 * `mdx-ai export`: prints an agent in a format of other programs, or writes all formats to a folder. Runs no code of the agent, so it needs
 * no trust.
 */
export async function runExport(args: ParsedArguments, context: CommandContext): Promise<number> {
  const format = wordOption(args, "format", FORMATS);
  const output = textOption(args, "output", "a file or a folder");
  if (format === undefined && output === undefined) {
    throw new UsageError("export needs --format mcp, a2a, agents-md or docs, or --output FOLDER for all of them");
  }
  const url = addressOption(args);
  const given = args.positionals[0] ?? ".";
  const directory = await readRunnable(given, context);
  if (directory.definition.program !== undefined) {
    context.stderr.write("mdx-ai: agent.mdx has code in its prose, which is not run: what it writes is missing\n");
  }
  const parts = { directory, given, url, context };
  const path = output === undefined ? undefined : resolve(context.currentDirectory, output);
  if (format === undefined) await writeAll(path ?? ".", parts);
  else if (path === undefined) context.stdout.write(await exported(format, parts));
  else writeText(path, await exported(format, parts), context);
  return EXIT_CODE.done;
}

interface Exported {
  readonly directory: AgentDirectory;
  /** The directory as the user named it. */
  readonly given: string;
  /** Where the agent is served, if it is. */
  readonly url: string | undefined;
  readonly context: CommandContext;
}

async function exported(format: Format, { directory, given, url, context }: Exported): Promise<string> {
  const { definition, source, path, realPath } = directory;
  const address = source ?? lastingPath({ path, realPath }, context.environment);
  switch (format) {
    case "mcp":
      return json(
        mcpConfiguration(
          definition,
          url === undefined ? { type: "command", command: ["mdx-ai", "mcp-server", address] } : { type: "url", url },
        ),
      );
    case "a2a": {
      if (url === undefined)
        throw new UsageError("a card needs the address where the agent takes requests: --url ADDRESS");
      const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
      return json(agentCard({ definition, url, version: manifest.version }));
    }
    case "agents-md":
      return plainText(agentsText(definition, given));
    case "docs":
      return plainText(documentation(definition, given));
  }
}

const json = (value: JsonObject): string => `${jsonText(value, 2)}\n`;

/** Writes all formats. Without an address there is no card. Throws `UsageError` before anything is written if a file exists. */
async function writeAll(folder: string, parts: Exported): Promise<void> {
  const formats = FORMATS.filter((format) => format !== "a2a" || parts.url !== undefined);
  const taken = formats.map((format) => join(folder, FILES[format])).find((path) => existsSync(path));
  if (taken !== undefined) throw new UsageError(`${taken} already exists; name another folder, or remove it`);
  const files = await Promise.all(formats.map(async (format) => ({ format, text: await exported(format, parts) })));
  mkdirSync(folder, { recursive: true });
  for (const { format, text } of files) writeText(join(folder, FILES[format]), text, parts.context);
}

/** Writes a new file that everyone may read. */
function writeText(path: string, text: string, { stdout }: CommandContext): void {
  writeNewFile(path, text, 0o644);
  stdout.write(`Written: ${plainLine(path)}\n`);
}

function addressOption(args: ParsedArguments): string | undefined {
  const url = textOption(args, "url", "an address");
  if (url === undefined || /^https?:\/\/[^\s/]+/.test(url)) return url;
  throw new UsageError(`--url needs an address such as https://agents.example/mcp, but got ${JSON.stringify(url)}`);
}
