import { shellWord } from "@mdx-ai/base";
import type { ReloadListener } from "./reloader.ts";

export interface UnattendedReload {
  /** The agent's directory, as the user named it. */
  readonly directory: string;
  /** Whether the run trusts the directory, whatever it contains. */
  readonly isTrusted: boolean;
  /** Shows a line to the user. */
  readonly say: (text: string) => void;
  /** What the user does after `mdx-ai trust`, as the end of a sentence. Default: nothing. */
  readonly afterTrust?: string;
  /** Called after each reload. */
  readonly onReloaded?: () => void;
}

/** How an agent is reloaded where nobody is asked: changed code runs once the user trusts it, or if the run trusts the directory. */
export const unattendedReload = ({
  directory,
  isTrusted,
  say,
  afterTrust = "",
  onReloaded = () => {},
}: UnattendedReload): ReloadListener => ({
  reloaded: () => {
    say("reloaded");
    onReloaded();
  },
  broken: () => say(`the files have mistakes, so the agent runs on unchanged; mdx-ai check ${shellWord(directory)}`),
  askTrust: async () => {
    if (isTrusted) return "once";
    say(`its code has changed, so the agent runs on unchanged; mdx-ai trust ${shellWord(directory)}${afterTrust}`);
    return "no";
  },
});
