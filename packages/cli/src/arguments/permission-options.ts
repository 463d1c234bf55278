import type { OptionSpec } from "./command-spec.ts";

/** The options by which the user says in advance what he would be asked. */
export const PERMISSION_OPTIONS: readonly OptionSpec[] = [
  {
    name: "allow",
    value: "PATTERN",
    isRepeatable: true,
    summary: "let calls run without asking, such as 'bash(git *)'; again for more",
  },
  { name: "deny", value: "PATTERN", isRepeatable: true, summary: "refuse calls, above all else; again for more" },
  { name: "allow-all", summary: "ask nothing; what the user denies stays denied" },
];

/** Whether the shell and the tools are contained. */
export const SANDBOX: OptionSpec = {
  name: "sandbox",
  value: "MODE",
  summary: "contain the shell and the tools: auto, required or off; default: auto",
};
