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
