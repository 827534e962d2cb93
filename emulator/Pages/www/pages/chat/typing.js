// Typing indicators: documents "conversations/{id}/typing/{uid}" with {userId, isTyping, timestamp}.

import { idOf } from "../../lib/firestore.js";
import { listen } from "../../lib/listeners.js";
import { membersOf } from "../../lib/members.js";

const staleMilliseconds = 3_000;
const pauseMilliseconds = 1_000;

/**
 * Reports at most once a second that this user is typing. Three seconds after the last key, it reports that the user
 * has stopped.
 */
export function tellTyping(firestore, conversationId) {
  let told = 0;
  let timer;

  async function write(isTyping) {
    const { uid } = firestore;
    try {
      await firestore.commit([{
        update: {
          name: await firestore.name(`conversations/${conversationId}/typing/${uid}`),
          fields: { userId: { stringValue: uid }, isTyping: { booleanValue: isTyping } },
        },
        updateTransforms: [{ fieldPath: "timestamp", setToServerValue: "REQUEST_TIME" }],
      }]);
    } catch {
      // The indicator would be stale soon anyway.
    }
  }

  function stop() {
    clearTimeout(timer);
    if (told) write(false);
    told = 0;
  }

  return {
    key() {
      clearTimeout(timer);
      timer = setTimeout(stop, staleMilliseconds);
      if (Date.now() - told < pauseMilliseconds) return;
      told = Date.now();
      write(true);
    },
    stop,
  };
}

/** Listens to the other users who are typing. onChange() is called after every change. */
export function hearTyping(parent, user, onChange) {
  const until = new Map();
  let isFirst = true;
  let timer;

  function plan() {
    clearTimeout(timer);
    if (until.size) timer = setTimeout(expire, Math.max(0, Math.min(...until.values()) - Date.now()));
  }

  function expire() {
    for (const [other, end] of until) if (end <= Date.now()) until.delete(other);
    plan();
    onChange();
  }

  const stop = listen({
    query: { parent, structuredQuery: { from: [{ collectionId: "typing" }], limit: 100 } },
  }, ({ documents, changed }) => {
    for (const name of changed) {
      const other = idOf(name);
      const members = membersOf(documents.get(name));
      // An indicator in the first snapshot expires some time after its own timestamp. A later one expires some time
      // after now, so that differences between clocks don't matter.
      const since = isFirst ? Date.parse(members.time("timestamp")) || 0 : Date.now();
      if (other !== user.uid && members.isTrue("isTyping")) until.set(other, since + staleMilliseconds);
      else until.delete(other);
    }
    isFirst = false;
    expire();
  }, () => {}, user);

  return {
    get uids() {
      return [...until.keys()];
    },
    stop() {
      clearTimeout(timer);
      stop();
    },
  };
}
