export type Answer = {
  readonly status: number;
  readonly text: string;
  readonly finishReason: string | undefined;
  readonly promptTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** The whole body, for errors. */
  readonly body: string;
};

export type Ask = {
  readonly prompt: string | readonly number[];
  readonly max_tokens: number;
  readonly [more: string]: unknown;
};

type Completion = {
  readonly choices?: readonly { readonly text?: string; readonly finish_reason?: string | null }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
};

/** What two equal answers have in common: not their ids and times. */
export type Told = Omit<Answer, "body">;

export function told({ body: _, ...rest }: Answer): Told {
  return rest;
}

/** Greedy, not streaming. Connection errors are answers too: status 0 and the words. */
export async function complete(
  url: string,
  ask: Ask,
  signal: AbortSignal = AbortSignal.timeout(120_000),
): Promise<Answer> {
  return post(`${url}/v1/completions`, JSON.stringify({ model: "any", temperature: 0, ...ask }), signal);
}

/** Posts a body as it is written, so that numbers beyond a double stay what they are. */
export async function post(
  url: string,
  body: string,
  signal: AbortSignal = AbortSignal.timeout(60_000),
  headers: Record<string, string> = {},
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      signal,
    });
    return answerOf(response.status, await response.text());
  } catch (error) {
    return answerOf(0, error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
}

function answerOf(status: number, body: string): Answer {
  const parsed = status === 200 ? (JSON.parse(body) as Completion) : {};
  const choice = parsed.choices?.[0];
  return {
    status,
    text: choice?.text ?? "",
    finishReason: choice?.finish_reason ?? undefined,
    promptTokens: parsed.usage?.prompt_tokens,
    outputTokens: parsed.usage?.completion_tokens,
    body,
  };
}
