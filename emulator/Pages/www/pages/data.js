import { h } from "../lib/dom.js";

export function open(main) {
  main.append(h("h1", {}, "Data"));
}
