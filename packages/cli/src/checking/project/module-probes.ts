/** What asks of each module whether its default export can be a module at all; relative imports, one a line. */
export function moduleProbes(modules: readonly string[]): string {
  const hooks = [
    ...["describe", "initialize", "tools", "systemPrompt", "start", "stop"],
    ...["beforePrompt", "beforeTool", "afterTool", "afterPrompt"],
  ];
  const optional = hooks.slice(2).map((hook) => `${hook}?: Hook`);
  const required = hooks.slice(0, 2).map((hook) => `${hook}: Hook`);
  const lines = modules.map(
    (module, index) =>
      `import module${index} from ${JSON.stringify(`./${module}`)}; module${index} satisfies AgentModule;`,
  );
  const types = [
    "type Hook = (...args: never[]) => unknown;",
    `interface AgentModule { ${[...required, ...optional].join("; ")} }`,
  ];
  return `${[...lines, ...types].join("\n")}\n`;
}
