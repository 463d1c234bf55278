import { lineText, visibleText } from "@mdx-ai/base";
import { saysMuch, valueText } from "../manifest/difference.ts";
import { agreedEntries, type Entry, type Manifest } from "../manifest/manifest.ts";

/** The contents of a directory of one kind. */
interface Content {
  /** Such as "tool". */
  readonly kind: string;
  /** Entries by item; "" if the kind has no items. */
  readonly items: ReadonlyMap<string, readonly Entry[]>;
}

/** The contents as lines for a question, with the capabilities of each tool and server. No line begins with a text of the directory. */
export function contentsLines(manifest: Manifest): readonly string[] {
  const lines = contentsOf(manifest).flatMap(({ kind, items }) => {
    const names = [...items].map(([item, entries]) => itemText(item, entries));
    if (items.has("")) return [`${kind}${names.join("") === "" ? "" : `: ${names.join("")}`}`];
    const details = [...items].filter(([item, entries]) => item !== "" && detailsOf(entries) !== "");
    return [
      `${headingOf(kind)}: ${SHORTENED.includes(kind) ? firstOf(names) : names.join(", ")}`,
      ...details.map(([item, entries]) => `  ${item}: ${detailsOf(entries)}`),
    ];
  });
  return [...lines, ...(manifest.skills.length === 0 ? [] : [`skills: ${firstOf(manifest.skills)}`])].map((line) =>
    lineText(visibleText(line)),
  );
}

/** The contents on one line, as counts. */
export function contentsLine(manifest: Manifest): string {
  const counts = contentsOf(manifest).map(({ kind, items }) =>
    items.has("") ? kind : `${headingOf(kind)}: ${items.size}`,
  );
  return counts.length === 0 ? "the shell for its model" : counts.join(", ");
}

/** The parts of a directory that would run, and its capabilities, in the order of the manifest. */
function contentsOf({ entries }: Manifest): readonly Content[] {
  const shown = agreedEntries({ entries }).filter(({ effect }) => effect !== "orders");
  return [...Map.groupBy(shown, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    kind,
    items: Map.groupBy(ofKind, ({ item = "" }) => item),
  }));
}

const headingOf = (kind: string): string =>
  kind.startsWith("folder ") ? kind.replace("folder", "folders") : `${kind}s`;

/** An item with its details; without an item, only the details. */
function itemText(item: string, entries: readonly Entry[]): string {
  if (item === "") return detailsOf(entries);
  const values = entries.filter((entry) => entry.aspect === undefined && saysMuch(entry));
  return [item, ...values.map(({ value }) => `(${valueText(value)})`)].join(" ");
}

/** The aspects that allow or restrict something, with readable values. */
const detailsOf = (entries: readonly Entry[]): string =>
  entries
    .flatMap((entry) => {
      const { aspect } = entry;
      if (aspect === undefined || ALWAYS.includes(aspect)) return [];
      return [saysMuch(entry) ? `${aspect} ${valueText(entry.value)}` : aspect];
    })
    .join("; ");

/** Aspects that every tool has. */
const ALWAYS: readonly string[] = ["code", "parameters"];

/** Kinds whose lists are shortened. All other grants are shown in full. */
const SHORTENED: readonly string[] = ["imported file", "package", "skill file", "script"];

const MAX_LIST = 40;

/** Always shows files outside the directory. */
function firstOf(names: readonly string[]): string {
  const isOutside = (name: string): boolean => name.startsWith("../");
  const shown = [...names.filter(isOutside), ...names.filter((name) => !isOutside(name)).slice(0, MAX_LIST)];
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
