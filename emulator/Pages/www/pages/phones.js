// The page of phones and providers: received pushes, usage and cost, and faults on demand.

import { fill, h } from "../lib/dom.js";
import { status } from "../lib/emulator.js";
import { openFaults } from "./phones/faults.js";
import { openPhones } from "./phones/lock-screens.js";
import { openUsage } from "./phones/usage.js";

export async function open(main) {
  const { engines, realProviders } = await status();
  const parts = [openPhones(), openFaults(), openUsage()];
  fill(main,
    h("h1", {}, "Phones & providers"),
    h("p", { className: "engines" }, "Provider responses come from: ", h("strong", {}, engines),
      realProviders.length ? h("span", { className: "tag warn" }, `real: ${realProviders.join("; ")}`) : null),
    parts.map(({ element }) => element),
  );
  await Promise.all(parts.map(({ first }) => first));
  return () => parts.forEach(({ close }) => close());
}
