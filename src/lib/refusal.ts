/** What the client must change: thrown where a request is read, answered as an error of OpenAI's shape. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: string;
  readonly param: string | undefined;

  constructor(code: string, words: string, param?: string) {
    super(words);
    this.code = code;
    this.param = param;
  }
}

/** The commonest: a field that is not what it should be. */
export function invalid(param: string, words: string): Refusal {
  return new Refusal("invalid", words, param);
}
