/** A time, in milliseconds since 1970, for a file's name: ISO 8601 without colons, which some file systems refuse. */
export const timeName = (time: number): string => new Date(time).toISOString().replaceAll(":", "-");
