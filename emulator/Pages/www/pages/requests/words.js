// The words that the page uses for requests.

import { h } from "../../lib/dom.js";
import { marked } from "../../lib/marked-text.js";

export const decisionTag = (isAllowed) =>
  h("span", { className: `tag ${isAllowed ? "good" : "bad"}` }, isAllowed ? "allowed" : "denied");

/** Returns who has sent a request. */
export const userName = ({ uid }) => (uid === undefined ? h("i", {}, "nobody") : marked(uid));
