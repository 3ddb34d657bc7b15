/** What is wrong, and where in the configuration. */
export type ConfigProblem = { readonly path: readonly (string | number)[]; readonly words: string };
