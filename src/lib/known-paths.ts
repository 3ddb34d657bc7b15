import type { FastifyInstance } from "fastify";

/** Which methods a path knows, asked when one came that it does not. Must be made before the routes. */
export function methodsByPath(app: FastifyInstance): (path: string) => readonly string[] {
  const routes: { readonly method: string; readonly pattern: RegExp }[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:[^/]+/g, "[^/]+")}$`);
    for (const one of [method].flat()) routes.push({ method: one, pattern });
  });
  return (path) => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}
