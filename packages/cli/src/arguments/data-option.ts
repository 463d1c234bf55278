import { resolve } from "node:path";
import type { Surroundings } from "@mdx-ai/directory";
import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";

/** `--data`, absolute; undefined if it is not given. Throws `UsageError`. */
export function dataOption(
  { values }: ParsedArguments,
  { currentDirectory }: Pick<Surroundings, "currentDirectory">,
): string | undefined {
  const given = values.get("data");
  if (given === "") throw new UsageError('--data needs a folder, and got ""');
  return given === undefined ? undefined : resolve(currentDirectory, given);
}
