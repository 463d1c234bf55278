import { ifExists } from "@mdx-ai/base";
import { type Cost, noCost } from "@mdx-ai/loop";
import { isRaise, type UsageLine } from "./usage-line.ts";
import { readUsageLines } from "./usage-log.ts";
import { withLine } from "./usage-view.ts";

/** What one day, session, task, model or agent has cost. */
export interface UsageShare {
  readonly name: string;
  readonly cost: Cost;
}

/** The usage of an agent. Days are of the local time zone, newest first; the others begin with the most expensive one. */
export interface UsageReport {
  readonly total: Cost;
  readonly days: readonly UsageShare[];
  readonly sessions: readonly UsageShare[];
  /** Of heartbeat.md. */
  readonly tasks: readonly UsageShare[];
  readonly models: readonly UsageShare[];
  /** Those that worked for this one. */
  readonly agents: readonly UsageShare[];
}

/** Adds up a usage log from a moment on, in milliseconds since 1970. Deleted sessions are counted. Throws `NewerVersionError` or the file system's error. */
export function usageReport(path: string, since: number): UsageReport {
  const names = ["days", "sessions", "tasks", "models", "agents"] as const;
  const shares = {
    days: new Shares(),
    sessions: new Shares(),
    tasks: new Shares(),
    models: new Shares(),
    agents: new Shares(),
  };
  let total = noCost;
  const count = (line: UsageLine): void => {
    total = withLine(total, line);
    const { session, task, model, agent } = line;
    const of = { days: dayOf(line.at), sessions: session, tasks: task, models: model, agents: agent };
    for (const name of names) shares[name].add(of[name], line);
  };
  ifExists(() =>
    readUsageLines(path, (line) => {
      if (!isRaise(line) && Date.parse(line.at) >= since) count(line);
    }),
  );
  const byCost = { sessions: shares.sessions.byCost(), tasks: shares.tasks.byCost(), models: shares.models.byCost() };
  return { total, days: shares.days.byName(), ...byCost, agents: shares.agents.byCost() };
}

class Shares {
  readonly #costs = new Map<string, Cost>();

  add(name: string | undefined, line: UsageLine): void {
    if (name !== undefined) this.#costs.set(name, withLine(this.#costs.get(name) ?? noCost, line));
  }

  byName(): readonly UsageShare[] {
    return this.#all().sort((one, other) => (one.name < other.name ? 1 : -1));
  }

  byCost(): readonly UsageShare[] {
    return this.#all().sort(
      ({ cost: one }, { cost: other }) => other.usd - one.usd || other.usage.total - one.usage.total,
    );
  }

  #all(): UsageShare[] {
    return [...this.#costs].map(([name, cost]) => ({ name, cost }));
  }
}

/** Such as "2026-11-21". */
function dayOf(at: string): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
