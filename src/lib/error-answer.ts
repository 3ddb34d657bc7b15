export type ErrorAnswer = { readonly status: number; readonly body: string };

/** How an error reads in a protocol; `param` names the field of the request that is wrong. */
export type ErrorWriter = (failure: { readonly code: string; readonly words: string }, param?: string) => ErrorAnswer;
