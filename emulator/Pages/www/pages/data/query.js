// The query of the query builder, and its conversion to the address and to Firestore's StructuredQuery.
//
// A query is {group, filter: {match: "AND" | "OR", filters: […]}, order: [{field, descending}], limit}. A filter is
// such a group or {field, op, value}, with value in Firestore's JSON form.

import { compareText } from "./types.js";

export const unary = { IS_NULL: "is null", IS_NOT_NULL: "is not null", IS_NAN: "is NaN", IS_NOT_NAN: "is not NaN" };
export const listed = { IN: "in", NOT_IN: "not in", ARRAY_CONTAINS_ANY: "array contains any" };
export const operators = {
  EQUAL: "==", NOT_EQUAL: "!=", LESS_THAN: "<", LESS_THAN_OR_EQUAL: "<=", GREATER_THAN: ">",
  GREATER_THAN_OR_EQUAL: ">=", ARRAY_CONTAINS: "array contains", ...listed, ...unary,
};
const inequalities = new Set([
  "NOT_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "NOT_IN", "IS_NOT_NULL",
  "IS_NOT_NAN",
]);

export const empty = () => ({ group: false, filter: { match: "AND", filters: [] }, order: [], limit: null });

/** Parses the address's query. An invalid one becomes the empty query. */
export function parse(text) {
  try {
    const query = { ...empty(), ...JSON.parse(text || "{}") };
    return Array.isArray(query.filter.filters) && Array.isArray(query.order) ? query : empty();
  } catch {
    return empty();
  }
}

export const isPlain = ({ group, filter, order, limit }) =>
  !group && filter.filters.length === 0 && order.length === 0 && limit === null;

/** Returns the text for the address, or "" for the empty query. */
export const text = (query) => (isPlain(query) ? "" : JSON.stringify(query));

function conditions(filter) {
  return filter.filters ? filter.filters.flatMap(conditions) : [filter];
}

function structuredFilter(filter) {
  if (filter.filters) {
    const filters = filter.filters.map(structuredFilter).filter((filter) => filter !== null);
    if (filters.length === 0) return null;
    return filters.length === 1 ? filters[0] : { compositeFilter: { op: filter.match, filters } };
  }
  const field = { fieldPath: filter.field };
  if (filter.op in unary) return { unaryFilter: { op: filter.op, field } };
  return { fieldFilter: { field, op: filter.op, value: filter.value } };
}

/**
 * Returns all fields that a query orders by, including those that Firestore adds: the compared fields and the name.
 * The cursor of a page needs all of them.
 */
function fullOrder({ filter, order }) {
  const orders = order.map(({ field, descending }) => ({ field, descending }));
  const descending = orders.at(-1)?.descending ?? false;
  const add = (field) => {
    if (!orders.some((order) => order.field === field)) orders.push({ field, descending });
  };
  const compared = conditions(filter).filter(({ op }) => inequalities.has(op)).map(({ field }) => field);
  if (!orders.some(({ field }) => field === "__name__")) {
    for (const field of compared.filter((field) => field !== "__name__").sort(compareText)) add(field);
  }
  add("__name__");
  return orders;
}

/** Returns the fields that the list shows next to the document's ID. */
export function shownFields({ filter, order }) {
  const fields = [...order.map(({ field }) => field), ...conditions(filter).map(({ field }) => field)];
  return [...new Set(fields)].filter((field) => field !== "__name__");
}

/** Returns the StructuredQuery without the limit. */
export function structured(query, collectionId) {
  const orders = fullOrder(query);
  const fields = new Set([...orders.map(({ field }) => field), ...shownFields(query)]);
  return {
    select: { fields: [...fields].map((fieldPath) => ({ fieldPath })) },
    from: [{ collectionId, allDescendants: query.group }],
    where: structuredFilter(query.filter) ?? undefined,
    orderBy: orders.map(({ field, descending }) => ({
      field: { fieldPath: field }, direction: descending ? "DESCENDING" : "ASCENDING",
    })),
  };
}

/** Returns the names in a field path: a.`b.c` consists of a and b.c. */
export function segments(fieldPath) {
  const names = fieldPath.matchAll(/`((?:[^`\\]|\\.)*)`|([^.`]+)/g);
  return [...names].map(([, quoted, simple]) => quoted?.replaceAll(/\\(.)/g, "$1") ?? simple);
}
