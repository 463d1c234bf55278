/** Characters that are kept of each stream of a command, and of a file. */
export const STREAM_LIMIT = 204_800;
