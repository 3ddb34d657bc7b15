/** Everything that starting one process takes. */
export type ProcessSpec = {
  readonly name: string;
  readonly role: "prefill" | "decode" | "both" | "router";
  readonly driver: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly readyFile: string;
  /** How long it may take to be ready. */
  readonly startMs: number;
  /** How long it may take to end after SIGTERM. */
  readonly stopMs: number;
};

/** What the specs of a fleet have in common. */
export type LaunchGround = {
  /** How this program is run: the Node and the script. */
  readonly self: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly run: string;
  readonly secretFile: string;
};
