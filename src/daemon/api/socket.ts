import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { dirname, join } from "node:path";

/**
 * Listens on a Unix socket that only its owner may open, and goes on where somebody takes the file away. The socket
 * is made under a name of its own and renamed: it is never open to others, and whoever closes later (the runtime
 * unlinks the name that it was made with) takes nothing away that is not his.
 */
export class Socket {
  readonly #path: string;
  readonly #handle: RequestListener;
  readonly #servers: Server[] = [];
  #inode: bigint | undefined;

  constructor(path: string, handle: RequestListener) {
    this.#path = path;
    this.#handle = handle;
  }

  async listen(): Promise<void> {
    const own = join(dirname(this.#path), `.${randomBytes(3).toString("hex")}`);
    const server = createServer(this.#handle);
    server.listen({ path: own });
    await once(server, "listening");
    chmodSync(own, 0o600);
    const inode = inodeOf(own);
    renameSync(own, this.#path);
    this.#inode = inode;
    // Nobody finds the one before any more; what it serves goes on.
    for (const before of this.#servers.splice(0)) before.close();
    this.#servers.push(server);
  }

  /** Makes the socket again where it is not there, or is another one's. True where that was needed. */
  async keep(): Promise<boolean> {
    if (this.#inode === undefined || inodeOf(this.#path) === this.#inode) return false;
    await this.listen();
    return true;
  }

  async close(): Promise<void> {
    if (inodeOf(this.#path) === this.#inode) rmSync(this.#path, { force: true });
    this.#inode = undefined;
    const closing = this.#servers.splice(0).map(async (server) => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    });
    await Promise.all(closing);
  }
}

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
