/**
 * Has the bundler take what packages ship for production. Those of micromark ship a second copy for development, with assertions in
 * it, which the bundler would take otherwise, and which `patches/` do not change.
 */
export const PRODUCTION = { define: { "process.env.NODE_ENV": '"production"' } } as const;
