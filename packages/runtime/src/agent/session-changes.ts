import type { CompactionReport, ToolResult } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";
import { type Checkpoint, choiceFor, type UndoOptions, type UndoResult } from "@mdx-ai/sessions";
import { requireSkill } from "../skills/skills.ts";
import type { AttachedFile, SessionInfo } from "../types/session.ts";
import type { LiveSession } from "./live-session.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { toolsFolder } from "./prompt-settings.ts";
import { readAttachment } from "./read-attachment.ts";
import { type ContextParts, compactSession, sessionInfo } from "./session-context.ts";
import { listCheckpoints, undo } from "./undo.ts";

/** As `Session.clear`, while no prompt runs. */
export function clear({ existing, events, services }: LiveSession): void {
  const { lastPrompt } = existing;
  existing.clear();
  events.clear();
  services.logs.sessions.clear(existing, lastPrompt);
}

/** As `Session.undo` and `Session.rewind`, while no prompt runs. */
export async function undoPrompts(
  session: LiveSession,
  options: UndoOptions & { readonly prompt?: number },
): Promise<UndoResult | undefined> {
  const result = await undo(session.existing, { ...options, selfEditor: session.loaded.options.selfEdit });
  session.loaded.files.forget(session.id);
  // Later readers get the events from the journal.
  session.events.clear();
  return result;
}

/** As `Session.checkpoints`. */
export const checkpointsOf = ({ existing }: LiveSession): readonly Checkpoint[] => listCheckpoints(existing);

/** As `Session.compact`, while no prompt runs. */
export async function compactNow(
  session: LiveSession,
  loaded: LoadedAgent,
  { model, signal }: { readonly model: LanguageModel | undefined; readonly signal: AbortSignal },
): Promise<CompactionReport | undefined> {
  const { closing } = session.services;
  closing.throwIfAborted();
  if (signal.aborted) return undefined;
  try {
    return await compactSession(contextOf(session, loaded, model), AbortSignal.any([signal, closing]));
  } catch (error) {
    if (signal.aborted) return undefined;
    closing.throwIfAborted();
    throw error;
  }
}

/** As `Session.info`. */
export const infoOf = (session: LiveSession, model: LanguageModel | undefined): Promise<SessionInfo> =>
  sessionInfo(contextOf(session, session.loaded, model));

function contextOf(session: LiveSession, loaded: LoadedAgent, model: LanguageModel | undefined): ContextParts {
  const { existing, cwd, services } = session;
  return { session: existing, loaded, cwd, model, accounting: services.accounting, memory: services.memory };
}

/** As `Session.enableSkill` and `Session.disableSkill`. */
export async function chooseSkill(session: LiveSession, name: string, enabled: boolean): Promise<void> {
  await requireSkill(name, session.loaded.options.directory.definition.skills);
  await session.whenFree(() => {
    const { made } = session;
    made.chooseSkills(choiceFor(name, enabled, made.skills));
  });
}

/** As `Session.readAttachment`. */
export function attach(
  { id, loaded }: LiveSession,
  file: AttachedFile,
  confirm: (reason: string) => Promise<boolean>,
): Promise<ToolResult | string> {
  const { permissions, files, options } = loaded;
  const place = { agentDir: options.directory.path, cwd: toolsFolder(options) };
  return readAttachment(file, { permissions, files, session: id, place, confirm });
}
