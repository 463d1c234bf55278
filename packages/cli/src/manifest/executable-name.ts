/** Whether a file has the name of code that Bun or a shell runs. */
export const isExecutable = (path: string): boolean => /\.(?:[cm]?[jt]sx?|sh|bash|py|rb|pl|wasm|node)$/i.test(path);
