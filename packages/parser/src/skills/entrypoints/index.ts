export { type ContainerTarget, containerTarget } from "./container-target.ts";
export { type EntrypointMistake, type EntrypointScheme, type NeededFile, propertyNames } from "./entrypoint-scheme.ts";
export { type GrpcServer, type GrpcTarget, grpcTarget, protoFile } from "./grpc-target.ts";
export { type HttpTarget, httpTarget } from "./http-target.ts";
export { type PythonTarget, pythonTarget } from "./python-target.ts";
export {
  ENTRYPOINT_SCHEMES,
  type EntrypointSchemes,
  entrypointMistake,
  neededFile,
  readEntrypoint,
} from "./schemes.ts";
export type { ShellTemplate, TemplateArgument } from "./shell-template.ts";
export { BASE_DIRECTORY, shellTemplate } from "./shell-template.ts";
