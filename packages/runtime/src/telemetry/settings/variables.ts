import type { Environment } from "@mdx-ai/models";

/** A variable's value without white space around it; one that is empty counts as not set. */
export function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === "" ? undefined : value;
}

/** The whole number above 0 that a variable holds; anything else counts as not set. */
export function countVariable(environment: Environment, name: string): number | undefined {
  const value = Number(variable(environment, name));
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
