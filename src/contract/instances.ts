import type { EngineConfig, FleetConfig } from "./config.ts";

/** One engine process of the configuration: an entry, or one of its `count`. */
export type Instance = {
  readonly name: string;
  readonly engine: EngineConfig;
  readonly port: number;
  readonly bootstrapPort: number;
  readonly gpus: readonly number[];
  /** Index of the entry in `engines`, for messages. */
  readonly entry: number;
};

/** Every engine process, in the order of the file. */
export function instances(config: FleetConfig): Instance[] {
  return config.engines.flatMap((engine, entry) =>
    Array.from({ length: engine.count ?? 1 }, (_, index) => ({
      name: engine.count === undefined ? engine.name : `${engine.name}-${index}`,
      engine,
      port: step(engine.port, index, engine["port-step"]),
      bootstrapPort: step(engine["bootstrap-port"], index, engine["port-step"]),
      gpus: engine.gpus?.[index] ?? [],
      entry,
    })),
  );
}

// Port 0 stays 0: each instance gets one of the system's choice.
function step(base: number, index: number, by: number): number {
  return base === 0 ? 0 : base + index * by;
}
