import { Engine, startRouter } from "./engine.ts";
import { makeHome, removeHome } from "./home.ts";
import type { Running } from "./running.ts";

/** A prefill engine, a decode engine and a router, started by hand, for what a fleet's configuration does not reach. */
export class Pair {
  readonly prefill: Engine;
  decode: Engine;
  readonly url: string;
  readonly #home: string;
  readonly #router: Running;

  private constructor(home: string, parts: { prefill: Engine; decode: Engine; router: Running; url: string }) {
    this.#home = home;
    this.prefill = parts.prefill;
    this.decode = parts.decode;
    this.#router = parts.router;
    this.url = parts.url;
  }

  static async start(more: readonly string[] = []): Promise<Pair> {
    const home = makeHome();
    const started: Engine[] = [];
    try {
      const prefill = await Engine.start(home, "prefill", {
        role: "prefill",
        more: ["--bootstrap", "127.0.0.1:0", ...more],
      });
      started.push(prefill);
      const decode = await Engine.start(home, "decode", { role: "decode", more });
      started.push(decode);
      const router = await startRouter(home, prefill, decode);
      return new Pair(home, { prefill, decode, router: router.process, url: router.url });
    } catch (error) {
      for (const engine of started) await engine.end();
      removeHome(home);
      throw error;
    }
  }

  /** Another decode engine at the address of the one that is gone. */
  async startDecodeAgain(): Promise<void> {
    const listen = new URL(this.decode.ready.url).host;
    this.decode = await Engine.start(this.#home, "decode", { role: "decode", listen });
  }

  async end(): Promise<void> {
    await this.#router.end();
    await this.decode.end();
    await this.prefill.end();
    removeHome(this.#home);
  }

  said(): string {
    return [this.prefill.process, this.decode.process, this.#router].map((process) => process.said()).join("\n");
  }
}
