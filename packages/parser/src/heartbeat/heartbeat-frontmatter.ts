import { quoted, type Report } from "../report.ts";
import { readYamlMap } from "../settings/yaml-map.ts";
import { didYouMean } from "../suggestion.ts";

const known = ["schedule"];

/** The interval that the frontmatter of heartbeat.md names. */
export interface WrittenSchedule {
  readonly text: string;
  readonly offset: number;
}

/** Reads the YAML of heartbeat.md's frontmatter, which begins at the offset `base`: `schedule`, the interval. Never throws. */
export function readHeartbeatFrontmatter(text: string, base: number, report: Report): WrittenSchedule | undefined {
  const yaml = readYamlMap(text);
  for (const { offset, message } of yaml.problems) {
    report({
      rule: "frontmatter-syntax",
      offset: base + offset,
      message: `cannot parse the YAML (${message})`,
      hint: "write `schedule: 15m`",
    });
  }
  for (const key of Object.keys(yaml.values).filter((name) => !known.includes(name))) {
    report({
      rule: "setting-unknown",
      offset: base + yaml.rangeAt([key], "key").start,
      message: `unexpected setting ${quoted(key)} in heartbeat.md, expected \`schedule\``,
      hint: didYouMean(key, known, "remove it: it has no effect here"),
    });
  }
  const { schedule } = yaml.values;
  if (schedule === undefined) return undefined;
  const written = typeof schedule === "string" ? schedule.trim() : JSON.stringify(schedule);
  return { text: written, offset: base + yaml.rangeAt(["schedule"], "value").start };
}
