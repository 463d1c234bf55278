import type { HostedSession } from "@mdx-ai/runtime";
import type { EngineSessions } from "./shared-sessions.ts";

/** Milliseconds between looks at a session that another worker may run: while it changes, and at most. */
const LOOK = 100;
const MAX_LOOK = 1_000;

export interface FollowOptions {
  readonly after: string | undefined;
  readonly left: AbortSignal;
  readonly onJoined: () => void;
}

/**
 * Passes on events of prompts that run on other workers to the readers of a session, until `left` fires: those after `after`, or new ones.
 * Never rejects: while the engine cannot be reached, there are none. Calls `onJoined` when it knows which events are new.
 */
export async function followSession(
  sessions: EngineSessions,
  id: string,
  { after, left, onJoined }: FollowOptions,
): Promise<void> {
  const hosted = (): HostedSession => sessions.hosted(id);
  const look = () => sessions.lines(id).catch(() => undefined);
  let wait = LOOK;
  let known = (await look())?.length;
  onJoined();
  let prompt = after?.split(".")[0];
  while (!left.aborted) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (left.aborted || hosted().isRunning) continue;
    const lines = await look();
    known ??= lines?.length;
    const isSame = lines === undefined || lines.length === known;
    wait = isSame ? Math.min(MAX_LOOK, wait * 1.5) : LOOK;
    if (isSame) continue;
    // A session that was deleted and made again has fewer lines.
    prompt ??= String(lines[known ?? 0]?.prompt ?? 1);
    known = lines.length;
    await hosted()
      .pass(`${prompt}.0`)
      .catch(() => {});
    prompt = String(Math.max(...lines.map((line) => line.prompt)));
  }
}
