import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { LICENSE_TEXTS } from "../licenses/license-texts.ts";

const IN_A_CLONE = `The file LICENSE is the licence of mdx-ai. In a clone nothing is bundled: each package in node_modules has its own licence.
`;

/** `mdx-ai licenses`: prints the licence of the program and of everything that it contains. */
export async function runLicenses(_args: ParsedArguments, { stdout }: CommandContext): Promise<number> {
  stdout.write(LICENSE_TEXTS === "" ? IN_A_CLONE : LICENSE_TEXTS);
  return EXIT_CODE.done;
}
