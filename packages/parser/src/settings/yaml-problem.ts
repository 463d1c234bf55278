import { withFix } from "./meant-value.ts";
import type { SettingsReading } from "./settings-reading.ts";
import { yamlFix } from "./yaml-fix.ts";
import type { YamlProblem } from "./yaml-map.ts";

/** Reports a mistake in the YAML of settings. */
export function reportYaml(problem: YamlProblem, { text, base, report }: SettingsReading): void {
  const { offset, message } = problem;
  const fix = yamlFix(text, problem);
  report({
    rule: "frontmatter-syntax",
    offset: base + offset,
    message: `unexpected YAML (${message}), expected keys and values`,
    hint: "write `key: value` lines; put a text with special characters in quotes",
    ...withFix(fix && { start: base + fix.start, end: base + fix.end, text: fix.text }),
  });
}
