import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type JsonObject, Semaphore } from "@mdx-ai/base";
import type { AgentTool, ApprovalAnswer, ApprovalRequest, PermissionDecision, ToolAccess } from "@mdx-ai/loop";
import type { ToolCall } from "@mdx-ai/models";
import { allBuiltinToolNames } from "@mdx-ai/parser";
import { resolveRealPath } from "../../packages/base/src/disk/real-path.ts";
import type { PermissionGate } from "../../packages/loop/src/types/question.ts";
import { permissionGate } from "../../packages/permissions/src/permission-gate.ts";
import { Permissions, type PermissionsOptions } from "../../packages/permissions/src/permissions.ts";
import type { SessionQuestions } from "../../packages/sessions/src/questions/session-questions.ts";
import { builtinTools } from "../../packages/tools/src/builtin-tools.ts";
import { toolRegistry } from "../../packages/tools/src/tool-registry.ts";
import { sessionQuestions } from "./session-questions.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { textOf } from "./tool-context.ts";

/** Folders of a user with an agent, and what decides over its calls. */
export interface PermissionBench extends Disposable {
  /** Holds the others: `agent`, `cwd` and `home`. */
  readonly path: string;
  readonly agentDir: string;
  readonly home: string;
  readonly approvalsDirectory: string;
  /** What the user was asked, in order. */
  readonly asked: readonly ApprovalRequest[];
  readonly warnings: readonly string[];
  /** Puts a file below the folder that holds all. */
  put(path: string, text?: string): string;
  open(options?: Partial<PermissionsOptions>): Permissions;
  /** The gate of a session; `sessionKey` tells its incarnations apart and is its name by default. */
  gate(permissions: Permissions, session?: string, sessionKey?: string): AskingGate;
  /** Asks the rules, then the user: "allow", "ask" where the user would be asked, or what the model is told. */
  judge(call: ToolCall, options?: Partial<PermissionsOptions>): Promise<string>;
  /** Runs a call that the rules were asked about before. */
  execute(call: ToolCall): Promise<string>;
  /** What a call comes to: decided, then run where it may. */
  run(call: ToolCall, options?: Partial<PermissionsOptions>): Promise<string>;
}

/** A gate, and the user whom it asks. */
interface AskingGate extends PermissionGate {
  /** Asks about a call, once those before it are settled, as a prompt does. */
  ask(call: ToolCall, signal: AbortSignal): Promise<PermissionDecision>;
}

function asking(gate: PermissionGate, questions: SessionQuestions): AskingGate {
  const turns = new Semaphore();
  const ask = async (call: ToolCall, signal: AbortSignal): Promise<PermissionDecision> => {
    const asked = await gate.question(call);
    if ("action" in asked) return asked;
    const question = { id: "1.1.1", session: asked.request.session, default: "no", ...asked } as const;
    return gate.settle(call, asked, await questions.ask(question, signal));
  };
  return { ...gate, ask: (call, signal) => turns.run(() => ask(call, signal)) };
}

/** The questions of sessions, by their keys, of each agent's permissions. */
function questionsOfSessions(): (permissions: Permissions, sessionKey: string) => SessionQuestions {
  const known = new WeakMap<Permissions, Map<string, SessionQuestions>>();
  return (permissions, sessionKey) => {
    const sessions = known.get(permissions) ?? new Map<string, SessionQuestions>();
    known.set(permissions, sessions);
    const { onApproval } = permissions.options;
    const questions = sessions.get(sessionKey) ?? sessionQuestions({ ...(onApproval && { onApproval }) });
    sessions.set(sessionKey, questions);
    return questions;
  };
}

/** A user who gives these answers, one after the other, and the last one from then on. */
export function answering(...answers: readonly ApprovalAnswer["answer"][]): () => Promise<ApprovalAnswer> {
  let number = 0;
  return async () => {
    const answer = answers[Math.min(number, answers.length - 1)] ?? "no";
    number += 1;
    return { answer };
  };
}

let calls = 0;

/** A call of a tool, with an id of its own. */
export function callOf(name: string, args: ToolCall["arguments"]): ToolCall {
  calls += 1;
  return { type: "toolCall", id: `call_${calls}`, name, arguments: args };
}

