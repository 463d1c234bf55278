// The entry of the worker that parses large files, so that the thread that answers signals and users never waits.
import { parentPort, workerData } from "node:worker_threads";
import { defined } from "@mdx-ai/base";
import { defineAgent } from "../define-agent.ts";
import type { CacheEntry } from "../definition-cache.ts";
import { type ParsedSkills, parseSkills } from "../skills/parse-skills.ts";
import { currentThread, type WorkerMessage, type WorkerTask } from "./define-in-worker.ts";

const send = (message: WorkerMessage<CacheEntry | ParsedSkills>): void => parentPort?.postMessage(message);

const thread = currentThread();
const onFile = (file: string): void => send({ type: "started", file, ...defined({ thread }) });
const task: WorkerTask = workerData;
const entry = task.unit === "agent" ? await defineAgent(task.files, { onFile }) : parseSkills(task.files, onFile);
send({ type: "parsed", entry });
