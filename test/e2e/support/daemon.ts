import { request } from "node:http";
import { type FleetView, fleetViewSchema } from "../../../src/contract/fleet.ts";

/** GET /v1/fleet on the fleet's socket. */
export async function askDaemon(socketPath: string): Promise<FleetView> {
  const path = "/v1/fleet";
  return await new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, timeout: 5_000 }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", reject).on("end", () => {
        if (response.statusCode === 200) resolve(fleetViewSchema.parse(JSON.parse(text)));
        else reject(new Error(`GET ${path}: ${response.statusCode} ${text}`));
      });
    });
    asked.on("timeout", () => asked.destroy(new Error(`GET ${path}: no answer`)));
    asked.on("error", reject).end();
  });
}
