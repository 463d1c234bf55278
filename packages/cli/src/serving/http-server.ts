import { errorMessage } from "@mdx-ai/base";
import { isCompiled } from "@mdx-ai/base/disk";
import { isLoopback, loadApi, type RunningServer, serve } from "@mdx-ai/server/http";
import manifest from "../../package.json" with { type: "json" };
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { numberOption, textOption } from "../arguments/option-values.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError } from "../failures/program-error.ts";
import type { DirectorySource } from "./agent-sources.ts";
import { serverAccess, showServer } from "./server-access.ts";

/** A server that listens. */
export interface HttpServer {
  /** Prints the address, lets commands on this machine find the server, and opens the agents. Rejects with the first failure. */
  open(): Promise<void>;
  /** Closes the agents and all connections. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Listens by the options `--host`, `--port`, `--token` and those beside them; the agents are needed with the first request. Rejects with
 * `UsageError`, or `ProgramError` if the port is in use.
 */
export async function startServer(
  args: ParsedArguments,
  agents: () => Promise<readonly DirectorySource[]>,
  context: CommandContext,
): Promise<HttpServer> {
  const host = textOption(args, "host", "an address") ?? "127.0.0.1";
  const { access, shown } = await serverAccess(args, host, context);
  if (!isCompiled) await loadFirst();
  const server = listen(args, host, {
    ...{ agents, access, redactor: context.keys, version: manifest.version },
    onWarning: (text) => context.onNotice({ type: "warning", text: context.keys.text(text) }),
  });
  const forgets: (() => void)[] = [];
  return {
    open: async () => {
      await showServer(server, shown, context);
      if (shown !== undefined) context.stderr.write(`mdx-ai: its page: ${server.url}/#token=${shown}\n`);
      const { keepServerRecords } = await import("./server-record.ts");
      const token = access.type === "token" ? { token: access.token } : {};
      const served = { url: server.url, ...token };
      forgets.push(keepServerRecords(await agents(), served, context));
      if (args.switches.has("open")) {
        const { openPage } = await import("./open-page.ts");
        forgets.push(openPage(served, context));
      }
      await server.open();
    },
    stop: () => {
      for (const forget of forgets) forget();
      return server.stop();
    },
  };
}

/**
 * Loads what opening agents and answering requests need. From source each module takes a file descriptor, and a flood of connections may
 * have taken all of them soon after the server listens.
 */
async function loadFirst(): Promise<void> {
  const [{ loadOpening }] = await Promise.all([
    import("./agent-sources.ts"),
    import("../arguments/run-options.ts"),
    import("./server-record.ts"),
    import("@mdx-ai/parser/parse"),
    import("@mdx-ai/parser/settings"),
    import("@mdx-ai/models/prices"),
  ]);
  const { openModel } = await import("@mdx-ai/models");
  const [{ loadParts }] = await loadOpening();
  // What all models share is loaded with the first of them.
  await Promise.all([loadApi(), loadParts(), openModel("offline")]);
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
