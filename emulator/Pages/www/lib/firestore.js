// A client of Firestore's REST API, for an app without an SDK.

import { request, service, status } from "./emulator.js";

/** Returns an unsigned ID token, which Firebase's emulators accept for projects whose names begin with "demo-". */
export async function tokenOf(uid) {
  const { project } = await status();
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: `https://securetoken.google.com/${project}`, aud: project, sub: uid, user_id: uid,
    auth_time: now, iat: now, exp: now + 3_600, firebase: { sign_in_provider: "custom", identities: {} },
  };
  const part = (value) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const text = btoa(String.fromCharCode(...bytes));
    return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}

/** Returns a name's path below documents/. */
export const pathOf = (name) => name.split("/documents/")[1];
export const idOf = (name) => name.slice(name.lastIndexOf("/") + 1);

/** The database, accessed as a user, or as an administrator if uid is null. */
export class Firestore {
  constructor(uid = null) {
    this.uid = uid;
  }

  async root() {
    return `projects/${(await status()).project}/databases/(default)/documents`;
  }

  async name(path) {
    return `${await this.root()}/${path}`;
  }

  async #request(method, path, options = {}) {
    const token = this.uid === null ? "owner" : await tokenOf(this.uid);
    const url = `${await service("firestore")}/v1/${path}`;
    return request(method, url, { ...options, headers: { authorization: `Bearer ${token}` } });
  }

  #url(path) {
    return path.split("/").map(encodeURIComponent).join("/");
  }

  /** Commits writes in Firestore's JSON form atomically. With `keepalive` the request survives the page. */
  async commit(writes, { keepalive = false, transaction } = {}) {
    return this.#request("POST", `${await this.root()}:commit`, { body: { writes, transaction }, keepalive });
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
export async function call(name, data, uid) {
  const { project } = await status();
  const { result } = await request("POST", `${await service("functions")}/${project}/us-central1/${name}`, {
    body: { data },
    headers: { authorization: `Bearer ${await tokenOf(uid)}` },
  });
  return result;
}
