import { z } from "zod";

/** How the daemon starts a native engine: `pdctl engine` takes each key as a flag (`--socket-dir DIR`). */
export type EngineLaunch = {
  readonly name: string;
  readonly role: "prefill" | "decode" | "both";
  readonly model: string;
  /** What answers call the model, where it has a name of its own. */
  readonly servedName?: string;
  /** HTTP, host:port; port 0 picks one. */
  readonly listen: string;
  /** Where prefill waits for decode, host:port; port 0 picks one. Prefill only. */
  readonly bootstrap?: string;
  readonly socketDir: string;
  readonly secretFile: string;
  /** Written whole and renamed once the engine serves; see readySchema. */
  readonly readyFile: string;
  readonly threads: number;
  readonly pool: string;
  readonly context?: number;
  readonly sequences?: number;
  readonly deadlineBootstrap: string;
  readonly deadlineWaiting: string;
  readonly deadlineInflight: string;
  readonly deadlineConnect: string;
  readonly allowFaults: boolean;
};

/** The same for `pdctl router`. `prefill` and `decode` may be given several times. */
export type RouterLaunch = {
  readonly name: string;
  readonly listen: string;
  /** NAME=URL,BOOTSTRAP_HOST:PORT */
  readonly prefill: readonly string[];
  /** NAME=URL */
  readonly decode: readonly string[];
  readonly replay: "unsent" | "never";
  readonly secretFile: string;
  readonly readyFile: string;
  readonly deadlineConnect: string;
  readonly deadlineFirstToken: string;
  readonly deadlineTokenGap: string;
};

/** What an engine or the router writes into its ready file. */
export const readySchema = z.object({
  pid: z.number(),
  /** Of its HTTP, with the port that was picked. */
  url: z.string(),
  bootstrapPort: z.number().optional(),
  model: z.string().optional(),
});

export type Ready = z.infer<typeof readySchema>;
