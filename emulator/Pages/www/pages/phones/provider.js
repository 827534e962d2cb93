// The fakes' own routes, on the functions port.

import { request, service } from "../../lib/emulator.js";

/** Sends a request to a route of the fakes, such as provider("GET", "fcm/inbox"). */
export async function provider(method, path, body) {
  return request(method, `${await service("functions")}/providers/${path}`, { body });
}
