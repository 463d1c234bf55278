import { withFix } from "./meant-value.ts";
import type { SettingsReading } from "./settings-reading.ts";
import type { YamlProblem } from "./yaml-map.ts";
import { yamlMend } from "./yaml-mend.ts";

/** Reports a mistake in the YAML of settings. */
export function reportYaml(problem: YamlProblem, { text, base, report }: SettingsReading): void {
  const { offset, message } = problem;
  const mend = yamlMend(text, problem);
  report({
    rule: "frontmatter-syntax",
    offset: base + offset,
    message: `unexpected YAML (${message}), expected keys and values`,
    hint: "write `key: value` lines; put a text with special characters in quotes",
    ...withFix(mend && { start: base + mend.start, end: base + mend.end, text: mend.text }),
  });
}
