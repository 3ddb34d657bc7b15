import { instances } from "../contract/instances.ts";
import { type Intent, intentSchema, type SavedFleet, savedFleetSchema } from "../contract/saved-fleet.ts";
import { parsedJson } from "../lib/parsed-json.ts";
import type { Places } from "../lib/places.ts";
import { secretIn } from "../lib/read-secret.ts";
import type { Fleet } from "./fleet.ts";
import { KnownFile } from "./known-file.ts";

/** What the files of the fleet say: what it is, its secret, and what is wished of it. */
export class FleetFiles {
  readonly #saved: KnownFile<SavedFleet>;
  readonly #secret: KnownFile<string>;
  readonly #intent: KnownFile<Intent>;

  constructor({ saved, secret, intent }: Places) {
    this.#saved = new KnownFile(saved, (text) => savedFleetSchema.safeParse(parsedJson(text)).data);
    this.#secret = new KnownFile(secret, secretIn);
    this.#intent = new KnownFile(intent, (text) => intentSchema.safeParse(parsedJson(text)).data);
  }

  /** Undefined where they never could be read: then the fleet is not known, and nothing is done to it. */
  fleet(): Fleet | undefined {
    const [saved, secret] = [this.#saved.look(), this.#secret.look()];
    if (saved === undefined || secret === undefined) return undefined;
    const engines = instances(saved.config).map(({ name, engine }) => ({ name, engine }));
    return { saved, secret, engines };
  }

  intent(): Intent | undefined {
    return this.#intent.look();
  }

  /** What is wrong with them, as they were looked at last. */
  faults(): readonly string[] {
    return [this.#saved, this.#secret, this.#intent].flatMap(({ fault }) => fault ?? []);
  }

  /** Writes them again, for the daemon that is to come. Only for who holds the lock. */
  restore(): void {
    for (const file of [this.#saved, this.#secret, this.#intent]) file.restore();
  }
}
