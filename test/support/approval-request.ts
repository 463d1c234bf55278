import type { ApprovalRequest } from "@mdx-ai/runtime";

/** A call of `bash` that the user is asked about, with what the test says otherwise. */
export const approvalRequest = (request: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  session: "main",
  toolCallId: "c1",
  toolName: "bash",
  toolOrigin: "builtin",
  args: { command: "true" },
  access: { kind: "command", command: "true" },
  reason: "runs a shell command outside a sandbox",
  pattern: "bash(true)",
  ...request,
});
