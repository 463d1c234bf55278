import type { ParsedArguments } from "../arguments/command-spec.ts";
import { numberOption, textOption } from "../arguments/option-values.ts";
import { UsageError } from "../failures/program-error.ts";

/** Which engine a server works for, and where its worker listens. */
export interface WorkerOptions {
  readonly address: string;
  readonly host: string;
  readonly port: number;
  /** The address at which the engine finds the worker, if it is another one. */
  readonly url: string | undefined;
}

/** Reads `--engine` and the options of its worker; undefined without an engine. Throws `UsageError`. */
export function engineOptions(args: ParsedArguments): WorkerOptions | undefined {
  const address = textOption(args, "engine", "an address such as restate://127.0.0.1:9070");
  const host = textOption(args, "worker-host", "an address");
  const port = numberOption(args, { name: "worker-port", minimum: 0, maximum: 65_535, isWhole: true });
  const url = textOption(args, "worker-url", "an address such as http://workers:9080");
  if (address !== undefined) return { address, host: host ?? "127.0.0.1", port: port ?? 9080, url };
  if (host === undefined && port === undefined && url === undefined) return undefined;
  throw new UsageError("--worker-host, --worker-port and --worker-url need --engine");
}
