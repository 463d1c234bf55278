import { type LintedFile, pointAt } from "./linted-file.ts";

/**
 * Characters that change what a reader sees, or that nobody sees: overrides of the direction, and tags, which spell whole sentences invisibly
 * but for the flags of some regions.
 */
const HIDDEN = /[\u202D\u202E]|(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]{0,6})[\u{E0001}\u{E0020}-\u{E007F}]/u;

/** Reports the first characters of a text that people do not see. */
export function lintHiddenText({ text, report }: LintedFile): void {
  const found = HIDDEN.exec(text);
  if (found === null) return;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  report("hidden-text", {
    at: pointAt(text, found.index),
    message: `the character U+${code} is not seen by people, and a model reads what it hides`,
    hint: "remove it, and look at the text around it in an editor that shows all characters",
  });
}
