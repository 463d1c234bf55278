// Prints the local day of a moment: `local-day-process.ts MOMENT`.
import { localDay } from "../../packages/sessions/src/usage/usage-log.ts";

const [moment = ""] = process.argv.slice(2);
console.log(JSON.stringify(localDay(Date.parse(moment))));
