import { resolve } from "node:path";
import { shellWord } from "@mdx-ai/base";
import { readRunnable } from "@mdx-ai/directory";
import { buildAgent } from "@mdx-ai/directory/building";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { existingPath, textOption } from "../arguments/option-values.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";

/** `mdx-ai build`: writes one executable of this program and an agent. Runs no code of the agent, so it needs no trust. */
export async function runBuild(args: ParsedArguments, context: CommandContext): Promise<number> {
  const file = textOption(args, "output", "a file");
  if (file === undefined) throw new UsageError("build needs the file to write: --output FILE");
  const output = resolve(context.currentDirectory, file);
  const given = args.values.get("program");
  const name = textOption(args, "name", "a name");
  const directory = await readRunnable(args.positionals[0] ?? ".", context);
  const program = given === undefined ? undefined : existingPath(given, { name: "program", kind: "file" }, context);
  const built = await buildAgent(directory, { output, program, name, allowsKeys: args.switches.has("allow-keys") });
  for (const path of built.leftOut) {
    context.stderr.write(
      `mdx-ai: left out ${plainLine(path)}, which may contain secrets; the executable reads variables where it runs\n`,
    );
  }
  const megabytes = Math.round(built.size / 2 ** 20);
  context.stdout.write(
    args.switches.has("json")
      ? `${jsonText({ output, ...built }, 2)}\n`
      : `${plainLine(output)}: the agent ${built.name} with ${counted(built.files, "file")}, ${megabytes} MB; run it: ${shellWord(plainLine(output))} -p TEXT\n`,
  );
  return EXIT_CODE.done;
}
