// The feed of the list: the emulator's deliveries and calls, loaded in pages, with live updates.

import { api, stream } from "../../lib/emulator.js";
import { isCall, microseconds } from "./words.js";

const PORTION = 100;
/** The emulator's maximum page size. */
const LARGEST_PORTION = 1_000;
/** The maximum number of items. Filters find the others. */
const MAXIMUM = 5_000;

/**
 * Creates the feed. filters() returns {state, function, document, text}. onChange() is called at most once per frame,
 * after a change of items, hasMore, functions, news or error; onLoad() after everything was loaded
 * again. items are {id, report, time}, newest first.
 */
export function makeFeed({ filters, onChange, onLoad = () => {} }) {
  const feed = {
    items: [], hasMore: false, functions: [], error: null, isLoading: true,
    isPaused: false, news: 0, load, loadMore, setPaused, close,
    isFull: () => feed.hasMore && feed.items.length >= MAXIMUM,
  };
  let known = new Map();
  const unseen = new Set();
  let loading = null;
  /** The reports that arrive during a load, which the response may not contain. */
  let meanwhile = [];
  let frame = null;
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

  /** Loads everything again. */
  async function load(limit = PORTION) {
    loading?.abort();
    const own = (loading = new AbortController());
    feed.isLoading = true;
    meanwhile = [];
    try {
      const page = await api.get(query({ limit }), { signal: own.signal });
      feed.items = page.invocations.map(item);
      known = new Map(feed.items.map((item) => [item.id, item]));
      Object.assign(feed, { hasMore: page.hasMore, functions: page.functions, error: null, news: 0 });
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

  /** Loads the items that are older than the last one. */
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
      // The emulator no longer has the last item, nor any item before it.
      feed.hasMore = false;
    }
    loading = null;
    changed();
  }

  function add(items) {
    const fresh = items.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return;
    for (const item of fresh) known.set(item.id, item);
    // The emulator has the same order.
    feed.items = [...fresh, ...feed.items].sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
    if (feed.items.length <= MAXIMUM) return;
    for (const { id } of feed.items.splice(MAXIMUM)) known.delete(id);
    feed.hasMore = true;
  }

  /** Returns whether a report matches the filters, except the text, which only the emulator can search. */
  function takes(report) {
    const { state, function: name, document } = filters();
    return (!state || report.state === state) && (!name || report.function === name)
      && (!document || (!isCall(report) && report.document.includes(document)));
  }

  function take(reports) {
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

  /** Loads everything again, one load after another. A text search covers everything that the emulator keeps. */
  function reload() {
    isStale = true;
    reloading ??= setTimeout(async () => {
      isStale = false;
      // A paused feed is loaded when it is resumed. The limit keeps the position of a list that is scrolled down.
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
    clearTimeout(reloading);
  }

  return feed;
}
