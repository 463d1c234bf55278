import { plainLine } from "@mdx-ai/directory/text";
import { agoText, dollars, duration, grouped, localTime } from "@mdx-ai/directory/views/figures";
import type { HeartbeatReport, RunReport, TaskReport } from "@mdx-ai/runtime/heartbeat";

/** What is due and what ran, for people. */
export function reportText({ tasks, runs, isPaused }: HeartbeatReport, now: number): string {
  if (tasks.length === 0) return "Nothing wakes this agent: heartbeat.md has no time.\n";
  const spent = runs.reduce((sum, { usd }) => sum + usd, 0);
  const tokens = runs.reduce((sum, run) => sum + run.tokens, 0);
  return [
    ...(isPaused ? ["Paused: no task runs until it is resumed."] : []),
    "Tasks",
    ...tasks.map((task) => `  ${taskLine(task, now)}`),
    "",
    runs.length === 0 ? "Runs: none" : `Runs: ${grouped(tokens)} tokens, ${dollars(spent)}`,
    ...runs.map((run) => `  ${runLine(run)}`),
    "",
  ].join("\n");
}

function taskLine({ name, next, failures, overdue, running }: TaskReport, now: number): string {
  const states = [
    next === null ? "never due again" : `next ${timeOf(next)}, in ${duration(Math.max(0, Date.parse(next) - now))}`,
    ...(running === undefined ? [] : [`runs since ${timeOf(running)}`]),
    ...(overdue === undefined ? [] : [`did not run at ${timeOf(overdue)}, ${agoText(now - Date.parse(overdue))}`]),
    ...(failures === 0 ? [] : [`failed ${failures} times in a row`]),
  ];
  return `${plainLine(name)}: ${states.join("; ")}`;
}

function runLine({ at, task, outcome, usd, tokens, reason }: RunReport): string {
  const cost = tokens === 0 ? "" : `, ${grouped(tokens)} tokens, ${dollars(usd)}`;
  const why = reason === undefined ? "" : `: ${plainLine(reason)}`;
  return `${timeOf(at)} ${plainLine(task)}: ${outcome}${cost}${why}`;
}

const timeOf = (time: string): string => localTime(Date.parse(time));
