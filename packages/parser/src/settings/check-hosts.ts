import { valueAt } from "../arguments/json-pointer.ts";
import { hostProblem } from "../host-pattern.ts";
import { quoted } from "../report.ts";
import type { Path } from "./setting-paths.ts";
import { placeOf, type SettingsReading } from "./settings-reading.ts";

const network: Path = ["sandbox", "network"];

/** Reports hosts of `sandbox.network` that are none, and returns the path of what that costs. */
export function refusedHosts(reading: SettingsReading): readonly Path[] {
  const hosts = valueAt(reading.yaml.values, network);
  if (!Array.isArray(hosts)) return [];
  const isWrong = hosts.map((host: unknown, index) => typeof host === "string" && isRefused(host, index, reading));
  return isWrong.includes(true) ? [["sandbox"]] : [];
}

function isRefused(host: string, index: number, reading: SettingsReading): boolean {
  const problem = hostProblem(host);
  if (problem === undefined) return false;
  const { start } = placeOf(reading, [...network, String(index)], "value");
  const { seen, hint } = problem;
  reading.report({
    rule: "setting-type",
    offset: start,
    message: `unexpected ${quoted(host)}${seen} in \`sandbox.network\`, expected a host such as \`api.example.com\``,
    hint: host === "*" ? "write `network: all` for all hosts" : hint,
  });
  return true;
}
