import { shellWords } from "./shell-words.ts";

/** What `up` prints once the fleet serves: the URL, and a line to try. */
export function upWords(url: string): string {
  const body = '{"messages":[{"role":"user","content":"What is the capital of France?"}],"max_tokens":32}';
  return `${url}\ncurl -s ${url}/v1/chat/completions -H 'content-type: application/json' -d '${body}'\n`;
}

/** What `up --dry-run` prints: a line that a shell would take, with the environment that the configuration adds. */
export function planWords(
  plan: readonly {
    readonly name: string;
    readonly env: Readonly<Record<string, string>>;
    readonly argv: readonly string[];
  }[],
): string {
  return plan
    .map(({ name, env, argv }) => {
      const set = Object.entries(env).map(([key, value]) => `${key}=${shellWords([value])}`);
      return `# ${name}\n${[...set, shellWords(argv)].join(" ")}\n`;
    })
    .join("");
}
