import { type Environment, lineText } from "@mdx-ai/base";
import type { HeartbeatReceiver } from "@mdx-ai/parser";
import type { HeartbeatNews } from "./heartbeat-scheduler.ts";
import type { WakeSession } from "./run-wake.ts";
import { HEARTBEAT_MARK } from "./wake-message.ts";

/** What the news of a heartbeat use. */
export interface NotifyParts {
  /** The folder in which commands run. Absolute. */
  readonly agentDir: string;
  readonly environment: Environment;
  session(id?: string): Pick<WakeSession, "submit">;
  /** Receives why news did not arrive. */
  readonly report: (text: string) => void;
}

/** How long a receiver may take, in milliseconds. */
const MAX_TIME = 30_000;

/** Sends news to their receivers, side by side. Never rejects. */
export async function notify(
  receivers: readonly HeartbeatReceiver[],
  news: HeartbeatNews,
  parts: NotifyParts,
): Promise<void> {
  const send = async (receiver: HeartbeatReceiver): Promise<void> => {
    try {
      await sendTo(receiver, news, parts);
    } catch (error) {
      parts.report(`@notify: ${receiver.type} was not told that ${news.task} has news: ${lineText(error)}`);
    }
  };
  await Promise.all(receivers.map(send));
}

async function sendTo(receiver: HeartbeatReceiver, news: HeartbeatNews, parts: NotifyParts): Promise<void> {
  switch (receiver.type) {
    case "command":
      return runCommand(receiver.command, news, parts);
    case "url": {
      const headers = { "content-type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify(news), signal: AbortSignal.timeout(MAX_TIME) };
      const answer = await fetch(receiver.url, request);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      return;
    }
    case "session": {
      const id = receiver.session === "main" ? undefined : receiver.session;
      await parts.session(id).submit(newsMessage(news));
    }
  }
}

const newsMessage = ({ event, task, reason }: HeartbeatNews): string =>
  `${HEARTBEAT_MARK} The task ${JSON.stringify(task)} has news: ${event}. Reason: ${reason}`;

/** Gives the news to a command on standard input. Rejects if it fails or takes too long. */
async function runCommand(command: string, news: HeartbeatNews, { agentDir, environment }: NotifyParts): Promise<void> {
  const child = Bun.spawn(["/bin/sh", "-c", command], {
    ...{ cwd: agentDir, env: { ...environment } },
    ...{ stdin: new Blob([`${JSON.stringify(news)}\n`]), stdout: "ignore", stderr: "pipe", timeout: MAX_TIME },
  });
  const [problem, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`exit code ${code}: ${problem.trim().slice(0, 200)}`);
}
