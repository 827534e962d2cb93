// A client of Firestore's REST API, for an app without an SDK.

import { request, service, status } from "./emulator.js";
import { asUser } from "./user.js";

/** Returns a name's path below documents/. */
export const pathOf = (name) => name.split("/documents/")[1];
export const idOf = (name) => name.slice(name.lastIndexOf("/") + 1);

/** The database, accessed as a user (a `Session` or an `UnsignedUser`), or as an administrator without one. */
export class Firestore {
  #user;

  constructor(user = null) {
    this.#user = user;
  }

  /** The user's ID, or null for an administrator. */
  get uid() {
    return this.#user?.uid ?? null;
  }

  /** The user, or null for an administrator. */
  get user() {
    return this.#user;
  }

  async root() {
    return `projects/${(await status()).project}/databases/(default)/documents`;
  }

  async name(path) {
    return `${await this.root()}/${path}`;
  }

  async #request(method, path, options = {}) {
    const url = `${await service("firestore")}/v1/${path}`;
    const send = (headers) => request(method, url, { ...options, headers });
    return this.#user ? asUser(this.#user, send) : send({ authorization: "Bearer owner" });
  }

  #url(path) {
    return path.split("/").map(encodeURIComponent).join("/");
  }

  /** Commits writes in Firestore's JSON form atomically. */
  async commit(writes, { transaction } = {}) {
    return this.#request("POST", `${await this.root()}:commit`, { body: { writes, transaction } });
  }

  /** Returns the documents at the paths, in their order; null for a missing document. */
  async getAll(paths) {
    return (await this.#batchGet(paths)).documents;
  }

  async #batchGet(paths, options = {}) {
    const names = await Promise.all(paths.map((path) => this.name(path)));
    const body = { documents: names, ...options };
    const rows = await this.#request("POST", `${await this.root()}:batchGet`, { body });
    const found = new Map(rows.filter((row) => row.found).map((row) => [row.found.name, row.found]));
    const transaction = rows.find((row) => row.transaction)?.transaction;
    return { transaction, documents: names.map((name) => found.get(name) ?? null) };
  }

  /** Runs decide(documents) in a transaction and commits the writes that it returns. Rolls back if there are none. */
  async transact(paths, decide) {
    const { transaction, documents } = await this.#batchGet(paths, { newTransaction: {} });
    const writes = decide(documents);
    if (writes.length) return this.commit(writes, { transaction });
    return this.#request("POST", `${await this.root()}:rollback`, { body: { transaction } });
  }

  /** Returns the document, or null if it doesn't exist. */
  async get(path) {
    try {
      return await this.#request("GET", `${await this.root()}/${this.#url(path)}`);
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  }

  /** Returns the documents of a structured query, in its order. parent is a document's path, or "" for the root. */
  async query(structuredQuery, parent = "") {
    const base = (await this.root()) + (parent ? `/${this.#url(parent)}` : "");
    const rows = await this.#request("POST", `${base}:runQuery`, { body: { structuredQuery } });
    return rows.filter((row) => row.document).map((row) => row.document);
  }

  /**
   * Returns a page of a collection's documents: {documents, nextPageToken}. It includes missing documents that have
   * subcollections; those have no times. fields are the fields to return; ["__name__"] returns none.
   */
  async list(collection, { pageSize = 300, pageToken = "", fields = [] } = {}) {
    const query = new URLSearchParams({ pageSize, pageToken, showMissing: true });
    for (const field of fields) query.append("mask.fieldPaths", field);
    const page = await this.#request("GET", `${await this.root()}/${this.#url(collection)}?${query}`);
    return { documents: page.documents ?? [], nextPageToken: page.nextPageToken };
  }

  /** Returns the number of documents in a query's result. */
  async count(structuredQuery, parent = "") {
    const base = (await this.root()) + (parent ? `/${this.#url(parent)}` : "");
    const rows = await this.#request("POST", `${base}:runAggregationQuery`, {
      body: { structuredAggregationQuery: { structuredQuery, aggregations: [{ alias: "n", count: {} }] } },
    });
    return Number(rows[0].result.aggregateFields.n.integerValue);
  }

  /** Returns the IDs of the collections of a document, or of the root for "". */
  async collections(parent = "") {
    const base = (await this.root()) + (parent ? `/${this.#url(parent)}` : "");
    const ids = [];
    let pageToken;
    do {
      const answer = await this.#request("POST", `${base}:listCollectionIds`, { body: { pageSize: 300, pageToken } });
      ids.push(...(answer.collectionIds ?? []));
      pageToken = answer.nextPageToken;
    } while (pageToken);
    return ids;
  }
}

/** Calls a function through the callable protocol, as a user. */
export async function call(name, data, user) {
  const url = `${await service("functions")}/${(await status()).project}/us-central1/${name}`;
  const { result } = await asUser(user, (headers) => request("POST", url, { body: { data }, headers }));
  return result;
}
