// `npm run diagnostics`: writes the page of all diagnostics anew, from the rules and the corpus of broken directories.
import { DIAGNOSTICS_PAGE, diagnosticsPage } from "./diagnostics/page.ts";

await Bun.write(DIAGNOSTICS_PAGE, await diagnosticsPage());
