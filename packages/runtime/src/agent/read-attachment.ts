import type { JsonObject } from "@mdx-ai/base";
import type { ToolContext, ToolDirectories, ToolResult } from "@mdx-ai/loop";
import { DeniedCallError, type Permissions, toolByHand, toolUnasked } from "@mdx-ai/permissions";
import { type FileMemory, readFileTool } from "@mdx-ai/tools";
import type { AttachedFile } from "../types/session.ts";

interface AttachmentParts {
  readonly permissions: Permissions;
  readonly files: FileMemory;
  /** The session that counts as the reader. */
  readonly session: string;
  readonly place: ToolDirectories;
  /** Asks the user, giving the reason. */
  confirm(reason: string): Promise<boolean>;
}

/** As `Session.readAttachment`. */
export async function readAttachment(
  { path, offset, limit }: AttachedFile,
  { permissions, files, session, place, confirm }: AttachmentParts,
): Promise<ToolResult | string> {
  const tool = readFileTool({ files });
  const args: JsonObject = {
    path,
    ...(offset !== undefined && { offset }),
    ...(limit !== undefined && { limit }),
  };
  const context: ToolContext = {
    ...place,
    signal: new AbortController().signal,
    sessionId: session,
    callId: "none",
    log: async () => {},
    update: () => {},
  };
  try {
    return await toolUnasked(tool, "builtin", permissions).execute(args, context);
  } catch (error) {
    const isAsked = error instanceof DeniedCallError && error.decision.action === "ask";
    if (!isAsked || !(await confirm(error.decision.reason))) throw error;
    return toolByHand(tool, permissions).execute(args, context);
  }
}
