// The routes of the fakes, at the functions port.

import { request, service } from "../../lib/emulator.js";

/** Asks one of the fakes' own routes, such as provider("GET", "fcm/inbox"). */
export async function provider(method, path, body) {
  return request(method, `${await service("functions")}/providers/${path}`, { body });
}
