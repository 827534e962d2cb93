// Where on a line of a certain width a time of the trace is. Long times in which nothing went on are cut
// to a short one: a replay of the next morning would leave the rest of the story in a pixel.

/** Of all bars, the times in which something goes on, in order and apart: [[start, end], …]. */
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
 * now is the time of what isn't over. place(ms) is between 0 and 1, timeAt(place) the other way round;
 * breaks are the places where time is left out.
 */
export function timeScale(nodes, now) {
  const spans = busy(nodes, now);
  const work = spans.reduce((sum, [start, end]) => sum + end - start, 0);
  const longest = Math.max(1_000, work);
  // [time, length on the line so far], between which lines are straight.
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
