export { type ContainerTarget, containerTarget } from "./container-target.ts";
export type { EntrypointMistake } from "./entrypoint-mistake.ts";
export { propertyNames } from "./find-mistake.ts";
export { type GrpcServer, type GrpcTarget, grpcTarget } from "./grpc-target.ts";
export { type HttpTarget, httpTarget } from "./http-target.ts";
export { type PythonTarget, pythonTarget } from "./python-target.ts";
export { BASE_DIRECTORY, shellTemplate } from "./shell-template.ts";
export type { ShellTemplate, TemplateArgument } from "./template-parts.ts";
