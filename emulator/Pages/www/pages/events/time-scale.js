// The scale of the timeline, which maps times to positions. Long idle periods are shortened; otherwise a replay on
// the next day would compress everything else to a pixel.

/** Returns the periods in which anything runs, ordered and disjoint: [[start, end], …]. */
function busy(nodes, now) {
  const times = nodes
    .filter(({ kind }) => kind !== "delivery")
    .map(({ offsetMs, durationMs }) => [offsetMs, Math.max(offsetMs, offsetMs + (durationMs ?? now - offsetMs))])
    .sort((a, b) => a[0] - b[0]);
  const spans = [];
  for (const [start, end] of times) {
    const last = spans.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else spans.push([start, end]);
  }
  return spans;
}

/**
 * Creates the scale. now is the end of nodes that still run. place(ms) is between 0 and 1; timeAt(place) is its
 * inverse; breaks are the positions at which time is left out.
 */
export function timeScale(nodes, now) {
  const spans = busy(nodes, now);
  const work = spans.reduce((sum, [start, end]) => sum + end - start, 0);
  const longest = Math.max(1_000, work);
  // Pairs [time, position so far]; the scale is linear between them.
  const points = [[0, 0]];
  const breaks = [];
  let length = 0;
  let before = 0;
  for (const [start, end] of spans) {
    const gap = Math.max(0, start - before);
    const isCut = gap > longest;
    length += isCut ? longest / 10 : gap;
    if (isCut) breaks.push(length - longest / 20);
    points.push([start, length]);
    length += end - start;
    points.push([end, length]);
    before = end;
  }
  const total = Math.max(length, 0.001);
  const between = (value, from, to) => {
    const index = Math.max(1, points.findIndex((point) => point[from] >= value));
    const [a, b] = [points[index - 1], points[index] ?? points[index - 1]];
    const part = b[from] === a[from] ? 0 : (value - a[from]) / (b[from] - a[from]);
    return a[to] + part * (b[to] - a[to]);
  };
  return {
    place: (ms) => Math.min(1, Math.max(0, ms >= points.at(-1)[0] ? 1 : between(ms, 0, 1) / total)),
    timeAt: (place) => between(place * total, 1, 0),
    breaks: breaks.map((at) => at / total),
  };
}
