import type { PermissionFlags } from "@mdx-ai/directory";
import { permissionPattern, type SandboxMode } from "@mdx-ai/parser";
import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";

const MODES = ["auto", "required", "off"] as const satisfies readonly SandboxMode[];

/** What a command line says of permissions and containment. Throws `UsageError`. */
export function readPermissionFlags(args: ParsedArguments): PermissionFlags {
  const sandboxMode = readMode(args.values.get("sandbox"));
  return {
    allow: patterns(args, "allow"),
    deny: patterns(args, "deny"),
    allowsAll: args.switches.has("allow-all"),
    ...(sandboxMode !== undefined && { sandboxMode }),
  };
}

/** A denial that matches nothing would be passed over, so that every pattern must have a form that says something. */
function patterns({ lists }: ParsedArguments, name: string): readonly string[] {
  const given = lists.get(name) ?? [];
  const malformed = given.find((text) => permissionPattern(text) === undefined);
  if (malformed === undefined) return given;
  throw new UsageError(
    `--${name} needs a pattern such as bash, 'bash(git *)', 'write_file(out/**)' or 'mcp.*', and got ${JSON.stringify(malformed)}`,
  );
}

function readMode(text: string | undefined): SandboxMode | undefined {
  if (text === undefined) return undefined;
  const mode = MODES.find((known) => known === text);
  if (mode !== undefined) return mode;
  throw new UsageError(`--sandbox needs auto, required or off, and got ${JSON.stringify(text)}`);
}
