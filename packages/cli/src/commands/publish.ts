import {
  type AgentPackage,
  agentArtifacts,
  npmName,
  npmPackage,
  publishNpm,
  publishOci,
} from "@mdx-ai/directory/packing";
import { npmSettings, parseSource, type Source, sourceText } from "@mdx-ai/directory/sources";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { readPackable, version } from "./pack.ts";

/** `mdx-ai publish`: packs an agent and uploads it to a registry. Runs no code of it. */
export async function runPublish(args: ParsedArguments, context: CommandContext): Promise<number> {
  const target = parseSource(args.positionals[1] ?? "", context.currentDirectory);
  const agent = await readPackable(args, context);
  const signal = context.interruption.listen();
  const published = await publish(agent, { target, args, context, signal });
  if (args.switches.has("json")) context.stdout.write(`${jsonText({ ...published, hash: agent.hash }, 2)}\n`);
  else context.stdout.write(`Published: ${plainLine(published.source)}\n${published.identity}\n${agent.hash}\n`);
  return EXIT_CODE.done;
}

interface Publication {
  readonly target: Source;
  readonly args: ParsedArguments;
  readonly context: CommandContext;
  readonly signal: AbortSignal;
}

interface Published {
  /** What others add. */
  readonly source: string;
  /** The digest or the integrity. */
  readonly identity: string;
}

async function publish(agent: AgentPackage, { target, args, context, signal }: Publication): Promise<Published> {
  const { environment } = context;
  if (target.type === "npm") {
    const { name, range } = target;
    const named = npmName(agent, { name, ...(range !== undefined && { version: range }) });
    const integrity = await publishNpm(named, await npmPackage(agent, named, await version()), {
      ...{ settings: npmSettings(environment, context.currentDirectory), signal },
      ...{ tag: args.values.get("tag"), otp: args.values.get("otp"), access: accessOf(args.values.get("access")) },
    });
    return { source: `npm:${named.name}@${named.version}`, identity: integrity };
  }
  if (target.type === "oci" && target.digest === undefined) {
    const artifacts = await agentArtifacts(agent, target.tag === undefined ? {} : { version: target.tag });
    const [digest = ""] = await publishOci(target, artifacts, { environment, signal });
    return { source: sourceText(target), identity: digest };
  }
  throw new UsageError("publish to npm:NAME@VERSION or oci://HOST/REPOSITORY:TAG");
}

function accessOf(text: string | undefined): "public" | "restricted" | undefined {
  if (text === undefined || text === "public" || text === "restricted") return text;
  throw new UsageError("--access is public or restricted");
}
