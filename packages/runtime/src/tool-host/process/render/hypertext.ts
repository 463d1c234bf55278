/** The nodes of a hypertext tree (hast) that rendering makes. */
export interface HypertextElement {
  readonly type: "element";
  readonly tagName: string;
  readonly properties: Record<string, string | number | boolean | string[]>;
  readonly children: HypertextNode[];
}

interface HypertextText {
  readonly type: "text";
  readonly value: string;
}

export type HypertextNode = HypertextElement | HypertextText;
