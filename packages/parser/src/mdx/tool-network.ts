import { hostProblem } from "../host-pattern.ts";
import { quoted, type Report } from "../report.ts";
import type { ToolDefinition } from "../types/tool-definition.ts";
import { commaSeparated } from "./attribute-values.ts";
import type { Attribute } from "./attributes.ts";

/** Reads `network`: hosts separated by commas, in small letters and each once, or `none`. What is no host is reported. */
export function readNetwork(attribute: Attribute | undefined, report: Report): Pick<ToolDefinition, "network"> {
  if (attribute === undefined) return {};
  const hosts = commaSeparated(attribute);
  if (hosts?.length === 1 && hosts[0] === "none") return { network: [] };
  if (hosts === undefined) {
    reportHost(
      { host: String(attribute.value), seen: "", hint: 'write `network="none"` for no network' },
      attribute,
      report,
    );
    return {};
  }
  for (const host of hosts) {
    const problem = host === "none" ? noneBesideOthers : hostProblem(host);
    if (problem !== undefined) reportHost({ host, ...problem }, attribute, report);
  }
  const named = hosts.filter((host) => host !== "none" && hostProblem(host) === undefined);
  return { network: [...new Set(named.map((host) => host.toLowerCase()))] };
}

const noneBesideOthers = { seen: " beside hosts", hint: 'write either `network="none"` or the hosts' };

interface WrongHost {
  readonly host: string;
  readonly seen: string;
  readonly hint: string;
}

function reportHost({ host, seen, hint }: WrongHost, attribute: Attribute, report: Report): void {
  report({
    rule: "tool-network",
    offset: attribute.offset,
    message: `unexpected ${quoted(host)}${seen} in \`network\`, expected a host such as \`api.example.com\`, or \`none\``,
    hint: host === "*" ? "remove `network`: a tool without it may reach every public host" : hint,
  });
}
