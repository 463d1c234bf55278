// Fetches an address once for each list of variables, and prints as JSON which of them went through a proxy that answers "proxy":
// `bun fetch-by-proxy-process.ts '[[ADDRESS, {"HTTP_PROXY": …}], …]'`.
const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = JSON.parse(process.argv[2] ?? "[]");
const proxied: boolean[] = [];
for (const [address, variables] of cases) {
  for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name];
  Object.assign(process.env, variables);
  const text = await fetch(address).then(
    (response) => response.text(),
    () => "",
  );
  proxied.push(text === "proxy");
}
console.log(JSON.stringify(proxied));
