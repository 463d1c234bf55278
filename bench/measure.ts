import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { READ_FILE } from "./answer.ts";
import type { Contestant } from "./contestants.ts";
import type { Recording } from "./model-server.ts";
import type { Scenario } from "./scenarios.ts";

/** One run of a contestant. Times in milliseconds. */
export interface Run {
  readonly contestant: Contestant["name"];
  readonly scenario: string;
  /** From the start of the process to the arrival of its first request. */
  readonly firstRequest: number;
  /** From the end of the last answer to the end of the process. */
  readonly exit: number;
  /** From the end of answer i to the arrival of request i + 1. */
  readonly gaps: readonly number[];
  /** User and system time of the process and of those that it waited for. */
  readonly cpu: number;
  /** MiB. */
  readonly peakMemory: number;
}

/** A run that did not do what was scripted. */
class FailedRunError extends Error {
  override readonly name = "FailedRunError";
}

const TIME_PROGRAM = "/usr/bin/time";
const TIMEOUT_MS = 300_000;

const now = (): number => performance.timeOrigin + performance.now();

export interface MeasureOptions {
  readonly contestant: Contestant;
  readonly scenario: Scenario;
  readonly modelUrl: string;
}

/** Runs a scenario once and checks that it went as scripted; rejects with `FailedRunError` if it did not. */
export async function measure({ contestant, scenario, modelUrl }: MeasureOptions): Promise<Run> {
  const { name: tool, parameter } = contestant.readTool ?? READ_FILE;
  const query = new URLSearchParams({ tool, parameter });
  await fetch(`${modelUrl}/begin/${scenario.name}?${query}`, { method: "POST" });
  const process = await runProcess(contestant);
  const { exchanges, lastBody } = await readRecording(modelUrl);
  const ranTools = scenario.evidence === undefined || lastBody.includes(scenario.evidence);
  if (process.exitCode !== 0 || exchanges.length !== scenario.replies.length || !ranTools) {
    const what = `exit code ${process.exitCode}, ${exchanges.length} of ${scenario.replies.length} requests`;
    throw new FailedRunError(`${contestant.name}, ${scenario.name}: ${what}\n${process.errors}`);
  }
  return {
    contestant: contestant.name,
    scenario: scenario.name,
    firstRequest: (exchanges[0]?.arrivedAt ?? Number.NaN) - process.startedAt,
    exit: process.endedAt - (exchanges.at(-1)?.endedAt ?? Number.NaN),
    gaps: exchanges.slice(1).map(({ arrivedAt }, index) => arrivedAt - (exchanges[index]?.endedAt ?? Number.NaN)),
    cpu: process.cpu,
    peakMemory: process.peakMemory,
  };
}

/** What the model server has recorded since the last `begin`. */
export async function readRecording(modelUrl: string): Promise<Recording> {
  const response = await fetch(`${modelUrl}/recording`);
  const recording: unknown = await response.json();
  if (!isRecording(recording)) throw new Error("The model server tells no recording.");
  return recording;
}

/** The server is this benchmark's own, so its exchanges are taken on trust. */
const isRecording = (value: unknown): value is Recording =>
  typeof value === "object" && value !== null && "exchanges" in value && "lastBody" in value;

interface FinishedProcess {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly exitCode: number;
  readonly cpu: number;
  readonly peakMemory: number;
  readonly errors: string;
}

async function runProcess({ command, folder, environment }: Contestant): Promise<FinishedProcess> {
  const memoryFile = join(folder, "peak-memory");
  // A child counts the memory of the process that forked it; GNU time is small enough not to show.
  const prefix = existsSync(TIME_PROGRAM) ? [TIME_PROGRAM, "-q", "-f", "%M", "-o", memoryFile] : [];
  const startedAt = now();
  const child = Bun.spawn([...prefix, ...command], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: TIMEOUT_MS,
  });
  const errors = child.stderr.text();
  const exitCode = await child.exited;
  const endedAt = now();
  const usage = child.resourceUsage();
  const kibibytes = prefix.length > 0 ? Number(await readFile(memoryFile, "utf8")) : Number(usage?.maxRSS ?? 0) / 1024;
  await rm(memoryFile, { force: true });
  return {
    startedAt,
    endedAt,
    exitCode,
    cpu: Number(usage?.cpuTime.total ?? 0) / 1000,
    peakMemory: kibibytes / 1024,
    errors: await errors,
  };
}
