import { expect, vi } from "vitest";

export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, {
    method: "POST",
    body: text,
    headers: { "content-type": "application/json", ...headers },
    signal: signal ?? null,
  });
}

/** Waits until something holds; the limit is only for a test that fails. */
export async function eventually(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

export async function expectError(response: Response, status: number, code: string, words: RegExp): Promise<void> {
  expect(response.status).toBe(status);
  const { error } = (await response.json()) as { readonly error: { readonly message: string; readonly code: string } };
  expect(error.code).toBe(code);
  expect(error.message).toMatch(words);
}
