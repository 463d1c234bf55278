import { sortedJson } from "../../json.ts";
import { compareNames, ownValue } from "./compare-names.ts";
import { comparePermissions } from "./compare-permissions.ts";
import { compareSandboxes } from "./compare-sandboxes.ts";
import { compareTools } from "./compare-tools.ts";
import type { Difference, Grade } from "./difference.ts";
import type { LockDocument } from "./lock-document.ts";

/** All differences of two states of an agent; none if the lock files are equal. */
export function compareLocks(before: LockDocument, after: LockDocument): readonly Difference[] {
  return [
    ...compareTools(before.tools, after.tools),
    ...compareOne("code in the prose", before.program, after.program, CODE),
    ...compareHashes("file", before.files, after.files, CODE),
    ...compareHashes("package", before.packages, after.packages, CODE),
    ...comparePermissions(before, after),
    ...compareSandboxes(before.sandbox, after.sandbox),
    ...compareOne("MCP servers", textOf(before.mcp), textOf(after.mcp), CODE),
    ...compareOne("heartbeat", before.heartbeat, after.heartbeat, { ...PROSE, added: "widened" }),
    ...compareHashes("skill", before.skills, after.skills, PROSE),
    ...compareSettings(before.settings, after.settings),
    ...compareOne("name", before.name, after.name, PROSE),
    ...compareOne("prose", before.prose, after.prose, PROSE),
  ];
}

interface Grades {
  readonly added: Grade;
  readonly removed: Grade;
  readonly changed: Grade;
}

const CODE: Grades = { added: "widened", removed: "narrowed", changed: "changed" };
const PROSE: Grades = { added: "noted", removed: "noted", changed: "noted" };

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : sortedJson(value));

function compareOne(
  subject: string,
  before: string | undefined,
  after: string | undefined,
  grades: Grades,
): readonly Difference[] {
  if (before === after) return [];
  const type = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return [{ grade: grades[type], subject, text: type }];
}

type Hashes = Readonly<Record<string, string>>;

function compareHashes(kind: string, before: Hashes, after: Hashes, grades: Grades): readonly Difference[] {
  const { added, removed, common } = compareNames(before, after);
  return [...added, ...removed, ...common]
    .toSorted()
    .flatMap((name) => compareOne(`${kind} ${name}`, ownValue(before, name), ownValue(after, name), grades));
}

/** The differences of settings that grant no power, such as the model. */
function compareSettings(before: LockDocument["settings"], after: LockDocument["settings"]): readonly Difference[] {
  const { added, removed, common } = compareNames(before, after);
  return [...added, ...removed, ...common].toSorted().flatMap((name) => {
    const [from, to] = [textOf(ownValue(before, name)), textOf(ownValue(after, name))];
    if (from === to) return [];
    return [{ grade: "noted" as const, subject: `setting ${name}`, text: `${from ?? "(none)"} → ${to ?? "(none)"}` }];
  });
}
