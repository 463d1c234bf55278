import type { fromHtml } from "hast-util-from-html";

/** An element of a page. */
export type Element = Extract<ReturnType<typeof fromHtml>["children"][number], { type: "element" }>;

/** The cells of a table, with those that fill its shorter rows. */
const MAX_CELLS = 20_000;

export const isCell = ({ tagName }: Element): boolean => tagName === "td" || tagName === "th";

/** How many further cells a cell takes. */
export const spanned = ({ properties }: Element): number =>
  span(properties["colSpan"]) * span(properties["rowSpan"]) - 1;

/** A cell of one column and one row. */
export function withoutSpans(cell: Element): Element {
  const { colSpan, rowSpan, ...properties } = cell.properties;
  return { ...cell, properties };
}

/** A table without the rows after its first 20,000 cells; the table itself if it has fewer. */
export function boundedTable(table: Element): Element {
  let [rows, columns] = [0, 1];
  const isWithin = (child: Element["children"][number]): boolean => {
    if (child.type !== "element") return true;
    rows += 1;
    columns = Math.max(columns, widthOf(child));
    return rows * columns <= MAX_CELLS;
  };
  const bounded = (part: Element): Element => ({
    ...part,
    children: part.children.flatMap((child) => {
      if (child.type === "element" && isRowGroup(child)) return [bounded(child)];
      return isWithin(child) ? [child] : [];
    }),
  });
  const result = bounded(table);
  return rows * columns > MAX_CELLS ? result : table;
}

const isRowGroup = ({ tagName }: Element): boolean => ["tbody", "tfoot", "thead"].includes(tagName);

/** The columns of a row. */
const widthOf = ({ children }: Element): number =>
  children.reduce((sum, child) => sum + (child.type === "element" ? span(child.properties["colSpan"]) : 0), 0);

const span = (value: unknown): number => Math.max(1, Number.parseInt(String(value ?? 1), 10) || 1);
