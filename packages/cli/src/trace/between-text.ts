import type { Trace } from "@mdx-ai/runtime";

/** Where a conversation went back to. */
export const rewindText = (prompt: number): string =>
  prompt === 0 ? "went back to the beginning" : `went back to the end of prompt ${prompt}`;

/** What became of an input that waited. */
export function queuedText({ state, prompt }: Trace["queued"][number]): string {
  switch (state) {
    case "waiting":
      return "queued; it waits still";
    case "withdrawn":
      return "queued; taken back";
    case "taken":
      return `queued; it became prompt ${prompt}`;
  }
}
