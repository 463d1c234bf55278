/** The display text of a call with valid arguments: `$ npm test`, `read a.ts:10-40`. */
export interface ToolLabel {
  /** The meaning of its arguments and the display of its result. */
  readonly kind: "command" | "read" | "search" | "list" | "write" | "edit" | "web" | "todo";
  /** "$", "read", … */
  readonly verb: string;
}
