import { request } from "node:http";
import { type FleetView, fleetViewSchema } from "../../../src/contract/fleet.ts";
import { type HealthView, healthViewSchema } from "../../../src/contract/health.ts";

/** GET /v1/fleet on the fleet's socket. */
export async function askDaemon(socketPath: string): Promise<FleetView> {
  return fleetViewSchema.parse(await get(socketPath, "/v1/fleet"));
}

/** GET /v1/health on the fleet's socket. */
export async function askHealth(socketPath: string): Promise<HealthView> {
  return healthViewSchema.parse(await get(socketPath, "/v1/health"));
}

async function get(socketPath: string, path: string): Promise<unknown> {
  return await new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, timeout: 5_000 }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", reject).on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`GET ${path}: ${response.statusCode} ${text}`));
      });
    });
    asked.on("timeout", () => asked.destroy(new Error(`GET ${path}: no answer`)));
    asked.on("error", reject).end();
  });
}
