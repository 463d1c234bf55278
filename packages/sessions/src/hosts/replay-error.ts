/** A recording cannot be replayed: it lacks a step that the loop needs, contains an extra step, or is unreadable. */
export class ReplayError extends Error {
  override readonly name = "ReplayError";
}

/** The recording ends here because the process was interrupted. */
export class RecordingEndError extends Error {
  override readonly name = "RecordingEndError";
}
