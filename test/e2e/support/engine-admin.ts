import {
  type EngineState,
  engineStateSchema,
  type RequestRecord,
  requestRecordSchema,
} from "../../../src/contract/engine-http.ts";
import { until } from "./until.ts";

/** What an operator's tools see and do on one engine: its control routes, opened by the fleet's secret. */
export class EngineAdmin {
  readonly url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, secret: string) {
    this.url = url;
    this.#headers = { "x-pdctl-secret": secret, "content-type": "application/json" };
  }

  async state(): Promise<EngineState> {
    return engineStateSchema.parse(await this.#get("/admin/v1/state"));
  }

  async records(): Promise<RequestRecord[]> {
    const answer = (await this.#get("/admin/v1/requests")) as { readonly requests: readonly unknown[] };
    return answer.requests.map((record) => requestRecordSchema.parse(record));
  }

  async fault(name: string, on: boolean): Promise<void> {
    const body = JSON.stringify({ name, on });
    const response = await this.#fetch("/admin/v1/faults", { method: "POST", body });
    if (!response.ok) throw new Error(`fault ${name} on ${this.url}: ${response.status} ${await response.text()}`);
  }

  /** Waits until nothing is queued and no page belongs to anybody. */
  async quiet(withinMs: number): Promise<EngineState> {
    let last: EngineState | undefined;
    return await until(`${this.url} to be quiet`, withinMs, async () => {
      last = await this.state();
      return isQuiet(last) ? last : undefined;
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(last)}`);
    });
  }

  async #get(path: string): Promise<unknown> {
    const response = await this.#fetch(path, {});
    if (!response.ok) throw new Error(`GET ${path} of ${this.url}: ${response.status} ${await response.text()}`);
    return await response.json();
  }

  async #fetch(path: string, more: RequestInit): Promise<Response> {
    return await fetch(`${this.url}${path}`, { headers: this.#headers, signal: AbortSignal.timeout(10_000), ...more });
  }
}

/** No request in any queue, no page of a sequence, in transfer or held, and a page table that adds up. */
export function isQuiet(state: EngineState): boolean {
  const queued = Object.values(state.queues).reduce((sum, count) => sum + count, 0);
  const { total, free, live, held } = state.pages;
  return queued === 0 && live === 0 && held === 0 && free === total && state.pagesWrong === "";
}
