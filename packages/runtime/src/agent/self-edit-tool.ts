import { isRecord, isText, type JsonObject } from "@mdx-ai/base";
import type { AgentTool, BuiltinToolContext } from "@mdx-ai/loop";
import type { FindQuestions, PromptHistory } from "@mdx-ai/sessions";
import type { ChangedFile, MadeChange, ProposedChange, SelfEditor } from "../types/self-edit.ts";

interface SelfEditOptions {
  readonly editor: SelfEditor;
  readonly questionsOf: FindQuestions;
}

/** The name of the tool by which an agent changes its own files. */
const NAME = "edit_self";

/** The tool by which an agent changes its own files. The user is asked about what the check of the change says. */
export const selfEditTool = ({ editor, questionsOf }: SelfEditOptions): AgentTool => ({
  name: NAME,
  description:
    "Change your own files: agent.mdx, skills, tools, tests. The change is checked and tested in a copy, and its user may be asked about it. It counts from the next prompt on.",
  parameters: PARAMETERS,
  effects: "writes",
  permission: "allow",
  execute: async (args, context: BuiltinToolContext) => {
    const change = { summary: String(args["summary"]), files: filesOf(args) };
    const proposed = await editor.propose(change, context.signal);
    try {
      if (proposed.asks) await agree(change.summary, proposed, { context, questionsOf });
      const { text, made } = await proposed.apply(context.keeper, context.signal);
      return { content: [{ type: "text", text }], details: { ...made } };
    } finally {
      proposed.discard();
    }
  },
});

const PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    summary: { type: "string", description: "What the change is for, in one line" },
    files: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: {
          path: { type: "string", description: "A file, relative to your directory" },
          content: { type: "string", description: "Its whole new text; instead of `old` and `new`" },
          old: { type: "string", description: "A text that it contains once" },
          new: { type: "string", description: "What replaces that text" },
        },
        required: ["path"],
      },
    },
  },
  required: ["summary", "files"],
};

function filesOf({ files }: JsonObject): readonly ChangedFile[] {
  return (Array.isArray(files) ? files : []).map((file): ChangedFile => {
    const { path, content, old, new: text } = isRecord(file) ? file : {};
    if (!isText(path)) throw new Error("each of `files` needs a `path`");
    if (isText(content)) return { path, change: { content } };
    if (isText(old) && isText(text)) return { path, change: { old, new: text } };
    throw new Error(`${path} needs \`content\`, or \`old\` and \`new\``);
  });
}

interface Asking {
  readonly context: BuiltinToolContext;
  readonly questionsOf: FindQuestions;
}

/** Rejects unless the user agrees. */
async function agree(summary: string, { lines }: ProposedChange, { context, questionsOf }: Asking): Promise<void> {
  const message = [`The agent wants to change its own files: ${summary}`, ...lines].join("\n");
  const request = { type: "form", message, schema: { type: "object", properties: {} } } as const;
  const subject = { kind: "elicitation", server: NAME, request } as const;
  const { answer, reason } = await questionsOf(context.sessionId).askBeside(subject, context.signal);
  if (typeof answer === "object") return;
  throw new Error(`the change was not made: ${reason ?? "the user did not agree to it"}`);
}

/** The changes of the agent's own files that a prompt made, in their order. */
export function madeChanges({ begin, turns }: PromptHistory): readonly MadeChange[] {
  const tool = begin?.plan.tools.find(({ name, origin }) => name === NAME && origin === "builtin");
  const results = turns.flatMap(({ calls }) =>
    calls.flatMap(({ call, result }) => (call.name === tool?.wire ? (result ?? []) : [])),
  );
  return results.flatMap(({ details }) => madeChange(details) ?? []);
}

function madeChange(details: unknown): MadeChange | undefined {
  if (!isRecord(details)) return undefined;
  const { summary, paths, commit, trust } = details;
  if (!isText(summary) || !Array.isArray(paths) || !paths.every(isText)) return undefined;
  return { summary, paths, ...(isText(commit) && { commit }), ...(isText(trust) && { trust }) };
}
