import { dataLayout } from "../layout.ts";
import type { AgentLog } from "../log/agent-log.ts";
import { keptLogs, type OldLogs, openOldLogs } from "../log/old-logs.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Session } from "../session/session.ts";
import type { AgentOptions, Clock } from "../types/agent.ts";
import type { AgentEvent } from "../types/event.ts";
import type { PromptObserver } from "../types/prompt-observer.ts";
import { logEvent } from "./log-event.ts";
import { openSessionLog, type SessionLog } from "./session-log.ts";

export interface AgentLogsOptions {
  readonly options: AgentOptions;
  /** The options as they are now: settings may change while the agent is open. */
  current(): AgentOptions;
  readonly clock: Clock;
  /** The one for people. */
  readonly log: AgentLog;
  readonly redactor: Redactor;
  readonly onWarning: (message: string) => void;
}

/** What an agent writes into `logs/`, for people and for programs, and how long it is kept. */
export class AgentLogs {
  /** Those for programs. */
  readonly sessions: SessionLog;
  readonly #log: AgentLog;
  readonly #redactor: Redactor;
  readonly #old: OldLogs;

  constructor({ options, current, clock, log, redactor, onWarning }: AgentLogsOptions) {
    const { ephemeral, dataDirectory = options.directory.path } = options;
    const directory = ephemeral ? undefined : dataLayout(dataDirectory).logs;
    const days = (): number | undefined => current().directory.definition.settings.logs?.days;
    const sessions = openSessionLog({ directory, model: options.model.name, clock, redactor, onWarning });
    const written = async (): Promise<void> => {
      await Promise.all([log.settled(), sessions.settled()]);
    };
    this.sessions = sessions;
    this.#log = log;
    this.#redactor = redactor;
    this.#old = directory === undefined ? keptLogs : openOldLogs({ directory, clock, onWarning, days, written });
  }

  /** Those who write down what becomes of a prompt that begins. */
  observers(session: Session): readonly PromptObserver[] {
    this.#old.look();
    const send = (event: AgentEvent): void => logEvent(this.#log, { session, event, redactor: this.#redactor });
    return [{ send, fail: () => {} }, this.sessions.begin(session)];
  }

  /** Resolves when all is in its files. Never rejects. */
  async settled(): Promise<void> {
    await this.sessions.settled();
    await this.#log.settled();
    await this.#old.settled();
  }
}
