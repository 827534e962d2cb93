// A client of Cloud Storage, as an administrator: of its JSON API, and of Firebase's API for download tokens.

import { Failure, request, service } from "./emulator.js";

/** The member of the custom metadata that has the download tokens. */
const tokensName = "firebaseStorageDownloadTokens";

const owner = { authorization: "Bearer owner" };
const place = (bucket, name) => `b/${encodeURIComponent(bucket)}/o${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;

/** Sends a request. Members of the query that are undefined are left out. */
async function call(method, path, query = {}, body) {
  const members = Object.entries(query).filter(([, value]) => value !== undefined);
  const url = `${await service("storage")}/${path}?${new URLSearchParams(members)}`;
  return request(method, url, { body, headers: owner });
}

/** Returns the names of the buckets. */
export async function buckets() {
  const { items = [] } = await call("GET", "storage/v1/b", { fields: "items/name" });
  return items.map(({ name }) => name);
}

/**
 * Returns a page of a bucket's objects, {items, prefixes, nextPageToken}. The query has the members of the JSON API:
 * list(bucket, {prefix, delimiter, pageToken, maxResults, fields}).
 */
export async function list(bucket, query) {
  const { items = [], prefixes = [], nextPageToken } = await call("GET", `storage/v1/${place(bucket)}`, query);
  return { items, prefixes, nextPageToken };
}

/** Returns the generation of an object, or "0" if there is none. */
export async function generationOf(bucket, name) {
  // A list has no error for an object that doesn't exist. The object itself is the first of those with its prefix.
  const { items } = await list(bucket, { prefix: name, maxResults: 1, fields: "items(name,generation)" });
  return items[0]?.name === name ? items[0].generation : "0";
}

/** Returns the metadata of an object, or null if it doesn't exist. */
export async function metadata(bucket, name) {
  const { items } = await list(bucket, { prefix: name, maxResults: 1 });
  return items[0]?.name === name ? items[0] : null;
}

/** Changes the metadata. If it has changed meanwhile, it throws a Failure with the status 412. */
export function update({ bucket, name, generation, metageneration }, patch) {
  const conditions = { ifGenerationMatch: generation, ifMetagenerationMatch: metageneration };
  return call("PATCH", `storage/v1/${place(bucket, name)}`, conditions, patch);
}

/** Deletes a generation of an object; if it has another one, it throws a Failure with the status 412. */
export function remove({ bucket, name, generation }) {
  return call("DELETE", `storage/v1/${place(bucket, name)}`, { ifGenerationMatch: generation });
}

/** The custom metadata without the download tokens, as pairs of name and value. */
export const customOf = (object) => Object.entries(object.metadata ?? {}).filter(([name]) => name !== tokensName);

export const isTokensName = (name) => name === tokensName;

export const tokensOf = (object) => (object.metadata?.[tokensName] ?? "").split(",").filter((token) => token !== "");

export function createToken({ bucket, name }) {
  return call("POST", `v0/${place(bucket, name)}`, { create_token: "true" });
}

export function revokeToken({ bucket, name }, token) {
  return call("POST", `v0/${place(bucket, name)}`, { delete_token: token });
}

/** Returns the link with which everybody who has the token downloads an object. */
export async function link({ bucket, name }, token) {
  return `${await service("storage")}/v0/${place(bucket, name)}?${new URLSearchParams({ alt: "media", token })}`;
}

/** Returns the address of the content of a generation, for elements and downloads. */
export async function contentAddress({ bucket, name, generation }) {
  const query = new URLSearchParams({ alt: "media", generation });
  return `${await service("storage")}/download/storage/v1/${place(bucket, name)}?${query}`;
}

/** Returns the response with the content of a generation, which may still arrive. */
export async function content(object, signal) {
  const response = await fetch(await contentAddress(object), { headers: owner, signal }).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, "UNAVAILABLE", "The content can't be read.");
  });
  if (!response.ok) throw failureOf(response.status, await response.text());
  return response;
}

/** Returns the address to which a file is sent. It replaces the given generation, or no object if that is "0". */
export async function uploadAddress({ bucket, name, generation }) {
  const query = new URLSearchParams({ uploadType: "media", name, ifGenerationMatch: generation });
  return `${await service("storage")}/upload/storage/v1/${place(bucket)}?${query}`;
}

/** Returns the Failure of an error response. */
export function failureOf(status, text) {
  try {
    const { errors, message } = JSON.parse(text).error;
    return new Failure(status, errors?.[0]?.reason ?? "UNKNOWN", message);
  } catch {
    return new Failure(status, "UNKNOWN", text || `The response has the status ${status}.`);
  }
}
