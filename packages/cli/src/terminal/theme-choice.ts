import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Environment, isRecord, stateDirectory } from "@mdx-ai/base";
import { replaceFileSync } from "@mdx-ai/base/disk";
import { THEME_NAMES, type Theme, type ThemeName } from "../output/theme.ts";

/** The theme chosen with `/theme`, else the settings', else the terminal's colours. Never throws. */
export const chosenTheme = (environment: Environment, setting: ThemeName | undefined): ThemeName =>
  keptTheme(environment) ?? setting ?? "ansi";

/** Runs `/theme` and returns the answer. Saves the choice for later conversations. Throws if it cannot be saved. */
export function runThemeCommand(words: string, theme: Theme, environment: Environment): string {
  const all = THEME_NAMES.join(" | ");
  if (words === "") return `The theme is ${theme.name}; /theme ${all} changes it.`;
  const name = THEME_NAMES.find((known) => known === words);
  if (name === undefined) return `There is no theme ${JSON.stringify(words)}; write /theme ${all}`;
  theme.choose(name);
  keepTheme(environment, name);
  const isColourless = (environment["NO_COLOR"] ?? "") !== "";
  return `The theme is ${name}.${isColourless ? " NO_COLOR is set, so there are no colours." : ""}`;
}

function keepTheme(environment: Environment, name: ThemeName): void {
  const file = choiceFile(environment);
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFileSync({ path: file, text: `${JSON.stringify({ theme: name })}\n` });
}

function keptTheme(environment: Environment): ThemeName | undefined {
  const file = choiceFile(environment);
  try {
    const choice: unknown = file === undefined ? undefined : JSON.parse(readFileSync(file, "utf8"));
    return isRecord(choice) ? THEME_NAMES.find((known) => known === choice["theme"]) : undefined;
  } catch {
    return undefined;
  }
}

function choiceFile(environment: Environment): string | undefined {
  const folder = stateDirectory(environment);
  return folder === undefined ? undefined : join(folder, "terminal.json");
}
