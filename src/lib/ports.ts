import { once } from "node:events";
import { createServer } from "node:net";

/** Whether one could listen there now: undefined when free, else the system's code ("EADDRINUSE", "EACCES" …). */
export async function listenProblem({ host, port }: { host: string; port: number }): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code);
    throw error;
  }
  server.close();
  await once(server, "close");
  return undefined;
}
