import { Writable } from "node:stream";
import { abortOf, errorMessage } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { numberOption, textOption } from "../arguments/option-values.ts";
import { readRunOptions } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError, UsageError } from "../failures/program-error.ts";
import { keepStandardOutput } from "../output/standard-output.ts";
import { agentSources } from "../serving/agent-sources.ts";

/** `mdx-ai mcp-server`: serves an agent by the Model Context Protocol, on standard input and output or over HTTP. */
export async function runMcpServer(args: ParsedArguments, context: CommandContext): Promise<number> {
  const isHttp = args.switches.has("http");
  const other = ["port", "token"].find((name) => args.values.has(name));
  if (!isHttp && other !== undefined) throw new UsageError(`--${other} needs --http`);
  const run = readRunOptions(args, context);
  // Before the agent's code is loaded, which may write to standard output.
  const output = isHttp ? undefined : await keepStandardOutput();
  const signal = context.interruption.listen();
  const directory = args.positionals[0] ?? ".";
  let onReloaded = (): void => {};
  const [source] = agentSources([directory], run, context, { signal, onReloaded: () => onReloaded() });
  if (source === undefined) throw new UsageError("the directory is missing");
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  const open = await source.open(undefined);
  const warn = (message: string): void => context.stderr.write(`mdx-ai: ${plainLine(message)}\n`);
  const parts = {
    ...{ open, redactor: context.keys, version: manifest.version, onWarning: warn },
    onReload: (listener: () => void): void => {
      onReloaded = listener;
    },
  };
  try {
    if (output === undefined) return await listen(parts, args, context, signal);
    const { serveMcp } = await import("@mdx-ai/server/mcp");
    const ended = AbortSignal.any([signal, output.closed]);
    await serveMcp({ ...parts, input: process.stdin, output: messagesTo(output), signal: ended });
    return context.interruption.exitCode ?? EXIT_CODE.done;
  } finally {
    await open.close();
  }
}

/** A stream of whole messages. */
const messagesTo = (output: Awaited<ReturnType<typeof keepStandardOutput>>): Writable =>
  new Writable({
    decodeStrings: false,
    write(message, _encoding, done) {
      output.write(String(message));
      output.flush().then(() => done(), done);
    },
  });

type ServedParts = Omit<Parameters<typeof import("@mdx-ai/server/mcp").serveMcpHttp>[0], "port" | "access">;

async function listen(
  parts: ServedParts,
  args: ParsedArguments,
  context: CommandContext,
  signal: AbortSignal,
): Promise<number> {
  const port = numberOption(args, { name: "port", minimum: 0, maximum: 65_535, isWhole: true }) ?? 0;
  const { readToken, showServer } = await import("../serving/server-access.ts");
  const token = readToken(textOption(args, "token", "a file, or env:NAME"), context);
  const { serveMcpHttp } = await import("@mdx-ai/server/mcp");
  const access = { type: "token", token: token.text } as const;
  const server = await serveMcpHttp({ ...parts, port, access }).catch((cause: unknown) => {
    throw new ProgramError(`cannot listen on port ${port}: ${errorMessage(cause)}`, EXIT_CODE.failed, { cause });
  });
  await showServer(server, token.isNew ? token.text : undefined, context);
  await abortOf(signal);
  await server.stop();
  return EXIT_CODE.done;
}
