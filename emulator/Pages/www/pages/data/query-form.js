// The query builder: conditions, groups of conditions, orders, and a limit.

import { fill, h } from "../../lib/dom.js";
import { marked } from "../../lib/marked-text.js";
import { empty, isPlain, listed, operators, unary } from "./query.js";
import { valueInput } from "./value-input.js";

/** Creates the form. run(query) is called when the query is submitted. Returns {element}. */
export function queryForm({ root, query, collectionId, run }) {
  const problem = h("p", { className: "error", role: "alert", hidden: true });
  const group = h("input", { type: "checkbox", checked: query.group });
  const limit = h("input", { type: "number", min: 1, step: 1, "aria-label": "Limit", placeholder: "no limit" });
  limit.value = query.limit ?? "";
  const filters = groupInput(query.filter, root, true);
  const orders = orderInputs(query.order);
  const form = h("form", { onsubmit: submit },
    h("fieldset", {}, h("legend", {}, "Where"), filters.element),
    h("fieldset", {}, h("legend", {}, "Order"), orders.element),
    h("div", { className: "bar" },
      h("label", {}, "Limit", limit),
      h("label", {}, group, h("span", {}, "all collections named ", marked(collectionId))),
      h("button", { type: "submit", className: "primary" }, "Run"),
      h("button", { type: "button", onclick: () => run(empty()) }, "Clear"),
    ),
    problem);
  const element = h("details", { className: "query panel", open: !isPlain(query) }, h("summary", {}, "Query"), form);

  function submit(event) {
    event.preventDefault();
    problem.hidden = true;
    try {
      run({
        group: group.checked, filter: filters.read(), order: orders.read(),
        limit: limit.value === "" ? null : Number(limit.value),
      });
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
  }

  return { element };
}

const removal = (text, onclick) =>
  h("button", { type: "button", className: "quiet", "aria-label": text, title: text, onclick }, "✕");

/** Creates a list of removable inputs, each with an element and read(). */
function inputList(makeElement) {
  const inputs = new Set();
  const list = h("div", { className: "inputs" });
  return {
    list,
    add(input, text) {
      inputs.add(input);
      const element = makeElement(input, removal(text, () => {
        inputs.delete(input);
        element.remove();
      }));
      list.append(element);
    },
    read: () => [...inputs].map((input) => input.read()),
  };
}

const side = (input, button) => h("div", { className: "side" }, input.element, button);

function groupInput(filter, root, isOutermost = false) {
  const match = h("select", { "aria-label": "Match" },
    h("option", { value: "AND", selected: filter.match === "AND" }, "all of"),
    h("option", { value: "OR", selected: filter.match === "OR" }, "any of"));
  const { list, add, read } = inputList(side);
  const addCondition = (condition) => add(conditionInput(condition, root), "Remove this condition");
  const addGroup = (group) => add(groupInput(group, root), "Remove this group");
  for (const part of filter.filters) (part.filters ? addGroup : addCondition)(part);
  const condition = () => addCondition({ field: "", op: "EQUAL", value: { stringValue: "" } });
  const element = h("div", { className: isOutermost ? "filters" : "filters nested" },
    match, list,
    h("div", { className: "bar" },
      h("button", { type: "button", onclick: condition }, "Add condition"),
      h("button", { type: "button", onclick: () => addGroup({ match: "OR", filters: [] }) }, "Add group")));
  return { element, read: () => ({ match: match.value, filters: read() }) };
}

const fieldInput = (value) => {
  const input = h("input", {
    type: "text", "aria-label": "Field", placeholder: "field, map.field or __name__", required: true, spellcheck: false,
    autocomplete: "off", dir: "auto",
  });
  input.value = value;
  return input;
};

function conditionInput(condition, root) {
  const field = fieldInput(condition.field);
  const operator = h("select", { "aria-label": "Operator", onchange: show },
    Object.entries(operators).map(([op, sign]) => h("option", { value: op, selected: op === condition.op }, sign)));
  const place = h("div", { className: "operands" });
  let value = null;
  let last = condition.value;

  function show() {
    const op = operator.value;
    value = op in unary ? null : op in listed ? valueListInput(last, root) : valueInput({ value: single(last), root });
    fill(place, value?.element);
  }
  show();

  return {
    element: h("div", { className: "condition" }, field, operator, place),
    read() {
      if (value) last = value.read();
      return { field: field.value.trim(), op: operator.value, value: value ? last : undefined };
    },
  };
}

/** Returns a single value: the first one that was entered for "in" becomes the value for "==". */
const single = (value) => value?.arrayValue?.values?.[0] ?? value ?? { stringValue: "" };

function valueListInput(value, root) {
  const { list, add, read } = inputList(side);
  const addValue = (value) => add(valueInput({ value, root }), "Remove this value");
  for (const element of value?.arrayValue?.values ?? [single(value)]) addValue(element);
  const element = h("div", { className: "value-list" }, list,
    h("button", { type: "button", onclick: () => addValue({ stringValue: "" }) }, "Add value"));
  return { element, read: () => ({ arrayValue: { values: read() } }) };
}

function orderInputs(orders) {
  const { list, add, read } = inputList(side);
  function addOrder({ field, descending }) {
    const name = fieldInput(field);
    const direction = h("select", { "aria-label": "Direction" },
      h("option", { value: "" }, "ascending"), h("option", { value: "1", selected: descending }, "descending"));
    add({
      element: h("div", { className: "condition" }, name, direction),
      read: () => ({ field: name.value.trim(), descending: direction.value === "1" }),
    }, "Remove this order");
  }
  for (const order of orders) addOrder(order);
  const another = () => addOrder({ field: "", descending: false });
  const button = h("button", { type: "button", onclick: another }, "Add order");
  return { element: h("div", {}, list, button), read };
}
