import type { FrontEnd, Notice } from "@mdx-ai/directory";

/** The surroundings of a directory in a test, with the notices that it gave. */
export interface NotedFrontEnd extends FrontEnd {
  readonly notices: readonly Notice[];
}

/** A program of a user with this home folder, which is the current folder too. */
export function surroundingsIn(home: string, environment: Readonly<Record<string, string>> = {}): NotedFrontEnd {
  const notices: Notice[] = [];
  return {
    environment: { HOME: home, ...environment },
    currentDirectory: home,
    toolHostCommand: [],
    notices,
    onNotice: (notice) => notices.push(notice),
    onSecrets() {},
  };
}
