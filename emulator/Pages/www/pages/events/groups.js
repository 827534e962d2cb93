// The rows of the list: deliveries, grouped by the document, node or object that has changed, and calls.

import { changeWord, isCall } from "./words.js";

/** The states in a group's summary, the most urgent first. */
const urgency = ["deadLettered", "failed", "running", "waiting", "succeeded", "skipped"];

/** A group of the deliveries that are of one document, node or object. */
class Group {
  items = [];

  constructor(id) {
    this.id = id;
  }

  get newest() {
    return this.items[0].report;
  }

  /** The first event of the group's subject: its newest creation, or else its oldest change. */
  get origin() {
    return (this.items.find(({ report }) => report.change === "created") ?? this.items.at(-1)).report;
  }

  /** The newest text of the document. */
  get excerpt() {
    return this.items.find(({ report }) => report.excerpt)?.report.excerpt ?? "";
  }

  /** The kinds of changes in words, the newest first. */
  get changes() {
    return [...new Set(this.items.map(({ report }) => changeWord(report.change)))];
  }

  /** The numbers of deliveries by state: [[state, count], …], the most urgent first. */
  get states() {
    const counts = new Map();
    for (const { report: { state } } of this.items) counts.set(state, (counts.get(state) ?? 0) + 1);
    return urgency.filter((state) => counts.has(state)).map((state) => [state, counts.get(state)]);
  }
}

/** The groups that the user has opened or closed, unlike the others. They stay so when the list is shown again. */
const exceptions = new Set();
/** A Boolean value that indicates whether the exceptions are the open groups. */
let areOpen = false;

/** Creates the groups. With isFolded they are closed at first. */
export function makeGroups(isFolded) {
  let groups = new Map();
  if (isFolded !== areOpen) foldAll(isFolded);

  /** Opens or closes all groups. */
  function foldAll(value) {
    isFolded = areOpen = value;
    exceptions.clear();
  }

  const isOpen = ({ id }) => isFolded === exceptions.has(id);

  return {
    foldAll,
    get isFolded() {
      return isFolded;
    },
    /** Opens or closes a group. */
    toggle(id) {
      if (!exceptions.delete(id)) exceptions.add(id);
    },
    /**
     * Returns the rows of items, which are ordered, the newest first: {id, group, isOpen} for a group, followed by
     * {id, item, parent} for each of its items if it is open, and {id, item} for a call. A group is where its newest
     * item is.
     */
    rows(items) {
      const before = groups;
      groups = new Map();
      for (const item of items) {
        const id = isCall(item.report) ? item.id : `of ${item.report.resource}`;
        let group = groups.get(id);
        if (!group) {
          group = before.get(id) ?? new Group(id);
          group.items = [];
          groups.set(id, group);
        }
        group.items.push(item);
      }
      const rows = [];
      for (const group of groups.values()) {
        const [first] = group.items;
        if (isCall(first.report)) {
          rows.push({ id: group.id, item: first });
          continue;
        }
        rows.push({ id: group.id, group, isOpen: isOpen(group) });
        if (isOpen(group)) for (const item of group.items) rows.push({ id: item.id, item, parent: group.id });
      }
      return rows;
    },
  };
}