export const bash = (command: string): ToolCall => callOf("bash", { command });
export const reading = (path: string): ToolCall => callOf("read_file", { path });
export const writing = (path: string, content = "new"): ToolCall => callOf("write_file", { path, content });

const TEXT = { type: "object", additionalProperties: true };

/** Says what it would run, and runs nothing. */
const shell: AgentTool = {
  name: "bash",
  description: "",
  parameters: TEXT,
  access: async ({ command }) => ({ kind: "command", command: String(command) }),
  execute: async ({ command }) => `ran ${command}`,
};

const deploy = (permission: AgentTool["permission"]): AgentTool => ({
  name: "deploy",
  description: "",
  parameters: TEXT,
  ...(permission && { permission }),
  execute: async () => "deployed",
});

/** A tool as a module defines it, which declares an access and does nothing. */
function moduleTool(
  name: string,
  author: AgentTool["permission"],
  access: (args: JsonObject) => ToolAccess,
): AgentTool {
  return {
    ...{ name, description: "", parameters: TEXT },
    ...(author && { permission: author }),
    access: async (args) => access(args),
    execute: async () => name,
  };
}

/**
 * Makes the folders anew. `author` is what the author of `deploy`, whose access is not known, and of the module's tools
 * `load_note`, `save_note` and `make` wants for their calls.
 */
export function permissionBench(author?: AgentTool["permission"]): PermissionBench {
  const directory = temporaryDirectory();
  const { path } = directory;
  const [agentDir, cwd, home] = [join(path, "agent"), join(path, "cwd"), join(path, "home")];
  for (const folder of [agentDir, cwd, home]) mkdirSync(folder);
  const approvalsDirectory = join(home, ".local/state/mdx-ai/approvals");
  const asked: ApprovalRequest[] = [];
  const warnings: string[] = [];
  const placeOf = ({ path: place }: JsonObject): string => resolveRealPath(resolve(agentDir, String(place)));
  const moduleTools = [
    moduleTool("load_note", author, (args) => ({ kind: "read", path: placeOf(args) })),
    moduleTool("save_note", author, (args) => ({ kind: "write", path: placeOf(args) })),
    moduleTool("make", author, ({ command }) => ({ kind: "command", command: String(command) })),
  ];
  const builtins = builtinTools({ environment: {} }, allBuiltinToolNames.slice(1));
  const tools = toolRegistry([shell, ...builtins, deploy(author), ...moduleTools], {
    ...{ agentDir, cwd: agentDir },
    log: async () => {},
  });
  const base: PermissionsOptions = {
    ...{ agentDir, cwd, approvalsDirectory },
    environment: { HOME: home },
    now: () => 0,
    onWarning: (message) => {
      warnings.push(message);
    },
  };
  const open = (options: Partial<PermissionsOptions> = {}): Permissions => {
    const { onApproval } = options;
    const told: PermissionsOptions["onApproval"] =
      onApproval &&
      ((request, signal) => {
        asked.push(request);
        return onApproval(request, signal);
      });
    return new Permissions({ ...base, ...options, onApproval: told });
  };
  const questionsOf = questionsOfSessions();
  const gate = (permissions: Permissions, session = "main", sessionKey = session): AskingGate =>
    asking(permissionGate({ permissions, session, sessionKey, tools }), questionsOf(permissions, sessionKey));
  const bench: PermissionBench = {
    ...{ path, agentDir, home, approvalsDirectory, asked, warnings, open, gate },
    put: (place, text = "text") => {
      const file = join(path, place);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    judge: async (call, options) => {
      const decision = await gate(open(options)).rule(call);
      if (decision === undefined) return "ask";
      return decision.action === "allow" ? "allow" : decision.reason;
    },
    execute: async (call) => {
      const watch = { session: "main", signal: new AbortController().signal, onUpdate: () => {} };
      return textOf(await tools.run(call, watch));
    },
    run: async (call, options) => {
      const opened = gate(open(options));
      const decision = (await opened.rule(call)) ?? (await opened.ask(call, new AbortController().signal));
      return decision.action === "deny" ? decision.reason : bench.execute(call);
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
  return bench;
}
