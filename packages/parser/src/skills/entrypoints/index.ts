export { propertyNames } from "./find-mistake.ts";
export type { ShellTemplate, TemplateArgument } from "./shell-template.ts";
export { BASE_DIRECTORY, shellTemplate } from "./shell-template.ts";
export type { EntrypointMistake } from "./targets.ts";
export {
  type ContainerTarget,
  containerTarget,
  type GrpcServer,
  type GrpcTarget,
  grpcTarget,
  type HttpTarget,
  httpTarget,
  type PythonTarget,
  pythonTarget,
} from "./targets.ts";
