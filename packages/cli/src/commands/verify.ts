import { verifyAgents } from "@mdx-ai/directory/installing";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { chosenShelves, shelfOf } from "../installing/shelf-options.ts";

/** `mdx-ai verify`: compares the added agents with what was agreed to. The exit code is 1 if one differs. */
export async function runVerify(args: ParsedArguments, context: CommandContext): Promise<number> {
  const names = args.positionals;
  for (const name of names) shelfOf(name, args, context);
  const found = await Promise.all(chosenShelves(args, context).map((shelf) => verifyAgents(shelf, names, context)));
  const agents = found.flat();
  const isSame = agents.every(({ problems }) => problems.length === 0);
  if (args.switches.has("json")) context.stdout.write(`${jsonText({ isSame, agents }, 2)}\n`);
  else {
    for (const { name, problems } of agents) {
      context.stdout.write(
        problems.length === 0
          ? `${plainLine(name)}  as it was agreed to\n`
          : problems.map((problem) => `${plainLine(name)}  ${plainLine(problem)}\n`).join(""),
      );
    }
    if (agents.length === 0) context.stderr.write("No agent was added.\n");
  }
  return isSame ? EXIT_CODE.done : EXIT_CODE.failed;
}
