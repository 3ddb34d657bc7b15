import { headerNames } from "../contract/openai.ts";
import { askJson, type HttpAsk } from "../lib/http-json.ts";
import { limited } from "../lib/wait.ts";

/** Where control routes are, and what opens them. */
export type Door = { readonly url: string; readonly secret: string };

const askLimitMs = 3_000;

/** Asks a control route of an engine or the router. Throws where it does not answer with 200 in time. */
export async function askAdmin({ url, secret }: Door, path: string, { signal, ...ask }: HttpAsk): Promise<unknown> {
  const headers = { [headerNames.secret]: secret };
  const { status, body } = await askJson(
    { url: `${url}/admin/v1${path}` },
    { ...ask, headers, signal: limited(askLimitMs, signal) },
  );
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return body;
}
