import { parseModelReference } from "@mdx-ai/models";
import type { NotesOn } from "./imported-agent.ts";

export interface ModelNote {
  readonly line: number;
  readonly on: NotesOn;
}

/** The name here of a model that another program names; undefined for the default model, and for one that is not known. */
export function importModel(name: string | undefined, { line, on }: ModelNote): string | undefined {
  if (name === undefined || name === "inherit" || name === "default") return undefined;
  const found = [name, name.replace(/^google\//, "gemini/")].find(isModel);
  if (found === undefined) on.leftOut(`the model ${name}: name one with \`model: VENDOR/NAME\``, line);
  return found;
}

/** Nothing but models of vendors: another program has no scripts and no packages of this one. */
function isModel(name: string): boolean {
  try {
    return /^\S+$/.test(name) && parseModelReference(name).provider === "vendor";
  } catch {
    return false;
  }
}
