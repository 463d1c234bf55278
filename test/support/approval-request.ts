import type { ApprovalRequest } from "@mdx-ai/loop";
import { labelNamed } from "./tool-labels.ts";

/** A call of `bash` that the user is asked about, with what the test says otherwise. */
export function approvalRequest(request: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const label = labelNamed(request.toolName ?? "bash");
  return {
    session: "main",
    toolCallId: "c1",
    toolName: "bash",
    toolOrigin: "builtin",
    args: { command: "true" },
    ...(label && { label }),
    access: { kind: "command", command: "true" },
    reason: "runs a shell command outside a sandbox",
    pattern: "bash(true)",
    ...request,
  };
}
