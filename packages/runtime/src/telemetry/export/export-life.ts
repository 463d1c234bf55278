/** How long exports may go on. */
export interface ExportLife {
  /** Fires when the program is about to end: what failed is tried once more, and not again. */
  readonly closing: AbortSignal;
  /** Fires when nobody waits any longer. */
  readonly over: AbortSignal;
}
