// Records lines in a ledger: `ledger-process.ts PATH SESSION COUNT`, then tells the day's tokens and what went wrong.
import { Ledger } from "../../packages/runtime/src/spending/ledger.ts";
import { ledgerLine } from "./ledger-line.ts";

const [path = "", session = "", count = ""] = process.argv.slice(2);
const warnings: string[] = [];
const ledger = new Ledger({ path, onWarning: (message) => warnings.push(message) });
for (let number = 1; number <= Number(count); number++) {
  ledger.record(ledgerLine({ session, prompt: number, at: new Date().toISOString() }));
}
console.log(JSON.stringify({ spending: ledger.today(Date.now()), warnings }));
