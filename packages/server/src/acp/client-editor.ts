import { whenAborted } from "@mdx-ai/base";
import type { EditorCommand, EditorCommandEnd, UserEditor } from "@mdx-ai/tools";
import type { Editor } from "./editor.ts";

/** Milliseconds after which a client has not read or written a file. */
const FILE_LIMIT = 30_000;

export interface ClientEditorOptions {
  readonly sessionId: string;
  /** Whether commands run in the client's terminals. */
  readonly hasTerminals: boolean;
  /** Shows a terminal as the output of a call. */
  showTerminal(callId: string, terminalId: string): Promise<void>;
}

/** The files and terminals of a client, as far as it offers them. */
export function clientEditor(editor: Editor, options: ClientEditorOptions): UserEditor {
  const { fs, terminal } = editor.capabilities;
  const { sessionId, hasTerminals } = options;
  const limit = () => ({ cancellationSignal: AbortSignal.timeout(FILE_LIMIT), stopWaitingOnCancel: true });
  return {
    ...(fs?.readTextFile === true && {
      readText: async (path) =>
        (await editor.connection.request("fs/read_text_file", { sessionId, path }, limit())).content,
    }),
    ...(fs?.writeTextFile === true && {
      writeText: async (path, content) => {
        await editor.connection.request("fs/write_text_file", { sessionId, path, content }, limit());
      },
    }),
    ...(terminal === true && hasTerminals && { runCommand: (command) => runInTerminal(command, editor, options) }),
  };
}

async function runInTerminal(
  { callId, words, cwd, environment, outputBytes, signal }: EditorCommand,
  editor: Editor,
  { sessionId, showTerminal }: ClientEditorOptions,
): Promise<EditorCommandEnd> {
  const [command, ...args] = words;
  const env = Object.entries(environment).map(([name, value]) => ({ name, value }));
  await using terminal = await editor.connection.createTerminal({
    ...{ sessionId, command, args, cwd, env },
    outputByteLimit: outputBytes,
  });
  await showTerminal(callId, terminal.id);
  using _stopped = whenAborted(signal, () => void terminal.kill().catch(() => {}));
  const { exitCode = null, signal: ended = null } = await terminal.waitForExit();
  const { output, truncated } = await terminal.currentOutput();
  return { output, isTruncated: truncated, exitCode, signal: ended };
}
