import { compareLists, compareNames } from "./compare-names.ts";
import { compareVerdicts } from "./compare-permissions.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { Difference, Grade } from "./difference.ts";
import type { LockDocument, LockedTool } from "./lock-document.ts";

/** The differences of the inline tools. */
export function compareTools(before: LockDocument["tools"], after: LockDocument["tools"]): readonly Difference[] {
  const { added, removed, common } = compareNames(before, after);
  return [
    ...added.map((name) => ({ grade: "widened" as const, subject: subjectOf(name), text: "added" })),
    ...removed.map((name) => ({ grade: "narrowed" as const, subject: subjectOf(name), text: "removed" })),
    ...common.flatMap((name) => compareTool(name, before[name], after[name])),
  ];
}

const subjectOf = (name: string): string => `tool ${JSON.stringify(name)}`;

type ToolDifference = Pick<Difference, "grade" | "text">;

function compareTool(
  name: string,
  before: LockedTool | undefined,
  after: LockedTool | undefined,
): readonly Difference[] {
  if (before === undefined || after === undefined) return [];
  const differences = [
    ...changed("code", before.code, after.code, "changed"),
    ...compareSchemas(before.schema, after.schema),
    ...compareSets("variable", before.env, after.env),
    ...compareNetworks(before.network, after.network),
    ...compareFiles(before.files, after.files),
    ...comparePermissions(before.permission, after.permission),
    ...valueChange("idempotent", before.idempotent, after.idempotent, after.idempotent ? "widened" : "narrowed"),
    ...valueChange("timeout", before.timeout, after.timeout, "noted"),
    ...valueChange("src", before.source, after.source, "noted"),
    ...changed("description", before.description, after.description, "noted"),
  ];
  return differences.map((difference) => ({ subject: subjectOf(name), ...difference }));
}

function changed(aspect: string, from: string, to: string, grade: Grade): readonly ToolDifference[] {
  return from === to ? [] : [{ grade, text: `${aspect} changed` }];
}

type Plain = string | number | boolean | undefined;

function valueChange(aspect: string, from: Plain, to: Plain, grade: Grade): readonly ToolDifference[] {
  return from === to ? [] : [{ grade, text: `${aspect} ${from ?? "(none)"} → ${to ?? "(none)"}` }];
}

/** The differences of a set whose members each grant power. */
function compareSets(aspect: string, before: readonly string[], after: readonly string[]): readonly ToolDifference[] {
  const { added, removed } = compareLists(before, after);
  return [
    ...added.map((name) => ({ grade: "widened" as const, text: `${aspect} + ${name}` })),
    ...removed.map((name) => ({ grade: "narrowed" as const, text: `${aspect} - ${name}` })),
  ];
}

type Hosts = readonly string[] | undefined;

/** The differences of hosts; without a list a tool may reach every public host. */
function compareNetworks(before: Hosts, after: Hosts): readonly ToolDifference[] {
  if (before !== undefined && after !== undefined) return compareSets("network", before, after);
  if (before === after) return [];
  if (after === undefined) return [{ grade: "widened", text: `network ${listText(before)} → any public host` }];
  // A list may name hosts that are not public, such as a server on this machine.
  return [
    { grade: after.every(isPublic) ? "narrowed" : "changed", text: `network any public host → ${listText(after)}` },
  ];
}

const isPublic = (host: string): boolean =>
  !/^(?:localhost|\[?[\d.:a-f]+\]?|.*\.(?:local|internal|localhost))(?::\d+)?$/i.test(host);

const listText = (names: Hosts): string => (names === undefined || names.length === 0 ? "(none)" : names.join(", "));

function compareFiles(before: LockedTool["files"], after: LockedTool["files"]): readonly ToolDifference[] {
  if (before !== undefined && after !== undefined) {
    return [
      ...compareSets("files to read", before.read, after.read),
      ...compareSets("files to write", before.write, after.write),
    ];
  }
  if (before === after) return [];
  if (after === undefined) return [{ grade: "widened", text: "files no longer restricted" }];
  return [
    { grade: "narrowed", text: `files restricted: read ${listText(after.read)}; write ${listText(after.write)}` },
  ];
}

function comparePermissions(
  before: LockedTool["permission"],
  after: LockedTool["permission"],
): readonly ToolDifference[] {
  if (before === after) return [];
  const grade = compareVerdicts(before ?? "allow", after ?? "allow");
  return [{ grade, text: `permission ${before ?? "(none)"} → ${after ?? "(none)"}` }];
}
