/**
 * Makes the bundler use the production builds of packages. micromark also ships a development build with assertions, which the bundler
 * would choose, and which `patches/` do not change.
 */
export const PRODUCTION = { define: { "process.env.NODE_ENV": '"production"' } } as const;
