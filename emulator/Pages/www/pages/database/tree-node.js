// The data of a Realtime Database, as the page keeps it.

/** A node with a value or with children. Its children are made when they are first asked for. */
export class TreeNode {
  /** A text, a number or a Boolean value, or null if the node has children. */
  value;
  /** The value by which queries may order the node, or null. */
  priority;
  /** Children by key: nodes, or the JSON of those that nobody has asked for. */
  #children;
  /** The keys in order, or null if they have changed. */
  #keys = null;

  /** Creates the node of JSON with priorities, as the server sends it. */
  constructor(json) {
    const isObject = typeof json === "object";
    this.priority = isObject ? json[".priority"] ?? null : null;
    this.value = !isObject ? json : Object.hasOwn(json, ".value") ? json[".value"] : null;
    const members = isObject && this.value === null ? Object.entries(json) : [];
    this.#children = new Map(members.filter(([key, child]) => key !== ".priority" && child !== null));
  }

  /** The number of children. */
  get count() {
    return this.#children.size;
  }

  /** The children's keys, in the order of the Realtime Database. */
  get keys() {
    this.#keys ??= [...this.#children.keys()].sort(compareKeys);
    return this.#keys;
  }

  child(key) {
    const child = this.#children.get(key);
    if (child === undefined || child instanceof TreeNode) return child ?? null;
    const node = new TreeNode(child);
    this.#children.set(key, node);
    return node;
  }

  #setChild(key, node) {
    if (node === null || !this.#children.has(key)) this.#keys = null;
    if (node === null) this.#children.delete(key);
    else this.#children.set(key, node);
  }

  /** Returns a node in which the data at a path is replaced: this one, or null if nothing is left. */
  static replace(node, path, json) {
    if (path.length === 0) return json === null ? null : new TreeNode(json);
    const [key, ...rest] = path;
    if (key === ".priority") {
      if (node) node.priority = json;
      return node;
    }
    const child = TreeNode.replace(node?.child(key) ?? null, rest, json);
    if (!node && child === null) return null;
    const parent = node ?? new TreeNode({});
    if (child !== null) parent.value = null;
    parent.#setChild(key, child);
    return parent.value === null && parent.count === 0 ? null : parent;
  }
}

const integer = (key) => (/^-?\d+$/.test(key) && Number(key) === (Number(key) | 0) ? Number(key) : null);

/** Compares keys: integers of 32 bits come first, by their values; the others follow by their UTF-16 code units. */
export function compareKeys(left, right) {
  const [a, b] = [integer(left), integer(right)];
  if (a !== null && b !== null) return a - b || left.length - right.length;
  if (a !== null || b !== null) return a !== null ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}
