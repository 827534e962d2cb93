// Typing indicators: typingIndicators/{conversationId}/{uid} in the Realtime Database is the time of a key.

import { followMembership } from "./membership.js";

/** The time after which an indicator without another key expires. */
const expiryMilliseconds = 3_000;
/** The least time between two writes of an indicator. */
const writeMilliseconds = 1_000;

/** The typing in a conversation that isn't connected. */
export const noTyping = { uids: [], key() {}, stop() {}, close() {} };

/**
 * Opens the typing of a conversation, which works as long as the user is a member. onChange() is called after every
 * change of the other users who are typing.
 */
export function openTyping({ socket, conversationId, user, onChange }) {
  const parent = ["typingIndicators", conversationId];
  let isMember = false;
  /** A Boolean value that indicates whether the rules have refused the listener. */
  let isRefused = false;
  let writer = noTyping;
  let listener = noTyping;

  function begin() {
    writer = openWriter(socket, [...parent, user.uid]);
    listener = openListener({ socket, path: parent, uid: user.uid, onChange, onRefusal: () => (isRefused = true) });
  }

  function end() {
    writer.close();
    listener.close();
    writer = listener = noTyping;
    isRefused = false;
  }

  const stop = followMembership({
    socket, conversationId, user,
    onValue(value) {
      // A membership that has ended and begun again between two values ends the listener, too.
      if (value === isMember && !isRefused) return;
      isMember = value;
      end();
      if (isMember) begin();
      onChange();
    },
  });

  return {
    /** The other users who are typing. */
    get uids() {
      return listener.uids;
    },
    /** Shows this user as typing, for some seconds. */
    key: () => writer.key(),
    /** Shows this user as not typing. */
    stop: () => writer.stop(),
    close() {
      stop();
      end();
    },
  };
}

/**
 * Writes this user's indicator with the keys, at most once a second, and removes it three seconds after the last one.
 * If the connection ends before, the server removes it.
 */
function openWriter(socket, path) {
  /** The time of the last write, or 0 without an indicator. */
  let lastWrite = 0;
  let timer;

  // An indicator that can't be written or removed soon expires on the other phones.
  const write = (value) => socket.put(path, value).catch(() => {});
  const prepare = () => socket.putAtEnd(path, null).catch(() => {});

  function stop() {
    clearTimeout(timer);
    if (lastWrite) write(null);
    lastWrite = 0;
  }

  const stopPreparing = socket.onConnection(prepare);
  return {
    key() {
      clearTimeout(timer);
      timer = setTimeout(stop, expiryMilliseconds);
      if (Date.now() - lastWrite < writeMilliseconds) return;
      lastWrite = Date.now();
      write({ ".sv": "timestamp" });
    },
    stop,
    close() {
      stopPreparing();
      stop();
    },
  };
}

/** Listens to the other users who are typing. onRefusal() is called when the rules have ended the listener. */
function openListener({ socket, path, uid, onChange, onRefusal }) {
  let times = new Map();
  /** The expiry of each indicator. */
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
      until.set(other, (isFirst ? Math.min(time, Date.now()) : Date.now()) + expiryMilliseconds);
    }
    expire();
  }, onRefusal);

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
