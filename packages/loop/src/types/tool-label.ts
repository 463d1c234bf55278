/** How a call is shown, if it has the arguments that the tool takes: `$ npm test`, `read a.ts:10-40`. */
export interface ToolLabel {
  /** What its arguments mean, and how its result is shown. */
  readonly kind: "command" | "read" | "search" | "list" | "write" | "edit";
  /** "$", "read", … */
  readonly verb: string;
}
