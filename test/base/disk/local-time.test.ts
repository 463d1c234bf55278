import { expect, test } from "bun:test";
import { join } from "node:path";

const source = join(import.meta.dir, "../../../packages/base/src/disk/local-time.ts");

test.each([
  ["UTC", "2026-11-22T01:30:00.123+00:00"],
  ["America/New_York", "2026-11-21T20:30:00.123-05:00"],
  ["Europe/Vienna", "2026-11-22T02:30:00.123+01:00"],
  ["Asia/Kolkata", "2026-11-22T07:00:00.123+05:30"],
  ["Pacific/Marquesas", "2026-11-21T16:00:00.123-09:30"],
])("a machine in %s writes its own date", async (zone, expected) => {
  const program = `import { localTime } from ${JSON.stringify(source)};
    console.log(localTime(Date.parse("2026-11-22T01:30:00.123Z")));`;
  const child = Bun.spawn([process.execPath, "-e", program], { env: { ...process.env, TZ: zone }, stdout: "pipe" });
  expect((await new Response(child.stdout).text()).trim()).toBe(expected);
});

test("without TZ the time is the same as Date's", async () => {
  const program = `import { localTime } from ${JSON.stringify(source)};
    const now = Date.now();
    const minutes = (Date.parse(localTime(now).slice(0, 23) + "Z") - now) / 60_000;
    console.log(minutes === -new Date(now).getTimezoneOffset());`;
  const { TZ: _, ...env } = process.env;
  const child = Bun.spawn([process.execPath, "-e", program], { env, stdout: "pipe" });
  expect((await new Response(child.stdout).text()).trim()).toBe("true");
});
