// The list's content: what the emulator has, page by page, and what happens meanwhile.

import { api, stream } from "../../lib/emulator.js";
import { isCall, microseconds } from "./words.js";

const PORTION = 100;
/** The emulator gives no more at once. */
const LARGEST_PORTION = 1_000;
/** More than anybody scrolls through; the rest is a filter away. */
const MAXIMUM = 5_000;

/**
 * filters() gives {state, function, document, text}. onChange() is called, once a frame at most, when
 * items, hasMore, deadLetters, functions, news or error are others; onLoad() when all was read anew.
 * items are {id, report, time}, the newest first.
 */
export function makeFeed({ filters, onChange, onLoad = () => {} }) {
  const feed = {
    items: [], hasMore: false, deadLetters: 0, functions: [], error: null, isLoading: true,
    isPaused: false, news: 0, load, loadMore, setPaused, close,
    isFull: () => feed.hasMore && feed.items.length >= MAXIMUM,
  };
  let known = new Map();
  const unseen = new Set();
  let loading = null;
  /** What happened while everything is read anew: the answer may not have it yet. */
  let meanwhile = [];
  let frame = null;
  let counting = null;
  let reloading = null;
  let isStale = false;
  let isClosed = false;

  const changed = () => {
    frame ??= requestAnimationFrame(() => {
      frame = null;
      onChange();
    });
  };

  const item = (report) => ({ id: report.id, report, time: microseconds(report.recorded) });

  function query(members) {
    const given = Object.entries({ ...filters(), ...members }).filter(([, value]) => value !== "");
    return `invocations?${new URLSearchParams(given)}`;
  }

  /** Reads everything anew. */
  async function load(limit = PORTION) {
    loading?.abort();
    const own = (loading = new AbortController());
    feed.isLoading = true;
    meanwhile = [];
    try {
      const page = await api.get(query({ limit }), { signal: own.signal });
      feed.items = page.invocations.map(item);
      known = new Map(feed.items.map((item) => [item.id, item]));
      Object.assign(feed, { hasMore: page.hasMore, deadLetters: page.deadLetters, error: null, news: 0 });
      feed.functions = page.functions;
      unseen.clear();
    } catch (error) {
      if (own.signal.aborted) return;
      Object.assign(feed, { items: [], hasMore: false, error });
      known.clear();
    }
    loading = null;
    feed.isLoading = false;
    if (!feed.isPaused) merge(meanwhile);
    meanwhile = [];
    onLoad();
    changed();
  }

  /** Reads what is older than the last. */
  async function loadMore() {
    if (loading || !feed.hasMore || feed.items.length === 0 || feed.isFull()) return;
    const own = (loading = new AbortController());
    try {
      const before = feed.items.at(-1).id;
      const page = await api.get(query({ limit: PORTION, before }), { signal: own.signal });
      feed.hasMore = page.hasMore;
      add(page.invocations.map(item));
    } catch (error) {
      if (own.signal.aborted) return;
      // The last one is forgotten by now, and so are all before it.
      feed.hasMore = false;
    }
    loading = null;
    changed();
  }

  function add(items) {
    const fresh = items.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return;
    for (const item of fresh) known.set(item.id, item);
    feed.items = [...fresh, ...feed.items].sort((a, b) => b.time - a.time);
    if (feed.items.length <= MAXIMUM) return;
    for (const { id } of feed.items.splice(MAXIMUM)) known.delete(id);
    feed.hasMore = true;
  }

  /** Whether what happens belongs into the list; text is the emulator's to find. */
  function takes(report) {
    const { state, function: name, document } = filters();
    return (!state || report.state === state) && (!name || report.function === name)
      && (!document || (!isCall(report) && report.document.includes(document)));
  }

  function take(reports) {
    if (reports.some(({ state }) => state === "deadLettered") || feed.deadLetters > 0) count();
    if (feed.isPaused) {
      for (const report of reports) {
        if (unseen.size < MAXIMUM && !known.has(report.id) && takes(report)) unseen.add(report.id);
      }
      feed.news = unseen.size;
      return changed();
    }
    if (filters().text) return reload();
    if (feed.isLoading) meanwhile.push(...reports);
    else merge(reports);
    changed();
  }

  function merge(reports) {
    const fresh = new Map();
    let gone = false;
    const oldest = feed.hasMore ? (feed.items.at(-1)?.time ?? 0) : 0;
    for (const report of reports) {
      const old = known.get(report.id);
      if (!takes(report)) {
        gone = known.delete(report.id) || gone;
        fresh.delete(report.id);
      } else if (old) old.report = report;
      else if (microseconds(report.recorded) >= oldest) fresh.set(report.id, item(report));
    }
    if (gone) feed.items = feed.items.filter(({ id }) => known.has(id));
    add([...fresh.values()]);
  }

  const later = (timer, work) => timer ?? setTimeout(work, 500);

  /** How many dead letters there are now. */
  function count() {
    counting = later(counting, async () => {
      counting = null;
      feed.deadLetters = (await api.get("invocations?limit=0").catch(() => feed)).deadLetters;
      changed();
    });
  }

  /** Reads everything anew, one reading after the other. A search goes through all that is remembered. */
  function reload() {
    isStale = true;
    reloading ??= setTimeout(async () => {
      isStale = false;
      // Who has paused it meanwhile sees it all on going on.
      // And nobody who reads further down loses their place.
      if (!feed.isPaused) await load(Math.min(LARGEST_PORTION, Math.max(PORTION, feed.items.length)));
      reloading = null;
      if (isStale && !isClosed) reload();
    }, filters().text ? 2_000 : 500);
  }

  function setPaused(isPaused) {
    feed.isPaused = isPaused;
    if (!isPaused) load();
    changed();
  }

  const lost = () => {
    if (!feed.isPaused) reload();
  };
  const ends = [
    stream.subscribe("deliveries", take, lost),
    stream.subscribe("calls", take),
  ];

  function close() {
    isClosed = true;
    loading?.abort();
    for (const end of ends) end();
    cancelAnimationFrame(frame);
    clearTimeout(counting);
    clearTimeout(reloading);
  }

  return feed;
}
