import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { CertificateAuthority } from "../../packages/sandbox/src/credentials/certificate-authority.ts";
import { writeText } from "./agent-files.ts";

/** A name of the public network. No request reaches the host that it may belong to. */
export const PUBLIC_HOST = "agents.example";

/** A host of the public network, as its user sees it who reaches it by a proxy. */
export interface ProxiedHost extends AsyncDisposable {
  /** The user's variables: the proxy, and the authority of the host's certificate. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the proxy was asked for, as "CONNECT agents.example:443"; other hosts are refused. */
  readonly asked: readonly string[];
}

/** Opens a host that answers by HTTPS as `PUBLIC_HOST`, and a proxy that leads to it and nowhere else. `file` gets the certificate. */
export async function proxiedHost(
  file: string,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<ProxiedHost> {
  const authority = new CertificateAuthority();
  writeText(file, authority.certificate);
  const host = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: authority.issue(PUBLIC_HOST), fetch: answer });
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  proxy.on("connect", (request, client) => {
    asked.push(`CONNECT ${request.url}`);
    client.on("error", () => {});
    if (request.url !== `${PUBLIC_HOST}:443`) return client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const server = connect(host.port ?? 0, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      server.pipe(client).pipe(server);
    });
    return server.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = portOf(proxy.address());
  return {
    environment: { HTTPS_PROXY: `http://127.0.0.1:${address}`, NODE_EXTRA_CA_CERTS: file, GIT_SSL_CAINFO: file },
    asked,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await host.stop(true);
    },
  };
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" ? (address?.port ?? 0) : 0;
