import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

export type NameLock = { readonly release: () => void };

/**
 * Holds a name in the kernel for as long as this process lives: an abstract Unix socket, which leaves no file
 * and cannot be left behind by a process that was killed. Undefined where another process holds it.
 */
export async function lockName(name: string): Promise<NameLock | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 32);
  try {
    server.listen({ path: `\0pdctl-${process.getuid?.() ?? 0}-${digest}` });
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined;
    throw error;
  }
  return { release: () => server.close() };
}
