import { abortOf, errorMessage } from "@mdx-ai/base";
import type { Engine } from "@mdx-ai/engine";
import { type AgentSource, isLoopback, type RunningServer, serve } from "@mdx-ai/server/http";
import manifest from "../../package.json" with { type: "json" };
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { numberOption, textOption } from "../arguments/option-values.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError } from "../failures/program-error.ts";
import { engineOptions } from "../serving/engine-options.ts";
import { serverAccess, showServer } from "../serving/server-access.ts";

/** `mdx-ai serve`: offers agents over HTTP until it is interrupted. It listens before the code of agents is loaded. */
export async function runServe(args: ParsedArguments, context: CommandContext): Promise<number> {
  const host = textOption(args, "host", "an address") ?? "127.0.0.1";
  const { access, shown } = await serverAccess(args, host, context);
  const signal = context.interruption.listen();
  const onEngine = engineOptions(args);
  let worker: Engine | undefined;
  const open = async (): Promise<readonly AgentSource[]> => {
    const found = await sourcesOf(args, context, signal);
    if (onEngine === undefined) return found;
    const { startEngine } = await import("../serving/start-engine.ts");
    worker = await startEngine(onEngine, found, args.positionals, context);
    return worker.agents;
  };
  let sources: Promise<readonly AgentSource[]> | undefined;
  const agents = (): Promise<readonly AgentSource[]> => {
    sources ??= open();
    return sources;
  };
  const server = listen(args, host, {
    ...{ agents, access, redactor: context.keys, version: manifest.version },
    onWarning: (text) => context.onNotice({ type: "warning", text: context.keys.text(text) }),
  });
  let forget = (): void => {};
  try {
    await showServer(server, shown, context);
    if (shown !== undefined) context.stderr.write(`mdx-ai: its page: ${server.url}/#token=${shown}\n`);
    const { keepServerRecords } = await import("../serving/server-record.ts");
    const token = access.type === "token" ? { token: access.token } : {};
    const served = { url: server.url, ...token };
    const forgets = [keepServerRecords(args.positionals, await agents(), served, context)];
    forget = () => {
      for (const one of forgets) one();
    };
    if (args.switches.has("open")) {
      const { openPage } = await import("../serving/open-page.ts");
      forgets.push(openPage(served, context));
    }
    await Promise.race([server.open(), abortOf(signal)]);
    await abortOf(signal);
  } finally {
    forget();
    await server.stop();
    await worker?.stop();
  }
  return EXIT_CODE.done;
}

/** The agents of the command line, with its options for all of them. Sessions are chosen by requests. Rejects with `UsageError`. */
async function sourcesOf(
  args: ParsedArguments,
  context: CommandContext,
  signal: AbortSignal,
): Promise<readonly AgentSource[]> {
  const { readRunOptions } = await import("../arguments/run-options.ts");
  const { agentSources } = await import("../serving/agent-sources.ts");
  const run = { ...readRunOptions(args, context), wakes: engineOptions(args) === undefined };
  return agentSources(args.positionals, run, context, { signal });
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
