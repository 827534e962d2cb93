// Typing indicators: typingIndicators/{conversationId}/{uid} in the Realtime Database is the time of a key.

import { followMembership } from "./membership.js";

const staleMilliseconds = 3_000;
const pauseMilliseconds = 1_000;

/** The typing in a conversation that isn't connected. */
export const noTyping = { uids: [], key() {}, stop() {}, close() {} };

/**
 * Opens the typing of a conversation, which works as long as the user is a member. onChange() is called after every
 * change of the other users who are typing.
 */
export function openTyping({ socket, conversationId, user, onChange }) {
  const parent = ["typingIndicators", conversationId];
  let telling = noTyping;
  let hearing = noTyping;

  function end() {
    telling.close();
    hearing.close();
    telling = hearing = noTyping;
  }

  const stop = followMembership({
    socket, conversationId, user,
    onChange(isMember) {
      end();
      if (isMember) {
        telling = tellTyping(socket, [...parent, user.uid]);
        hearing = hearTyping(socket, parent, user.uid, onChange);
      }
      onChange();
    },
  });

  return {
    /** The other users who are typing. */
    get uids() {
      return hearing.uids;
    },
    key: () => telling.key(),
    stop: () => telling.stop(),
    close() {
      stop();
      end();
    },
  };
}

/**
 * Tells at most once a second that this user is typing. Three seconds after the last key, it tells that the user has
 * stopped. If the connection ends before, the server does so.
 */
function tellTyping(socket, path) {
  let told = 0;
  let timer;

  // An indicator that can't be written or removed is soon stale anyway.
  const write = (value) => socket.put(path, value).catch(() => {});
  const prepare = () => socket.putAtEnd(path, null).catch(() => {});

  function stop() {
    clearTimeout(timer);
    if (told) write(null);
    told = 0;
  }

  const stopPreparing = socket.onConnection(prepare);
  return {
    key() {
      clearTimeout(timer);
      timer = setTimeout(stop, staleMilliseconds);
      if (Date.now() - told < pauseMilliseconds) return;
      told = Date.now();
      write({ ".sv": "timestamp" });
    },
    stop,
    close() {
      stopPreparing();
      stop();
    },
  };
}

/** Listens to the other users who are typing. */
function hearTyping(socket, path, uid, onChange) {
  let times = new Map();
  /** The end of each indicator. */
  const until = new Map();
  let timer;

  function expire() {
    clearTimeout(timer);
    for (const [other, end] of until) if (end <= Date.now()) until.delete(other);
    if (until.size) timer = setTimeout(expire, Math.min(...until.values()) - Date.now());
    onChange();
  }

  const stop = socket.watch(path, (value, isFirst) => {
    const before = times;
    times = timesOf(value);
    for (const other of until.keys()) if (!times.has(other)) until.delete(other);
    for (const [other, time] of times) {
      if (other === uid || time === before.get(other)) continue;
      // The first data may be old, so it expires some time after its own time. Later data expires some time after
      // its arrival, so that differences between clocks don't matter.
      until.set(other, (isFirst ? Math.min(time, Date.now()) : Date.now()) + staleMilliseconds);
    }
    expire();
  });

  return {
    get uids() {
      return [...until.keys()];
    },
    close() {
      clearTimeout(timer);
      stop();
    },
  };
}

/** Returns the times in the data by user ID. Anything else, and a priority, counts as absent. */
const timesOf = (value) =>
  new Map(Object.entries(value ?? {}).filter(([key, time]) => typeof time === "number" && !key.startsWith(".")));
