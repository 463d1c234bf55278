import { errorMessage } from "@mdx-ai/base";
import type { RunOptions } from "@mdx-ai/directory";
import { isLoopback, type RunningServer, serve } from "@mdx-ai/server/http";
import manifest from "../../package.json" with { type: "json" };
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { numberOption, textOption } from "../arguments/option-values.ts";
import { readRunOptions } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError } from "../failures/program-error.ts";
import { agentSources } from "../serving/agent-sources.ts";
import { serverAccess } from "../serving/server-access.ts";
import { keepServerRecord } from "../serving/server-record.ts";

/** `mdx-ai serve`: offers agents over HTTP until it is interrupted. */
export async function runServe(args: ParsedArguments, context: CommandContext): Promise<number> {
  const run = servedRun(args, context);
  const host = textOption(args, "host", "an address") ?? "127.0.0.1";
  const { access, shown } = await serverAccess(args, host, context);
  const signal = context.interruption.listen();
  const sources = agentSources(args.positionals, run, context, signal);
  const server = listen(args, host, {
    agents: sources,
    ...{ access, redactor: context.keys, version: manifest.version },
    onWarning: (text) => context.onNotice({ type: "warning", text: context.keys.text(text) }),
  });
  const { url } = server;
  const token = access.type === "token" ? { token: access.token } : {};
  const forgets = sources.map(({ name }, index) =>
    keepServerRecord(args.positionals[index] ?? ".", { url, agent: name, process: process.pid, ...token }, context),
  );
  try {
    context.stdout.write(`${server.url}\n`);
    await context.stdout.flush();
    if (shown !== undefined) context.stderr.write(`mdx-ai: the token of this server, shown once: ${shown}\n`);
    await Promise.race([server.open(), interruptionOf(signal)]);
    await interruptionOf(signal);
  } finally {
    for (const forget of forgets) forget();
    await server.stop();
  }
  return EXIT_CODE.done;
}

/** The options of all agents. Sessions are chosen by requests. */
function servedRun(args: ParsedArguments, context: CommandContext): RunOptions {
  const { answersWithin = Number.POSITIVE_INFINITY, ...run } = readRunOptions(args, context);
  return { ...run, session: "main", answersWithin };
}

type ServedParts = Omit<Parameters<typeof serve>[0], "host" | "port" | "hosts" | "origins" | "isPublic">;

/** Throws `UsageError`, or `ProgramError` if the port is in use. */
function listen(args: ParsedArguments, host: string, parts: ServedParts): RunningServer {
  const port = numberOption(args, { name: "port", minimum: 0, maximum: 65_535, isWhole: true }) ?? 0;
  const hosts = [host, ...(args.lists.get("allow-host") ?? [])].map((name) => name.toLowerCase());
  const origins = args.lists.get("cors") ?? [];
  try {
    return serve({ ...parts, ...{ host, port, hosts, origins, isPublic: !isLoopback(host) } });
  } catch (cause) {
    throw new ProgramError(`cannot listen on ${host}, port ${port}: ${errorMessage(cause)}`, EXIT_CODE.failed, {
      cause,
    });
  }
}

const interruptionOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
