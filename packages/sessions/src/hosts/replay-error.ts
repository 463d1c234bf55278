/** A recording that cannot be played: it lacks a step that the loop asks for, holds one that it does not, or cannot be read. */
export class ReplayError extends Error {
  override readonly name = "ReplayError";
}

/** The recording of a prompt ends here, since its process was interrupted. */
export class RecordingEndError extends Error {
  override readonly name = "RecordingEndError";
}
