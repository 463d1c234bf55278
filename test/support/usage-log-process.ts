// Records lines in a usage log: `usage-log-process.ts PATH SESSION COUNT`, then prints the day's tokens and the warnings.
import { UsageLog } from "../../packages/sessions/src/usage/usage-log.ts";
import { usageLine } from "./usage-line.ts";

const [path = "", session = "", count = ""] = process.argv.slice(2);
const warnings: string[] = [];
const usageLog = new UsageLog({ path, onWarning: (message) => warnings.push(message) });
for (let number = 1; number <= Number(count); number++) {
  usageLog.record(usageLine({ session, prompt: number, at: new Date().toISOString() }));
}
console.log(JSON.stringify({ cost: usageLog.today(Date.now()).cost, warnings }));
