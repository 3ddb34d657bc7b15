import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { Listener } from "../../../../src/daemon/exporter/listener.ts";

async function holder(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

function listener(port: number, page = async () => ({ contentType: "text/plain", text: "x 1\n" })): Listener {
  const made = new Listener({ host: "127.0.0.1", port }, page, 10);
  onTestFinished(async () => await made.close());
  return made;
}

test("a port that is taken is served as soon as it is free", async () => {
  const { server, port } = await holder();
  const waiting = listener(port);
  await waiting.listen();
  expect(waiting.fault).toContain("Another process listens");
  await new Promise((resolve) => server.close(resolve));
  await vi.waitFor(() => expect(waiting.address).toBe(`127.0.0.1:${port}`), { timeout: 20_000 });
  expect(waiting.fault).toBeUndefined();
  expect(await (await fetch(`http://${waiting.address}/metrics`)).text()).toBe("x 1\n");
});

test("a page that cannot be made is an answer of its own", async () => {
  const broken = listener(0, async () => {
    throw new Error("no page");
  });
  await broken.listen();
  const response = await fetch(`http://${broken.address}/metrics`);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain("no page");
});

test("to close ends a connection that is still open", async () => {
  const begun = Promise.withResolvers<void>();
  const slow = listener(0, async () => {
    begun.resolve();
    return await new Promise(() => undefined);
  });
  await slow.listen();
  const asked = fetch(`http://${slow.address}/metrics`).then(
    () => "answered",
    () => "ended",
  );
  await begun.promise;
  await slow.close();
  expect(await asked).toBe("ended");
});
