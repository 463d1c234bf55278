/** The four control states, with the names of the protocol. */
export const ControlState = {
  START_SESSION: "start_session",
  PROCESS_MESSAGE: "process_message",
  PROCESS_MESSAGE_AND_FLUSH: "process_message_and_flush",
  END_SESSION: "end_session",
} as const;

/** What an invocation of the memory agent does. Does not change during the invocation. */
export type ControlState = (typeof ControlState)[keyof typeof ControlState];

const STATES: readonly unknown[] = Object.values(ControlState);

export const isControlState = (value: unknown): value is ControlState => STATES.includes(value);

/** A tool that is called with fixed arguments, without a model. */
type DirectTool = "get_context" | "list_entries" | "await_consistency";

/** A tool whose arguments the model writes. */
export type ModelTool = "add_entry" | "put_context";

/** The next step: direct calls, then either a call by the model or a final message. */
export interface ProtocolStep {
  readonly direct?: readonly DirectTool[];
  readonly model?: ModelTool;
  /** Ends the invocation with this message; empty for none. */
  readonly completion?: string;
}

/** The step after each executed tool; `none` is the start. */
type Sequence = Readonly<Partial<Record<ModelTool | "none", ProtocolStep>>>;

/** The next step of an invocation by control state and last executed tool. Copies the protocol's table "Conditional Tool Calling Logic". */
const PROTOCOL: Readonly<Record<ControlState, Sequence>> = {
  [ControlState.START_SESSION]: {
    none: { direct: ["get_context", "list_entries"], completion: "" },
  },
  [ControlState.PROCESS_MESSAGE]: {
    none: { model: "add_entry" },
    add_entry: { completion: "Message processed." },
  },
  [ControlState.PROCESS_MESSAGE_AND_FLUSH]: {
    none: { model: "add_entry" },
    add_entry: { direct: ["await_consistency"], model: "put_context" },
    put_context: { completion: "Flushed to context." },
  },
  [ControlState.END_SESSION]: {
    none: { direct: ["await_consistency"], model: "put_context" },
    put_context: { completion: "Session ended." },
  },
};

/** The next step of an invocation. Undefined if the tool is not part of its sequence, as in a damaged journal. */
export const nextStep = (control: ControlState, lastTool: string | undefined): ProtocolStep | undefined => {
  const sequence: Readonly<Record<string, ProtocolStep>> = PROTOCOL[control];
  return sequence[lastTool ?? "none"];
};

/** An invocation of the memory agent failed; the message says why. */
export class MemoryAgentError extends Error {
  override readonly name = "MemoryAgentError";
}

/** The model did not make the required call, even after a correction. */
export class ModelCallError extends MemoryAgentError {}
