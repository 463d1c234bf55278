import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** What keeps a browser still that nobody uses: no sandbox of its own, no calls home. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A page in a real browser, and what it did on its own. */
export interface WatchedPage {
  readonly page: Page;
  /** What it loaded or tried to load. */
  readonly requests: readonly string[];
  /** What its console said, and errors of its scripts. */
  readonly complaints: readonly string[];
}

/** Starts the Chromium of this machine with a profile of its own that is removed with it. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: Bun.which("chromium") ?? "chromium", args: FLAGS });

/** Opens an address on a page of its own. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(address);
  return { page, requests, complaints };
}
