/** The four control states of the protocol, by the names of its document. */
export const ControlState = {
  START_SESSION: "start_session",
  PROCESS_MESSAGE: "process_message",
  PROCESS_MESSAGE_AND_FLUSH: "process_message_and_flush",
  END_SESSION: "end_session",
} as const;

/** What an invocation of the memory agent is to do. It stays the same until the invocation ends. */
export type ControlState = (typeof ControlState)[keyof typeof ControlState];

const STATES: readonly unknown[] = Object.values(ControlState);

export const isControlState = (value: unknown): value is ControlState => STATES.includes(value);

/** A tool that is called without a model, with fixed arguments. */
type DirectTool = "get_context" | "list_entries" | "await_consistency";

/** A tool whose arguments the model makes. */
export type ModelTool = "add_entry" | "put_context";

/** What follows: direct calls, then a call of the model, or the end of the invocation with a message. */
export interface ProtocolStep {
  readonly direct?: readonly DirectTool[];
  readonly model?: ModelTool;
  /** Ends the invocation. Empty: without a message. */
  readonly completion?: string;
}

/** What follows each executed tool; `none` is the beginning. */
type Sequence = Readonly<Partial<Record<ModelTool | "none", ProtocolStep>>>;

/**
 * The protocol: what an invocation does next, by its control state and the tool that it executed last. It is the table of the
 * document's "Conditional Tool Calling Logic".
 */
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

/** The next step of an invocation. Undefined if the tool is none of its sequence, as in a damaged journal. */
export const nextStep = (control: ControlState, lastTool: string | undefined): ProtocolStep | undefined => {
  const sequence: Readonly<Record<string, ProtocolStep>> = PROTOCOL[control];
  return sequence[lastTool ?? "none"];
};

/** The memory agent cannot do what it was invoked for; the message says why. */
export class MemoryAgentError extends Error {
  override readonly name = "MemoryAgentError";
}

/** The model did not make the call that the protocol asks for, even after a correction. */
export class ModelCallError extends MemoryAgentError {}
