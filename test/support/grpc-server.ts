import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type GrpcObject,
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { loadSync, type PackageDefinition } from "@grpc/proto-loader";
import { temporaryDirectory } from "./temporary-directory.ts";

export const WEATHER_PROTO = `syntax = "proto3";
package weather.v1;

import "google/protobuf/timestamp.proto";

service Weather {
  rpc Forecast (Place) returns (Report);
  rpc Hours (Place) returns (stream Report);
  rpc Collect (stream Place) returns (Report);
  rpc Slow (Place) returns (Report);
}

enum Sky { UNKNOWN = 0; SUNNY = 1; }

message Place {
  string city = 1;
  int64 days_ahead = 2;
  repeated string tags = 3;
}

message Report {
  string text = 1;
  Sky sky = 2;
  int64 big = 3;
  bytes raw = 4;
  google.protobuf.Timestamp at = 5;
  repeated Place places = 6;
}
`;

export interface GrpcTestServer extends AsyncDisposable {
  readonly port: number;
  /** The calls that arrived, with the authority that they named. */
  readonly seen: readonly string[];
}

export interface GrpcServerOptions {
  /** Adds other services to it, such as reflection. */
  readonly add?: (server: Server, definition: PackageDefinition) => void;
  readonly isWithoutService?: boolean;
}

/** A server of the service weather.v1.Weather on loopback. */
export async function grpcServer({ add, isWithoutService }: GrpcServerOptions = {}): Promise<GrpcTestServer> {
  using folder = temporaryDirectory();
  const file = join(folder.path, "weather.proto");
  writeFileSync(file, WEATHER_PROTO);
  const definition = loadSync(file, { keepCase: true, longs: String });
  const server = new Server();
  const seen: string[] = [];
  if (!isWithoutService) server.addService(serviceIn(loadPackageDefinition(definition)), implementation(seen));
  add?.(server, definition);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { port, seen, [Symbol.asyncDispose]: async () => server.forceShutdown() };
}

function serviceIn(root: GrpcObject) {
  const service = [root["weather"]].flatMap((one) => (typeof one === "object" && "v1" in one ? [one["v1"]] : []));
  const found = service.flatMap((one) => (typeof one === "object" && "Weather" in one ? [one["Weather"]] : []))[0];
  if (typeof found !== "function" || !("service" in found)) throw new Error("there is no service");
  return found.service;
}

interface Place {
  readonly city: string;
  readonly tags: readonly string[];
}

function implementation(seen: string[]): UntypedServiceImplementation {
  return {
    Forecast: (call: ServerUnaryCall<Place, object>, answer: sendUnaryData<object>) => {
      seen.push(`${JSON.stringify(call.request)} ${call.getHost()}`);
      const { city, tags } = call.request;
      if (city === "nowhere") return answer({ code: 5, details: "there is no such place" });
      if (city === "huge") return answer(null, { text: "x".repeat(5_000_000) });
      answer(null, {
        text: `sun over ${city}`,
        sky: 1,
        big: "9007199254740993",
        raw: Buffer.from("ab"),
        places: [{ city, tags }],
      });
    },
    Hours: (call: ServerWritableStream<Place, object>) => {
      let hour = 0;
      const write = (): void => {
        if (call.cancelled) return;
        const isEndless = call.request.city === "endless";
        if (!isEndless && hour === 3) return void call.end();
        call.write({ text: `hour ${hour++}` });
        setImmediate(write);
      };
      write();
    },
    Collect: (_call: unknown, answer: sendUnaryData<object>) => answer(null, {}),
    Slow: () => {},
  };
}
