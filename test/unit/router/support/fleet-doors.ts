import { limited } from "../../../../src/lib/wait.ts";
import type { AdmitBody, EdgesBody, HoldBody, RouterRequest } from "../../../../src/contract/router-http.ts";
import { admit, hold, putEdges } from "../../../../src/drivers/embedded-router/control.ts";
import { routerRequests } from "../../../../src/drivers/embedded-router/probe.ts";
import type { FixtureEngine } from "./fixture-engine.ts";
import { secret } from "./running-router.ts";

type Row = EdgesBody["engines"][number];

/** What a daemon says to a router, with the functions that it uses. */
export class Daemon {
  readonly #door: { readonly url: string; readonly secret: string };

  constructor(url: string) {
    this.#door = { url, secret };
  }

  async put(engines: readonly Row[], more: Partial<EdgesBody> = {}): Promise<void> {
    await putEdges(this.#door, { epoch: 1, engines: [...engines], ...more }, limited(20_000));
  }

  async hold(more: Partial<HoldBody> = {}): Promise<void> {
    const usual = { epoch: 1, leaseMs: 60_000, why: "decode d0 stands still" };
    await hold(this.#door, { ...usual, ...more }, limited(20_000));
  }

  async admit(body: AdmitBody = { epoch: 1 }): Promise<void> {
    await admit(this.#door, body, limited(20_000));
  }

  async requests(): Promise<readonly RouterRequest[]> {
    return await routerRequests(this.#door, limited(20_000));
  }
}

/** Rows of the table. */
export function prefillRow(name: string, { url }: FixtureEngine, more: Partial<Row> = {}): Row {
  return { name, role: "prefill", url, bootstrap: "127.0.0.1:8998", generation: 1, admits: true, ...more };
}

export function decodeRow(name: string, { url }: FixtureEngine, more: Partial<Row> = {}): Row {
  return { name, role: "decode", url, generation: 1, admits: true, ...more };
}
